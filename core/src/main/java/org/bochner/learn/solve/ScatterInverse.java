package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.jspecify.annotations.Nullable;

/**
 * The inverse of {@code H + κI}, where H = Σ w(z − z̄)(z − z̄)ᵀ is the scatter matrix of all rows. It factors the D×D
 * matrix, or the matrix of inner products of the rows if there are fewer rows than features.
 *
 * <p>Cost: n·D·min(n, D) operations once, then 2·D²·outputs per solution (4·n·D·outputs with fewer rows than features).
 * Memory: {@link #bytesNeeded}.
 */
final class ScatterInverse {
    /** κ relative to the mean of the eigenvalues of H that are not zero. */
    private static final double SHARE = 0.1;

    /** Number of rows whose outer products are added in one matrix product. */
    private static final int PANEL_ROWS = 256;

    private final double shift;
    private final Workers workers;
    /** One of the two is null. */
    private final @Nullable Cholesky ofFeatures;

    private final @Nullable ScatterPreconditioner ofRows;

    ScatterInverse(Objective objective, Seed seed, Workers workers) {
        this.workers = workers;
        FeatureSource source = objective.source();
        int features = source.features();
        long rank = Math.min(source.rows(), features);
        double trace = source.scatterTrace();
        shift = trace > 0 ? SHARE * trace / rank : 1;
        if (source.rows() < features) {
            ScatterPreconditioner all = new ScatterPreconditioner(objective, (int) source.rows(), seed, workers);
            source.forEachTile(all::collect);
            all.prepare(objective);
            all.factorAt(shift);
            ofRows = all;
            ofFeatures = null;
        } else {
            ofRows = null;
            ofFeatures = Cholesky.factor(shifted(source), features, workers);
        }
    }

    /** Returns the bytes of the matrices. */
    static double bytesNeeded(long rows, int features) {
        return rows < features
                ? 16.0 * rows * rows + 4.0 * rows * features
                : 8.0 * features * features + 8.0 * PANEL_ROWS * features;
    }

    /** Fails if the matrices exceed an array or the memory. */
    static void requireMemory(String method, long rows, int features, String... remedies) {
        long size = Math.min(rows, features);
        String what = method + ": the inner products of " + size + (rows < features ? " rows" : " features");
        MemoryBudget.requireArray(size * size, what, remedies);
        MemoryBudget.kept().require(bytesNeeded(rows, features), what, remedies);
    }

    /** Returns κ. */
    double shift() {
        return shift;
    }

    /** Returns the upper triangle of H + κI. */
    private double[] shifted(FeatureSource source) {
        int features = source.features();
        Scatter scatter = new Scatter(features, source.mean());
        source.pass(() -> new Rows(features), (tile, rows) -> rows.add(tile), scatter::take);
        scatter.flush();
        for (int j = 0; j < features; j++) {
            scatter.sum[j * features + j] += shift;
        }
        return scatter.sum;
    }

    /** Writes (H + κI)⁻¹·in for D×outputs numbers, row-major. */
    void solve(double[] in, int outputs, double[] out) {
        if (ofRows != null) {
            ofRows.solve(in, outputs, out);
        } else if (ofFeatures != null) {
            System.arraycopy(in, 0, out, 0, ofFeatures.size() * outputs);
            ofFeatures.solve(out, outputs, workers);
        }
    }

    /** Rows of one worker, each multiplied by the root of its weight. */
    private static final class Rows {
        private final int features;
        private double[] values = new double[0];
        private double[] roots = new double[0];
        private int count;

        Rows(int features) {
            this.features = features;
        }

        void add(FeatureTile tile) {
            int length = count + tile.rows();
            if (roots.length < length) {
                roots = Arrays.copyOf(roots, 2 * length);
                values = Arrays.copyOf(values, Math.multiplyExact(2 * length, features));
            }
            double[] row = new double[features];
            for (int i = 0; i < tile.rows(); i++) {
                Arrays.fill(row, 0);
                roots[count] = Math.sqrt(tile.rowWeight(i));
                tile.addRow(i, roots[count], row);
                System.arraycopy(row, 0, values, count++ * features, features);
            }
        }
    }

    /** The sum of outer products, from panels of rows. */
    private static final class Scatter {
        private final int features;
        private final double[] mean;
        private final double[] sum;
        private final double[] panel;
        private int panelRows;

        Scatter(int features, double[] mean) {
            this.features = features;
            this.mean = mean;
            sum = new double[Math.multiplyExact(features, features)];
            panel = new double[PANEL_ROWS * features];
        }

        void take(Rows rows) {
            for (int k = 0; k < rows.count; k++) {
                int to = panelRows++ * features;
                for (int j = 0; j < features; j++) {
                    panel[to + j] = rows.values[k * features + j] - rows.roots[k] * mean[j];
                }
                if (panelRows == PANEL_ROWS) {
                    flush();
                }
            }
            rows.count = 0;
        }

        void flush() {
            if (panelRows > 0) {
                Blas.get().gram(1.0, Matrix.of(panel, panelRows, features), 1.0, Matrix.of(sum, features, features));
                panelRows = 0;
            }
        }
    }
}
