package org.bochner.learn;

import org.bochner.data.Labels;
import org.bochner.numeric.Blas;
import org.bochner.numeric.Cholesky;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/** Ridge regression by the D×D scatter of the features: (H + λI)·w = c. */
final class PrimalRidge extends RidgeProblem {
    /** How many sums stand for more classes than this where only their mean error is wanted. */
    static final int CODES = 256;

    private final GramStatistics gram;
    private final Sides sides;
    private @Nullable Sides codes;

    PrimalRidge(GramStatistics gram, Workers workers) {
        super(gram, workers);
        this.gram = gram;
        int features = gram.features();
        sides = new Sides(features, outputs);
        for (int o = 0; o < outputs; o++) {
            double[] row = gram.cross(target(o));
            for (int j = 0; j < features; j++) {
                sides.cross[j * outputs + o] = scale() * row[j];
            }
            sides.squares[o] = scale() * scale() * gram.targetScatter(target(o));
        }
    }

    /** Targets: their products with the features, D×count, row-major, and their own squares. */
    private static final class Sides {
        private final double[] cross;
        private final double[] squares;

        Sides(int features, int count) {
            cross = new double[Math.multiplyExact(features, count)];
            squares = new double[count];
        }

        double squaredResiduals(double lambda, double[] weights) {
            int count = squares.length;
            double[] explained = new double[count];
            double[] norms = new double[count];
            // A feature after the other, as the weights lie in memory.
            for (int start = 0; start < weights.length; start += count) {
                for (int o = 0; o < count; o++) {
                    double weight = weights[start + o];
                    explained[o] += weight * cross[start + o];
                    norms[o] += weight * weight;
                }
            }
            double sum = 0;
            for (int o = 0; o < count; o++) {
                // |y − Zw|² = |y|² − 2wᵀc + wᵀHw with Hw = c − λw.
                sum += Math.max(0, squares[o] - explained[o] - lambda * norms[o]);
            }
            return sum;
        }
    }

    @Override
    void copyMatrix(double lambda, double[] to) {
        gram.copyScatter(lambda, to);
    }

    @Override
    double[] rightHandSides() {
        return sides.cross.clone();
    }

    @Override
    double squaredResiduals(double lambda, double[] weights) {
        return sides.squaredResiduals(lambda, weights);
    }

    @Override
    boolean estimates() {
        return gram.labels() instanceof Labels.Classes && outputs > CODES;
    }

    /**
     * Sums of the classes' targets with fixed signs stand for them: the mean over such codes of |Σₒ ±rₒ|² is about
     * Σₒ |rₒ|², with a relative error of √(2/(codes·outputs)) where the residuals rₒ of the classes are hardly correlated.
     */
    @Override
    double estimatedResiduals(double lambda, Cholesky factor) {
        if (codes == null) {
            codes = code();
        }
        double[] weights = codes.cross.clone();
        factor.solve(weights, CODES, workers);
        return codes.squaredResiduals(lambda, weights) / CODES;
    }

    private Sides code() {
        Seed seed = new Seed(0).derive("ridge codes");
        double[] signs = new double[outputs * CODES];
        for (int i = 0; i < signs.length; i++) {
            signs[i] = seed.derive(i).value() < 0 ? -1 : 1;
        }
        Sides coded = new Sides(gram.features(), CODES);
        Blas.get()
                .gemm(
                        false,
                        false,
                        gram.features(),
                        CODES,
                        outputs,
                        1.0,
                        sides.cross,
                        0,
                        outputs,
                        signs,
                        0,
                        CODES,
                        0.0,
                        coded.cross,
                        0,
                        CODES);
        for (int k = 0; k < CODES; k++) {
            double mean = 0;
            for (int o = 0; o < outputs; o++) {
                mean += scale() * signs[o * CODES + k] * gram.targetMean(o);
            }
            // A row is of one class, so that its code is ±scale, and the square of that is known.
            coded.squares[k] = gram.weight() * (scale() * scale() - mean * mean);
        }
        return coded;
    }

    @Override
    double[] weights(Solution solution) {
        return solution.coefficients.clone();
    }

    @Override
    void unwhiten(double[] weights) {
        for (int o = 0; o < outputs; o++) {
            gram.penalty().unwhiten(weights, o, outputs);
        }
    }

    @Override
    String singular(int pivot) {
        return "features depend on each other (pivot " + pivot + " of " + gram.features() + ")";
    }
}
