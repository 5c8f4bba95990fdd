package org.bochner.learn.ridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;

/**
 * Ridge regression with an unpenalised intercept: the minimiser of {@code Σ w (f(z) − y)² + λ|β|²} with
 * {@code f(z) = βᵀz + b}. The penalty is on the sum, as scikit-learn's {@code alpha} is.
 *
 * <p>Classes are fitted one against all to ±1; of two classes, one function says it all. All outputs share one
 * factorisation.
 *
 * <p>Without a penalty, {@code ridge(lambda=auto)}, the penalty has the least error of rows that were predicted from others:
 * {@link #crossValidated} with statistics of folds, leave-one-out (above 2,048 rows, one held-out fold) in the dual. From
 * statistics of all rows alone, the penalty has the least generalised cross-validation score.
 *
 * <p>From {@link org.bochner.stats.GramStatistics} it solves {@code (H + λI)β = c} with the D×D scatter H; from
 * {@link org.bochner.stats.DualStatistics} {@code (K + λI)α = y} with the n×n inner products K of the rows, and
 * {@code β = Zᵀα}. Both are the same β.
 *
 * <p>Cost: D³/3 operations (n³/3 in the dual) for a given penalty. Each penalty tried costs D³/3 per fold, or twice D³/3
 * (n³/3 in the dual) where it is judged by generalised cross-validation or leave-one-out. Each output adds 2D². Of more than 256 classes, the scores of penalties that are tried are estimated, to about a percent, from 256 sums of
 * their targets with fixed signs. No pass over the rows.
 */
public final class Ridge {
    /** What rounding may do to predictions, in standard deviations of the targets, before float64 is needed. */
    public static final double LARGEST_ERROR = 1e-4;

    private static final double AUTO = Double.NaN;

    private final double lambda;

    private Ridge(double lambda) {
        this.lambda = lambda;
    }

    /** The penalty is chosen from the statistics. */
    public static Ridge auto() {
        return new Ridge(AUTO);
    }

    /** The penalty is given. */
    public static Ridge of(double lambda) {
        return new Ridge(Require.notNegative("ridge", "lambda", lambda));
    }

    /** The penalty; NaN where it is chosen from the statistics. */
    public double lambda() {
        return lambda;
    }

    /** Whether the penalty is chosen from the statistics. */
    public boolean isAuto() {
        return Double.isNaN(lambda);
    }

    /**
     * The smallest penalty for which Gram matrices of that precision are fine enough: 16 times the size that their
     * rounding errors reach. An entry's error is about u·√(HᵢᵢHⱼⱼ), and a D×D matrix of such errors has a norm of about
     * √D of that: u·tr(H)/√D. In the dual, whose matrix is n×n, D is n.
     */
    public static double smallestLambda(Statistics statistics, Precision precision) {
        return 16 * roundingNorm(statistics, precision);
    }

    /** The size, in the spectral norm, that the rounding errors of the matrix reach: u·tr(H)/√D. */
    private static double roundingNorm(Statistics statistics, Precision precision) {
        return precision.roundoff() * statistics.scatterTrace() / Math.sqrt(statistics.order());
    }

    /**
     * An upper estimate of what the rounding of the statistics does to predictions: the root mean square of their change
     * over the training rows, in standard deviations of the targets.
     *
     * <p>A matrix H + E in place of H changes the weights W = (H + λI)⁻¹C by −(H + λI)⁻¹E·W to first order, and the
     * predictions by Z times that. Z(H + λI)⁻¹ has singular values s/(s² + λ) ≤ 1/(2√λ), so that predictions change by
     * |E|·|W|/(2√λ) at most, with |E| about u·tr(H)/√D. The actual change, measured at 200 to 2,000 features and penalties
     * from {@link #smallestLambda} on, was 0.01 to 0.53 of the estimate on 5 data sets, with 3 kernels each.
     */
    public static double roundingError(Statistics statistics, Precision precision, LinearFit fit) {
        boolean classes = statistics.labels() instanceof Labels.Classes;
        int outputs = fit.model().outputs();
        double scatter = 0;
        for (int o = 0; o < outputs; o++) {
            // Classes are ±1 where statistics count 0 and 1; of two, the second has the one output.
            scatter += (classes ? 4 : 1) * statistics.targetScatter(classes && outputs == 1 ? 1 : o);
        }
        double norm = Math.sqrt(fit.model().squaredNorm());
        return norm == 0
                ? 0
                : roundingNorm(statistics, precision)
                        * norm
                        / (2 * Math.sqrt(fit.chosen().lambda() * scatter));
    }

