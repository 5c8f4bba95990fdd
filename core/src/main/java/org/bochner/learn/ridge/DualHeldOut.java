package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
 * <p>Cost: (0.8n)³/3 operations per penalty. Memory: 64 rows of products per thread beyond that of the problem.
 */
final class DualHeldOut {
    private static final int FOLDS = 5;

    /** Maximum number of rows for errors over all folds. */
    private static final int MOST_IN_FOLDS = 8192;

    private final DualRidge problem;
    private final DualStatistics dual;
    final int[] held;
    private final int[] others;
    /** r, the square roots of the weights of the other rows. */
    private final double[] roots;

    private final double weight;
    private final double heldWeight;
    /** K·r/|r|². */
    private final double[] withMean;

    private DualHeldOut(DualRidge problem, DualStatistics dual, int[] held, int[] others) {
        this.problem = problem;
        this.dual = dual;
        this.held = held;
        this.others = others;
        roots = Arrays.stream(others).mapToDouble(dual::root).toArray();
        weight = Vectors.dot(roots, roots);
        heldWeight = dual.totalRowWeight() - weight;
        withMean = dual.times(others, scattered(roots, 1), 1, problem.workers);
        Vectors.scale(1 / weight, withMean);
    }

    /** Returns values of the other rows, with 0 for the held-out rows. */
    private double[] scattered(double[] values, int columns) {
        double[] all = new double[dual.matrixSize() * columns];
        for (int a = 0; a < others.length; a++) {
            System.arraycopy(values, a * columns, all, others[a] * columns, columns);
        }
        return all;
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
        for (int a = 0; a < n; a++) {
            Vectors.add(roots[a] / weight, targets, others[a] * outputs, means, 0, outputs);
        }
        double[] alpha = new double[n * outputs];
        for (int a = 0; a < n; a++) {
            for (int o = 0; o < outputs; o++) {
                alpha[a * outputs + o] = targets[others[a] * outputs + o] - roots[a] * means[o];
            }
        }
        factor.solve(alpha, outputs, problem.workers);
        double[] shift = new double[outputs];
        for (int a = 0; a < n; a++) {
            Vectors.add(withMean[a], alpha, a * outputs, shift, 0, outputs);
        }
        double[] scores = dual.times(held, scattered(alpha, outputs), outputs, problem.workers);
        double sum = 0;
        for (int k = 0; k < scores.length; k++) {
            int row = held[k / outputs];
            int o = k % outputs;
            double residual = targets[row * outputs + o] - scores[k] - dual.root(row) * (means[o] - shift[o]);
            sum += residual * residual;
        }
        return new PathPoint(lambda, Double.NaN, Double.NaN, sum / (heldWeight * outputs));
    }

    /** Returns the upper triangle of PKP + λI. */
    private double[] matrix(double lambda) {
        int n = others.length;
        double[] to = problem.matrix;
        // rᵀKr/|r|⁴.
        double ofMean = Vectors.dot(roots, withMean) / weight;
        problem.workers.each(n, a -> {
            int at = a * n + a;
            dual.copyProducts(others, a, to, at);
            Vectors.add(ofMean * roots[a] - withMean[a], roots, a, to, at, n - a);
            Vectors.add(-roots[a], withMean, a, to, at, n - a);
            to[at] += lambda;
        });
        return to;
    }

    ValidationError error() {
        // The error of one small fold depends on a few rows, if the errors of some are large.
        if (dual.matrixSize() > MOST_IN_FOLDS) {
            return ValidationError.onOneFold(this::at);
        }
        List<DualHeldOut> folds = IntStream.range(0, FOLDS)
                .mapToObj(fold -> of(problem, dual, fold))
                .filter(Objects::nonNull)
                .toList();
        return ValidationError.refined(FOLDS, this::at, lambda -> meanOver(folds, lambda));
    }

    /** Returns the mean error over some folds. */
    private static PathPoint meanOver(List<DualHeldOut> folds, double lambda) {
        double sum = 0;
        double total = 0;
        for (DualHeldOut fold : folds) {
            sum += fold.heldWeight * fold.at(lambda).validationError();
            total += fold.heldWeight;
        }
        return new PathPoint(lambda, Double.NaN, Double.NaN, sum / total);
    }
}
