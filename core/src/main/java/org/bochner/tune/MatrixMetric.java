package org.bochner.tune;

import java.util.Arrays;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.model.Transformer;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.scale.Scalings;

/**
 * An average gradient outer product G as a metric: the kernel compares M^½x, where M is G scaled to a trace equal to the
 * number of columns. A metric is the symmetric matrix M^½, row-major.
 *
 * <p>The rounds multiply frequencies by M^½, which makes the features that the initial map makes of multiplied rows. The
 * result multiplies the rows by the scaling {@code linear}, which works with every map.
 */
final class MatrixMetric implements Metric {
    /** The share of the largest eigenvalue that is added to all of them: a hundredth of its scale. */
    private static final double FLOOR = 1e-4;

    /** The matrices of columns×columns numbers that the search holds besides those of the threads. */
    private static final int MATRICES = 6;

    private final Transformer start;
    private final FourierMap map;
    private final int columns;
    private final double sigma;

    /**
     * Creates the form of metrics.
     *
     * @param threads the number of threads, each of which sums up a matrix
     * @throws SpellingException if the map has not one length-scale and free frequencies
     */
    MatrixMetric(Transformer start, int threads) {
        this.start = start;
        if (!(start.map() instanceof FourierMap fourier)
                || fourier.parameters(Sharing.FREQUENCY.kind()).count() == 0) {
            throw new SpellingException(
                    "agop(full) needs a map whose frequencies can be rotated, not that of "
                            + start.map().kernel(),
                    Remedy.set(Setting.METHOD, "agop", "learns one scale per column"),
                    Remedy.set(Setting.MAP, "fourier", "with a kernel such as gaussian can be rotated"));
        }
        map = fourier;
        columns = map.inputDimension();
        String what = "agop(full) of " + columns + " columns";
        String remedy = "use agop, which learns one length-scale per column";
        MemoryBudget.requireArray((long) columns * columns, what, remedy);
        MemoryBudget.whole().require(8.0 * (MATRICES + threads) * columns * columns, what, remedy);
        Bandwidth bandwidth = ((ShiftInvariantKernel) map.kernel()).sigma();
        if (!bandwidth.uniform()) {
            throw new SpellingException(
                    map.kernel()
                            + ": agop(full) starts from one length-scale for all columns, because it learns a matrix",
                    Remedy.set(Setting.METHOD, "agop", "starts from every kernel"));
        }
        sigma = bandwidth.toArray(columns)[0];
        if (start.scaler().matrix().length > 0) {
            throw new SpellingException(
                    start.scaler().scaling() + ": the rows are multiplied by a matrix already",
                    Remedy.set(Setting.SCALING, "standard", "starts from the columns"),
                    Remedy.set(Setting.METHOD, "agop", "learns one scale per column of the result"));
        }
        if (start.scaler().scaling().hasRanges()) {
            throw new SpellingException(
                    start.scaler().scaling() + ": a matrix cannot follow a scaling of column ranges",
                    Remedy.set(Setting.SCALING, "standard", "can be followed by one"),
                    Remedy.set(Setting.METHOD, "agop", "learns one scale per column"));
        }
    }

    @Override
    public double[] initial() {
        double[] identity = new double[columns * columns];
        for (int l = 0; l < columns; l++) {
            identity[l * (columns + 1)] = 1;
        }
        return identity;
    }

    @Override
    public double trace(double[] average) {
        double trace = 0;
        for (int l = 0; l < columns; l++) {
            trace += average[l * (columns + 1)];
        }
        return trace;
    }

    @Override
    public double[] of(double[] average) {
        for (int l = 0; l < columns; l++) {
            if (average[l * (columns + 1)] == 0) {
                // Columns without gradients count for nothing.
                for (int j = 0; j < columns; j++) {
                    average[l * columns + j] = 0;
                    average[j * columns + l] = 0;
                }
            }
        }
        double[] vectors = average.clone();
        double largest = Blas.get().eigen(columns, vectors)[columns - 1];
        for (int l = 0; l < columns; l++) {
            double entry = average[l * (columns + 1)];
            average[l * (columns + 1)] = entry > 0 ? entry + FLOOR * largest : 0;
        }
        double factor = columns / trace(average);
        double[] values = Blas.get().eigen(columns, average);
        double[] scaled = average.clone();
        for (int i = 0; i < columns; i++) {
            double root = Math.sqrt(Math.max(0, values[i] * factor));
            for (int l = 0; l < columns; l++) {
                scaled[i * columns + l] *= root;
            }
        }
        // Row i of the vectors belongs to value i, so that M^½ = Vᵀ·diag(√λ)·V.
        double[] root = new double[columns * columns];
        Blas.get()
                .multiply(Matrix.of(average, columns, columns).transposed(), Matrix.of(scaled, columns, columns), root);
        for (int i = 0; i < columns; i++) {
            for (int l = 0; l < i; l++) {
                double mean = (root[i * columns + l] + root[l * columns + i]) / 2;
                root[i * columns + l] = mean;
                root[l * columns + i] = mean;
            }
        }
        return root;
    }

    /** Matrices do not commute, so that there is no power of their ratio. */
    @Override
    public boolean takesSteps() {
        return false;
    }

    @Override
    public double[] step(double[] from, double[] to, double step) {
        throw new UnsupportedOperationException("a matrix takes whole steps");
    }

    @Override
    public FeatureMap map(FeatureMap some, double[] metric, double factor) {
        FourierMap fourier = (FourierMap) some;
        double[] unit = fourier.unitFrequencies();
        double[] turned = new double[unit.length];
        Blas.get()
                .multiply(
                        1,
                        Matrix.of(unit, fourier.frequencyCount(), columns),
                        Matrix.of(metric, columns, columns),
                        0,
                        Matrix.of(turned, fourier.frequencyCount(), columns));
        return fourier.withUnitFrequencies(turned).withSigma(Bandwidth.of(sigma / factor));
    }

    @Override
    public Transformer transformer(double[] metric, double factor) {
        double[][] matrix = new double[columns][];
        Arrays.setAll(matrix, i -> Arrays.copyOfRange(metric, i * columns, (i + 1) * columns));
        return new Transformer(
                Scalings.multiplied(start.scaler(), matrix), map.withSigma(Bandwidth.of(sigma / factor)));
    }
}