    /**
     * Fits all outputs, in whichever form the statistics are; the solution is the same.
     *
     * @param precision in which the products of the statistics were computed: that of the features, but always float64
     *     in the dual
     */
    public LinearFit fit(Statistics statistics, Precision precision, Workers workers) {
        Require.that(statistics.targets() > 0, "ridge", "the rows have no labels");
        requireFinite(statistics, precision);
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        if (!isAuto()) {
            RidgeProblem.Solved solution = problem.solve(lambda);
            return problem.fit(solution, List.of(solution.point()), "lambda was given");
        }
        return new RidgeSearch(problem, problem.validationError(), smallestLambda(statistics, precision), precision)
                .run();
    }

    /**
     * Fits all outputs with the penalty whose cross-validated error is least. Without any fold to hold out, the penalty has
     * the least generalised cross-validation score.
     */
    public static LinearFit crossValidated(FoldedStatistics folds, Precision precision, Workers workers) {
        GramStatistics total = folds.total();
        if (folds.count() == 0) {
            return auto().fit(total, precision, workers);
        }
        requireFinite(total, precision);
        RidgeProblem problem = RidgeProblem.of(total, workers);
        return new RidgeSearch(problem, new FoldedRidge(folds, workers), smallestLambda(total, precision), precision)
                .run();
    }

    /** Finds the penalty whose cross-validated error is least, to a factor of ten, and that error. */
    public static PathPoint bestPenalty(FoldedStatistics folds, Precision precision, Workers workers) {
        GramStatistics total = folds.total();
        requireFinite(total, precision);
        RidgeProblem problem = RidgeProblem.of(total, workers);
        ValidationError score = folds.count() == 0 ? problem.validationError() : new FoldedRidge(folds, workers);
        return new RidgeSearch(problem, score, smallestLambda(total, precision), precision).coarse();
    }

    /** Finds the penalty with the least error in whichever way the statistics allow, to a factor of ten, and that error. */
    public static PathPoint bestPenalty(Statistics statistics, Precision precision, Workers workers) {
        requireFinite(statistics, precision);
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        return new RidgeSearch(problem, problem.validationError(), smallestLambda(statistics, precision), precision)
                .coarse();
    }

    /** Scores a given penalty by cross-validation. */
    public static PathPoint validate(FoldedStatistics folds, double lambda, Workers workers) {
        return folds.count() == 0
                ? validate(folds.total(), lambda, workers)
                : new FoldedRidge(folds, workers).at(lambda);
    }

    /** Scores a given penalty in whichever way the statistics allow. */
    public static PathPoint validate(Statistics statistics, double lambda, Workers workers) {
        return RidgeProblem.of(statistics, workers).validationError().at(lambda);
    }

    private static void requireFinite(Statistics statistics, Precision precision) {
        if (!(statistics.scatterTrace() < Double.POSITIVE_INFINITY)) {
            throw new BochnerException("ridge: the features are so large that their squares are no numbers in "
                    + precision.name().toLowerCase(Locale.ROOT)
                    + (precision == Precision.FLOAT32 ? "; use --precision double, " : "; ")
                    + "scale the rows (--scale unit-l1, divide or min-max), or take a kernel of a smaller degree");
        }
    }

    /** The points of the path at the given penalties, in their order, with generalised cross-validation scores. */
    public static List<PathPoint> path(Statistics statistics, double[] lambdas, Workers workers) {
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        List<PathPoint> points = new ArrayList<>();
        for (double lambda : lambdas) {
            Require.positive("ridge path", "lambda", lambda);
            points.add(new GeneralisedCrossValidation(problem).at(lambda));
        }
        return points;
    }

    @Override
    public String toString() {
        return "ridge(lambda=" + (isAuto() ? "auto" : Spelling.print(lambda)) + ")";
    }
}
