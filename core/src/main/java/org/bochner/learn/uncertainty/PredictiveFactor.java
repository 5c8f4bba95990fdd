package org.bochner.learn.uncertainty;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.GramStatistics;

/**
 * The factor of predictive deviations of ridge regression as a Gaussian process.
 *
 * <p>With the noise variance v, the rows of weight w have noise of variance v/w, the weights β have the prior N(0, v/λ·I), and
 * the intercept has a flat prior. With the centred scatter H of the features, A = H + λI, their mean z̄ and the total row
 * weight W, a new row z of weight 1 has the predictive variance
 *
 * <pre>v · (1 + 1/W + (z − z̄)ᵀA⁻¹(z − z̄)).</pre>
 *
 * The root of the second factor is the row's {@linkplain #deviations deviation}. A = UᵀU is kept as its factor U.
 *
 * <p>Memory: 8·D² bytes; half of it in a file. Cost per row: D² operations. Threads: safe; immutable.
 */
public final class PredictiveFactor {
    private final double[] mean;
    private final double weight;
    /** U, row-major D×D; only the upper triangle is read. */
    private final double[] factor;

    private PredictiveFactor(double[] mean, double weight, double[] factor) {
        this.mean = mean;
        this.weight = weight;
        this.factor = factor;
    }

    /** Creates the factor at a penalty. Cost: D³/3 operations. */
    static PredictiveFactor of(GramStatistics statistics, double lambda, Workers workers) {
        int features = statistics.features();
        double[] matrix = new double[Math.multiplyExact(features, features)];
        statistics.copyScatter(lambda, matrix);
        // The array holds the factor when the call returns.
        Cholesky.factor(matrix, features, workers);
        return new PredictiveFactor(statistics.mean(), statistics.totalRowWeight(), matrix);
    }

    /** Returns the bytes of the factor of D features. */
    public static double bytesNeeded(int features) {
        return (double) Double.BYTES * features * features;
    }

    /** Returns D. */
    public int features() {
        return mean.length;
    }

    /**
     * Computes the deviations of rows.
     *
     * @param rows rows×D features, row-major; overwritten
     * @param to receives one deviation per row, from index {@code at} on
     */
    void deviations(double[] rows, int count, double[] to, int at) {
        int features = mean.length;
        for (int i = 0; i < count; i++) {
            Vectors.add(-1, mean, 0, rows, i * features, features);
        }
        Blas.get().solveUpperOnRight(Matrix.of(factor, features, features), Matrix.of(rows, count, features));
        for (int i = 0; i < count; i++) {
            double square = Vectors.dot(rows, i * features, rows, i * features, features);
            double deviation = Math.sqrt(1 + 1 / weight + square);
            to[at + i] = deviation;
            if (!(deviation < Double.POSITIVE_INFINITY)) {
                throw new BochnerException("the deviation of a prediction is " + deviation
                        + "; scale the rows as in training, or train the model again");
            }
        }
    }

    /** Returns the saved form: the upper triangle row by row. */
    State state() {
        int features = mean.length;
        double[] packed = new double[packedLength(features)];
        int at = 0;
        for (int i = 0; i < features; i++) {
            System.arraycopy(factor, i * features + i, packed, at, features - i);
            at += features - i;
        }
        return State.of("cholesky").with("weight", weight).with("mean", mean).with("upper", packed);
    }

    private static int packedLength(int features) {
        return Math.toIntExact((long) features * (features + 1) / 2);
    }

    /** Loads a factor of D features from its {@link #state}. */
    static PredictiveFactor load(State state, int features) {
        double[] mean = state.array("mean", features);
        if ((long) features * features > Integer.MAX_VALUE) {
            throw new BochnerException("uncertainty: " + features + " features are too many for a factor");
        }
        double[] packed = state.array("upper", packedLength(features));
        double weight = Require.positive(
                "uncertainty", "weight", Require.finite("uncertainty", "weight", state.number("weight")));
        double[] factor = new double[features * features];
        int at = 0;
        for (int i = 0; i < features; i++) {
            System.arraycopy(packed, at, factor, i * features + i, features - i);
            at += features - i;
            Require.positive("uncertainty", "diagonal of the factor", factor[i * (features + 1)]);
        }
        return new PredictiveFactor(mean, weight, factor);
    }
}
