package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.bochner.data.sample.Folds;
import org.bochner.learn.PathPoint;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;
import org.bochner.stats.DualStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The validation error of dual ridge regression on one held-out fold: a fifth of the rows is predicted from the others.
 * Up to 8,192 rows, the errors on all folds decide between neighbours of the best penalty.
 *
 * <p>With K the inner products of the other rows about the mean of all rows, r the square roots of their weights and
 * P = I − rrᵀ/|r|², the products about their own mean are PKP. The solution of {@code (PKP + λI)α = Py} has αᵀr = 0, so
 * the score of a held-out row h, minus the mean of the targets, is {@code Kₕα − √wₕ·rᵀKα/|r|²}.
 *
 * <p>Cost: (0.8n)³/3 operations per penalty. Memory: none beyond that of the problem.
 */
final class DualHeldOut {
    private static final int FOLDS = 5;

    /** Maximum number of rows for errors over all folds. */
    private static final int MOST_IN_FOLDS = 8192;

    private final DualRidge problem;
    private final DualStatistics dual;
    final int[] held;
    private final int[] others;
    private final double weight;
    private final double heldWeight;
    /** K·r/|r|². */
    private final double[] withMean;

    private DualHeldOut(DualRidge problem, DualStatistics dual, int[] held, int[] others) {
        this.problem = problem;
        this.dual = dual;
        this.held = held;
        this.others = others;
        double sum = 0;
        for (int i : others) {
            sum += dual.root(i) * dual.root(i);
        }
        weight = sum;
        heldWeight = dual.totalRowWeight() - weight;
        withMean = new double[others.length];
        problem.workers.each(others.length, a -> {
            double product = 0;
            for (int other : others) {
                product += dual.product(others[a], other) * dual.root(other);
            }
            withMean[a] = product / weight;
        });
    }

    /** Holds out the first fold; returns null if the fold or the rest has no rows. */
    static @Nullable DualHeldOut of(DualRidge problem, DualStatistics dual) {
        return of(problem, dual, 0);
    }

    static @Nullable DualHeldOut of(DualRidge problem, DualStatistics dual, int fold) {
        Folds folds = Folds.of(FOLDS, new Seed(0).derive("held-out rows of the dual"));
        IntPredicate first = i -> folds.fold(dual.group(i)) == fold;
        int[] held = IntStream.range(0, dual.matrixSize()).filter(first).toArray();
        int[] others =
                IntStream.range(0, dual.matrixSize()).filter(first.negate()).toArray();
        return held.length == 0 || others.length == 0 ? null : new DualHeldOut(problem, dual, held, others);
    }

    PathPoint at(double lambda) {
        int n = others.length;
        int outputs = problem.outputs;
        // The penalty is scaled with the row weight, because the loss is a sum over rows.
        Cholesky factor =
                RidgeProblem.factor(matrix(lambda * weight / dual.totalRowWeight()), n, lambda, problem.workers);
        double[] targets = problem.rightHandSides();
        double[] means = new double[outputs];
        for (int i : others) {
            Vectors.add(dual.root(i) / weight, targets, i * outputs, means, 0, outputs);
        }
        double[] alpha = new double[n * outputs];
        for (int a = 0; a < n; a++) {
            for (int o = 0; o < outputs; o++) {
                alpha[a * outputs + o] = targets[others[a] * outputs + o] - dual.root(others[a]) * means[o];
            }
        }
        factor.solve(alpha, outputs, problem.workers);
        double[] shift = new double[outputs];
        for (int a = 0; a < n; a++) {
            Vectors.add(withMean[a], alpha, a * outputs, shift, 0, outputs);
        }
        double[] squares = new double[held.length];
        problem.workers.each(held.length, h -> {
            int row = held[h];
            double[] scores = new double[outputs];
            for (int a = 0; a < n; a++) {
                Vectors.add(dual.product(row, others[a]), alpha, a * outputs, scores, 0, outputs);
            }
            for (int o = 0; o < outputs; o++) {
                double residual = targets[row * outputs + o] - scores[o] - dual.root(row) * (means[o] - shift[o]);
                squares[h] += residual * residual;
            }
        });
        double sum = Arrays.stream(squares).sum();
        return new PathPoint(lambda, Double.NaN, Double.NaN, sum / (heldWeight * outputs));
    }

    /** Returns the upper triangle of PKP + λI. */
    private double[] matrix(double lambda) {
        int n = others.length;
        double[] to = problem.matrix;
        double ofMean = 0;
        for (int a = 0; a < n; a++) {
            ofMean += dual.root(others[a]) * withMean[a] / weight;
        }
        // rᵀKr/|r|⁴.
        double meanProduct = ofMean;
        problem.workers.each(n, a -> {
            double root = dual.root(others[a]);
            for (int b = a; b < n; b++) {
                double other = dual.root(others[b]);
                to[a * n + b] = dual.product(others[a], others[b])
                        - root * withMean[b]
                        - withMean[a] * other
                        + meanProduct * root * other;
            }
            to[a * n + a] += lambda;
        });
        return to;
    }

    ValidationError error() {
        // The error of one small fold depends on a few rows, if the errors of some are large.
        return dual.matrixSize() > MOST_IN_FOLDS
                ? ValidationError.onOneFold(this::at)
                : ValidationError.refined(FOLDS, this::at, this::inAllFolds);
    }

    /** Returns the mean error over all folds. */
    private PathPoint inAllFolds(double lambda) {
        double sum = 0;
        double total = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            DualHeldOut heldOut = of(problem, dual, fold);
            if (heldOut != null) {
                sum += heldOut.heldWeight * heldOut.at(lambda).validationError();
                total += heldOut.heldWeight;
            }
        }
        return new PathPoint(lambda, Double.NaN, Double.NaN, sum / total);
    }
}
