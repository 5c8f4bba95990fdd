package org.bochner.tune.exact;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.DenseSize;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.map.landmark.KernelPairs;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.ExactRows;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.FiniteFeatures;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;

/**
 * Scaled rows in memory, sorted by fold, with their targets and weights, for exact kernels. Rows of weight 0 are left
 * out.
 *
 * <p>Threads: safe; immutable.
 */
public final class ExactFolds {
    /** The most rows with n² numbers in one array. */
    private static final int MOST_ROWS = 46_340;

    /** Rows whose kernel values are computed together. */
    private final RowBlock rows;

    private final Labels labels;
    /** The first row of each fold, and the number of rows. */
    private final int[] starts;

    private final double[] roots;
    private final int outputs;
    /** √w·y, n×outputs, row-major. */
    private final double[] weightedTargets;

    private ExactFolds(RowBlock rows, Labels labels, int... starts) {
        this.rows = rows;
        this.labels = labels;
        this.starts = starts;
        int n = rows.rows();
        roots = new double[n];
        Arrays.setAll(roots, i -> Math.sqrt(rows.rowWeight(i)));
        OutputCoding coding = OutputCoding.of(labels);
        outputs = coding.count();
        weightedTargets = new double[Math.multiplyExact(n, outputs)];
        for (int i = 0; i < n; i++) {
            for (int o = 0; o < outputs; o++) {
                weightedTargets[i * outputs + o] = roots[i] * coding.target(rows, i, o);
            }
        }
    }

    /** Copies the rows of all folds. */
    public static ExactFolds load(FoldedRows folded, int folds, ClassWeights classWeights) {
        RowWeights weighing = new RowWeights(folded.labels(), classWeights);
        RowBlockBuilder all = new RowBlockBuilder();
        int[] starts = new int[folds + 1];
        boolean begun = false;
        for (int fold = 0; fold < folds; fold++) {
            RowSource own = folded.fold(fold);
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = own.open()) {
                while (cursor.next(builder, FeaturePass.TILE_ROWS)) {
                    RowBlock block = builder.build().plain();
                    FiniteFeatures.requireMappable(block);
                    if (!begun) {
                        all.beginLike(block, true);
                        begun = true;
                    }
                    weighing.copyWeighed(block, all);
                }
            }
            starts[fold + 1] = begun ? all.rows() : 0;
        }
        if (starts[folds] == 0) {
            throw new BochnerException("there are no rows, or none with a row weight above 0");
        }
        return new ExactFolds(ExactRows.compact(all.build()), folded.labels(), starts);
    }

    /**
     * Fails if matrices of all pairs of rows exceed the memory or the length of arrays.
     *
     * @param what the work, such as "kernel learning"
     */
    public static void requireMemory(String what, long count, double bytes) {
        String subject = what + " from the kernel values between " + count + " rows";
        String features = "use features instead of the map none: their memory does not grow with the rows";
        MemoryBudget.whole().require(bytes, subject, features, "use a random sample of the rows");
        if (count > MOST_ROWS) {
            throw new BochnerException(
                    subject + ": an array holds the values between at most " + MOST_ROWS + " rows; " + features);
        }
    }

    /** Returns the number of rows. */
    public int count() {
        return rows.rows();
    }

    /** Returns the rows, which must not be changed. */
    public RowBlock rows() {
        return rows;
    }

    public Labels labels() {
        return labels;
    }

    public int folds() {
        return starts.length - 1;
    }

    /** Returns the first row of a fold; for the number of folds, the number of rows. */
    public int start(int fold) {
        return starts[fold];
    }

    public int outputs() {
        return outputs;
    }

    /** Returns √w of each row; not to be changed. */
    public double[] roots() {
        return roots;
    }

    /** Returns √w·y, n×outputs, row-major; not to be changed. */
    double[] weightedTargets() {
        return weightedTargets;
    }

    /** Returns all values of the rows in float64, n×columns. */
    Matrix<double[]> dense() {
        int columns = rows.columns();
        double[] values = new double[DenseSize.of(count(), columns, Double.BYTES)];
        double[] row = new double[columns];
        for (int i = 0; i < count(); i++) {
            rows.copyRow(i, row);
            System.arraycopy(row, 0, values, i * columns, columns);
        }
        return Matrix.of(values, count(), columns);
    }

    /** Writes √wᵢ√wⱼ·k(xᵢ, xⱼ) of all pairs of rows, n×n. */
    public void fill(Kernel kernel, double[] matrix, Workers workers) {
        int n = count();
        KernelPairs.each(kernel, rows, workers, (first, second, values) -> {
            for (int i = 0; i < values.rows(); i++) {
                int row = first + i;
                for (int j = 0; j < values.columns(); j++) {
                    int column = second + j;
                    double value = roots[row] * roots[column] * values.values()[i * values.stride() + j];
                    matrix[row * n + column] = value;
                    matrix[column * n + row] = value;
                }
            }
        });
    }
}
