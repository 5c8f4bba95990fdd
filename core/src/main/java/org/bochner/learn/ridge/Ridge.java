package org.bochner.learn.ridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Ridge regression with an unpenalised intercept: the minimiser of {@code Σ w (f(z) − y)² + λ|β|²} with
 * {@code f(z) = βᵀz + b}. The penalty is on the sum, as scikit-learn's {@code alpha} is.
 *
 * <p>Classes are fitted one against the rest with targets ±1; two classes need one function. All outputs share one
 * factorisation.
 *
 * <p>The automatic penalty, {@code ridge(lambda=auto)}, has the least validation error: {@link #crossValidated} with
 * statistics of folds, leave-one-out in the dual (above 2,048 rows, five folds; above 8,192 rows, one held-out fold), and generalised
 * cross-validation with statistics of all rows alone.
 *
 * <p>From {@link org.bochner.stats.GramStatistics} it solves {@code (H + λI)β = c} with the D×D scatter H; from
 * {@link org.bochner.stats.DualStatistics} {@code (K + λI)α = y} with the n×n inner products K of the rows, and
 * {@code β = Zᵀα}. Both give equal β.
 *
 * <p>Cost: D³/3 operations (n³/3 in the dual) for a given penalty. Each penalty tried costs D³/3 per fold, or twice
 * D³/3 (n³/3 in the dual) for generalised cross-validation or leave-one-out. Each output adds 2D². With more than 256
 * classes, validation errors are estimated, to about a percent, from 256 sums of the targets with fixed signs. No pass
 * over the rows.
 *
 * @param lambda the penalty; NaN if it is chosen from the statistics
 */
public record Ridge(double lambda) {
    /** Maximum rounding error of predictions in float32, in standard deviations of the targets. */
    public static final double LARGEST_ERROR = 1e-4;

    /** Creates a ridge regression whose penalty is chosen from the statistics. */
    public static Ridge auto() {
        return new Ridge(Double.NaN);
    }

    /** Creates a ridge regression with a given penalty. */
    public static Ridge of(double lambda) {
        return new Ridge(Require.notNegative("ridge", "lambda", lambda));
    }

    /** Returns true if the penalty is chosen from the statistics. */
    public boolean isAuto() {
        return Double.isNaN(lambda);
    }

    /**
     * Returns the smallest penalty for which Gram matrices of that precision are accurate enough: 16 times the spectral
     * norm of their rounding errors. The error of an entry is about u·√(HᵢᵢHⱼⱼ), and a D×D matrix of independent errors
     * has a norm of about u·tr(H)/√D. In the dual, whose matrix is n×n, D is n.
     */
    public static double smallestLambda(Statistics statistics, Precision precision) {
        return 16 * roundingNorm(statistics, precision);
    }

    /** Returns the smallest penalty for a matrix of a given trace and size, as for {@link Statistics}. */
    public static double smallestLambda(double trace, int matrixSize, Precision precision) {
        return 16 * roundingNorm(trace, matrixSize, precision);
    }

    /** Returns the spectral norm of the rounding errors of the matrix, about u·tr(H)/√D. */
    private static double roundingNorm(Statistics statistics, Precision precision) {
        return roundingNorm(statistics.scatterTrace(), statistics.matrixSize(), precision);
    }

    private static double roundingNorm(double trace, int matrixSize, Precision precision) {
        return precision.roundoff() * trace / Math.sqrt(matrixSize);
    }

    /**
     * Returns an upper estimate of the effect of rounding on predictions: the root mean square of their change over the
     * training rows, in standard deviations of the targets.
     *
     * <p>A matrix H + E in place of H changes the weights W = (H + λI)⁻¹C by −(H + λI)⁻¹E·W to first order, and the
     * predictions by Z times that change. Z(H + λI)⁻¹ has singular values s/(s² + λ) ≤ 1/(2√λ), so predictions change
     * by at most |E|·|W|/(2√λ), with |E| about u·tr(H)/√D. The actual change, measured at 200 to 2,000 features and
     * penalties from {@link #smallestLambda} on, was 0.01 to 0.53 of the estimate on 5 data sets with 3 kernels each.
     */
    public static double roundingError(Statistics statistics, Precision precision, LinearFit fit) {
        OutputCoding coding = OutputCoding.of(statistics.labels());
        double scatter = 0;
        for (int o = 0; o < coding.count(); o++) {
            scatter += coding.scale() * coding.scale() * statistics.targetScatter(coding.target(o));
        }
        double norm = Math.sqrt(fit.model().squaredNorm());
        return norm == 0
                ? 0
                : roundingNorm(statistics, precision)
                        * norm
                        / (2 * Math.sqrt(fit.chosen().lambda() * scatter));
    }

    /**
     * Fits all outputs, from either form of statistics.
     *
     * @param precision the precision in which the products of the statistics were computed: that of the features, but
     *     always float64 in the dual
     */
    public LinearFit fit(Statistics statistics, Precision precision, Workers workers) {
        Require.that(statistics.targets() > 0, "ridge", "the rows have no labels");
        requireFinite(statistics, precision);
        if (isAuto()) {
            return search(statistics, null, precision, workers).run();
        }
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        RidgeProblem.Solved solution = problem.solve(lambda);
        return problem.fit(solution, List.of(solution.point()), "lambda was given");
    }

    /**
     * Fits all outputs with the penalty that has the least cross-validated error; by generalised cross-validation if
     * there is no fold to hold out.
     */
    public static LinearFit crossValidated(FoldedStatistics folds, Precision precision, Workers workers) {
        return search(folds.total(), folds, precision, workers).run();
    }

    /** Finds the penalty with the least cross-validated error, to a factor of ten, and that error. */
    public static PathPoint bestPenalty(FoldedStatistics folds, Precision precision, Workers workers) {
        return search(folds.total(), folds, precision, workers).coarse();
    }

    /**
     * Finds the penalty with the least validation error that the statistics allow, to a factor of ten, and that error.
     */
    public static PathPoint bestPenalty(Statistics statistics, Precision precision, Workers workers) {
        return search(statistics, null, precision, workers).coarse();
    }

    private static RidgeSearch search(
            Statistics statistics, @Nullable FoldedStatistics folds, Precision precision, Workers workers) {
        requireFinite(statistics, precision);
        RidgeProblem problem = RidgeProblem.of(statistics, workers);
        ValidationError error = folds == null || folds.count() == 0
                ? problem.validationError()
                : new FoldedRidge(folds, workers).error(precision);
        return new RidgeSearch(problem, error, smallestLambda(statistics, precision), precision);
    }

    /** Returns the cross-validated error of a given penalty. */
    public static PathPoint validate(FoldedStatistics folds, double lambda, Workers workers) {
        return folds.count() == 0
                ? validate(folds.total(), lambda, workers)
                : new FoldedRidge(folds, workers).at(lambda);
    }

    /** Returns the validation error of a given penalty that the statistics allow. */
    public static PathPoint validate(Statistics statistics, double lambda, Workers workers) {
        return RidgeProblem.of(statistics, workers).validationError().at().apply(lambda);
    }

    /** Throws if products of features and row weights overflow or underflow. */
    private static void requireFinite(Statistics statistics, Precision precision) {
        double mean = statistics.totalRowWeight() / statistics.weighedRows();
        // Below this number, products of the weight and features have fewer digits than their precision.
        double least =
                precision == Precision.FLOAT32 ? Float.MIN_NORMAL / Math.ulp(1f) : Double.MIN_NORMAL / Math.ulp(1.0);
        if (mean < least) {
            throw new BochnerException(
                    String.format(
                            Locale.ROOT,
                            "ridge: squares of the features times the row weights are rounded to 0 in %s, because the row weights"
                                    + " are too small, %.2g on average",
                            precision.name().toLowerCase(Locale.ROOT),
                            mean),
                    Remedy.advice("divide all row weights by one number, so that their mean is 1"));
        }
        if (!(statistics.scatterTrace() < Double.POSITIVE_INFINITY)) {
            double rowWeight = statistics.totalRowWeight() / statistics.weighedRows();
            double largest = precision == Precision.FLOAT32 ? Float.MAX_VALUE : Double.MAX_VALUE;
            // A row adds its weight times the squares of its features. The weight is at fault if it is the larger
            // factor.
            if (!(rowWeight < Math.sqrt(largest))) {
                throw new BochnerException(
                        String.format(
                                Locale.ROOT,
                                "ridge: squares of the features times the row weights are not finite in %s, because the row weights"
                                        + " are too large, %.2g on average",
                                precision.name().toLowerCase(Locale.ROOT),
                                rowWeight),
                        Remedy.advice("divide all row weights by one number, so that their mean is 1"));
            }
            List<Remedy> remedies = new ArrayList<>();
            if (precision == Precision.FLOAT32) {
                remedies.add(Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""));
            }
            remedies.add(Remedy.set(Setting.SCALING, "as unit-l1, divide or min-max"));
            remedies.add(Remedy.advice("take a kernel of a smaller degree or with a smaller gamma"));
            throw new BochnerException(
                    "ridge: squares of the features are not finite in "
                            + precision.name().toLowerCase(Locale.ROOT)
                            + ", because the features are too large, or a parameter of the kernel is extreme, such as a small sigma or"
                            + " a large gamma",
                    remedies.toArray(Remedy[]::new));
        }
    }
}
