package org.bochner.tune.scales;

import org.bochner.map.FeatureMap;
import org.bochner.map.ParameterKind;

/** The value of a criterion at one map and one penalty, and its derivatives. */
public interface CriterionResult {
    /** Returns the criterion, relative to that of a constant prediction; infinite or NaN if it cannot be computed. */
    double value();

    /** Returns the penalty that was used. */
    double lambda();

    /** Returns the derivative by the logarithm of the penalty. */
    double penaltySlope();

    /**
     * Returns the derivatives by the parameters of the map. May be called once, before the criterion is evaluated
     * again.
     *
     * @param map the map that was evaluated
     */
    double[] slopes(FeatureMap map, ParameterKind kind);
}
