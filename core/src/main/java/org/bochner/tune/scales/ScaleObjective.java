package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.SmoothFunction;
import org.jspecify.annotations.Nullable;

/**
 * A criterion as a function of a point: the coordinates of the scales and, if the penalty moves with them, its
 * logarithm at the end.
 *
 * <p>Memory: that of the criterion and, for criteria of features, columns·D numbers per thread for the derivatives.
 */
public final class ScaleObjective implements SmoothFunction {
    private final Parametrization parametrization;
    private final ScalePenalty penalty;
    private final ScaleCriterion criterion;
    private final double lambda;

    /** True after the criterion was a number at some point. */
    private boolean begun;

    /**
     * Creates the objective.
     *
     * @param lambda the penalty of the criterion; NaN if it moves with the scales
     */
    public ScaleObjective(
            Parametrization parametrization, ScalePenalty penalty, ScaleCriterion criterion, double lambda) {
        this.parametrization = parametrization;
        this.penalty = penalty;
        this.criterion = criterion;
        this.lambda = lambda;
    }

    /** Returns the number of coordinates of a point. */
    public int size() {
        return parametrization.count() + (movesPenalty() ? 1 : 0);
    }

    private boolean movesPenalty() {
        return Double.isNaN(lambda);
    }

    private double asked(double[] point) {
        return movesPenalty() ? Math.exp(point[parametrization.count()]) : lambda;
    }

    /** Returns the penalty at a point. */
    public double lambda(double[] point) {
        return movesPenalty() ? asked(point) + criterion.smallestPenalty() : lambda;
    }

    /** Returns the map at a point. */
    public FeatureMap map(double[] point) {
        return parametrization.map(point);
    }

    @Override
    public double at(double[] point, double[] gradient) {
        if (!parametrization.hasMap(point)) {
            return Double.NaN;
        }
        FeatureMap map = map(point);
        CriterionResult result = evaluate(map, point);
        if (result == null) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        parametrization.addSlopes(result.slopes(map, parametrization.kind()), point, gradient);
        if (movesPenalty()) {
            gradient[parametrization.count()] = result.penaltySlope() * asked(point) / result.lambda();
        }
        return result.value() + penalty.add(point, parametrization, gradient);
    }

    /**
     * Returns the criterion at a point, without derivatives and without the penalty of the scales; NaN if it has none.
     */
    public double value(double[] point) {
        CriterionResult result = evaluate(map(point), point);
        return result == null ? Double.NaN : result.value();
    }

    /** Returns null if the criterion is not a number; the optimiser then steps back, except at the start. */
    private @Nullable CriterionResult evaluate(FeatureMap map, double[] point) {
        CriterionResult result = null;
        try {
            result = criterion.evaluate(map, asked(point), movesPenalty());
        } catch (NotPositiveDefiniteException e) {
            // The features depend on each other, and the penalty is too small for them.
        }
        boolean known = result != null && result.value() < Double.POSITIVE_INFINITY;
        if (!known && !begun) {
            throw new BochnerException(
                    "the criterion is not a number at the initial scales: the rows are too few for the features, or the"
                            + " penalty is too small",
                    Remedy.advice("take a larger lambda or fewer features"),
                    Remedy.set(Setting.CRITERION, "cv", ""));
        }
        begun = true;
        return known ? result : null;
    }
}
