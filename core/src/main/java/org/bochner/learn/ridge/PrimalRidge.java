package org.bochner.learn.ridge;

import java.util.Objects;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/** Ridge regression by the D×D scatter of the features: (H + λI)·w = c. */
final class PrimalRidge extends RidgeProblem {
    private final GramStatistics gram;
    private final Sides sides;
    /** Null where there are few outputs. */
    private final @Nullable TargetSketch codes;

    private @Nullable Sides coded;

    PrimalRidge(GramStatistics gram, Workers workers) {
        super(gram, workers);
        this.gram = gram;
        int features = gram.features();
        codes = TargetSketch.of(OutputCoding.of(gram.labels()));
        sides = new Sides(new double[Math.multiplyExact(features, outputs)], new double[outputs]);
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

        Sides(double[] cross, double[] squares) {
            this.cross = cross;
            this.squares = squares;
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
        return codes != null;
    }

    /** See {@link TargetSketch} for the error of the estimate. */
    @Override
    double estimatedResiduals(double lambda, Cholesky factor) {
        if (coded == null) {
            coded = code(Objects.requireNonNull(codes));
        }
        double[] weights = coded.cross.clone();
        factor.solve(weights, TargetSketch.COUNT, workers);
        return coded.squaredResiduals(lambda, weights) / TargetSketch.COUNT;
    }

    private Sides code(TargetSketch by) {
        double[] means = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            means[o] = scale() * gram.targetMean(target(o)) - 1;
        }
        double[] squares = by.centredSquares(by.sums(1, means), gram.weight());
        return new Sides(by.sums(gram.features(), sides.cross), squares);
    }

    @Override
    double[] weights(Solved solution) {
        return solution.coefficients.clone();
    }

    @Override
    void unwhiten(double[] weights) {
        for (int o = 0; o < outputs; o++) {
            gram.penalty().unwhiten(weights, o, outputs);
        }
    }
}
