package org.bochner.learn.ridge;

import java.util.Arrays;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/** Ridge regression from the D×D scatter matrix of the features: (H + λI)·w = c. */
final class PrimalRidge extends RidgeProblem {
    private final GramStatistics gram;
    private final OutputMoments targets;
    /** Null if there are few outputs. */
    private final @Nullable TargetSketch sketch;

    private @Nullable OutputMoments sketched;

    PrimalRidge(GramStatistics gram, Workers workers) {
        super(gram, workers);
        this.gram = gram;
        sketch = TargetSketch.of(coding);
        targets = OutputMoments.of(gram);
    }

    @Override
    void copyMatrix(double lambda, double[] to) {
        gram.copyScatter(lambda, to);
    }

    /** Principal components have a diagonal matrix, and every penalty costs divisions only. */
    @Override
    Cholesky factor(double lambda) {
        if (!gram.diagonal()) {
            return super.factor(lambda);
        }
        double[] entries = new double[gram.features()];
        Arrays.setAll(entries, j -> gram.scatter(j, j) + lambda);
        return factor(() -> Cholesky.ofDiagonal(entries), entries.length, lambda);
    }

    @Override
    double[] rightHandSides() {
        return targets.cross().clone();
    }

    @Override
    double squaredResiduals(double lambda, double[] weights) {
        return squaredResiduals(targets, lambda, weights);
    }

    private static double squaredResiduals(OutputMoments of, double lambda, double[] weights) {
        int count = of.squares().length;
        double[] explained = new double[count];
        double[] norms = new double[count];
        // Feature by feature, in the order of the weights in memory.
        for (int start = 0; start < weights.length; start += count) {
            for (int o = 0; o < count; o++) {
                double weight = weights[start + o];
                explained[o] += weight * of.cross()[start + o];
                norms[o] += weight * weight;
            }
        }
        double sum = 0;
        for (int o = 0; o < count; o++) {
            // |y − Zw|² = |y|² − 2wᵀc + wᵀHw with Hw = c − λw.
            sum += Math.max(0, of.squares()[o] - explained[o] - lambda * norms[o]);
        }
        return sum;
    }

    /** See {@link TargetSketch} for the error of the estimate. */
    @Override
    double estimatedResiduals(double lambda, Cholesky factor) {
        if (sketch == null) {
            return super.estimatedResiduals(lambda, factor);
        }
        if (sketched == null) {
            sketched = sketch.of(targets, gram.features(), gram.totalRowWeight());
        }
        double[] weights = sketched.cross().clone();
        factor.solve(weights, TargetSketch.COUNT, workers);
        return squaredResiduals(sketched, lambda, weights) / TargetSketch.COUNT;
    }

    @Override
    double[] weights(Solved solution) {
        return solution.coefficients().clone();
    }

    @Override
    void unwhiten(double[] weights) {
        for (int o = 0; o < outputs; o++) {
            gram.penalty().unwhiten(weights, o, outputs);
        }
    }
}
