package org.bochner.tune.exact;

import java.util.function.DoubleSupplier;
import org.bochner.map.FeatureMap;
import org.bochner.map.ParameterKind;
import org.bochner.tune.scales.CriterionResult;

/** The value of a criterion of an exact kernel, and its derivatives, some of which are computed when they are needed. */
final class ExactResult implements CriterionResult {
    private final double value;
    private final double lambda;
    private final DoubleSupplier derivatives;
    private final ExactSlopes slopes;
    private boolean differentiated;
    private double penaltySlope;

    ExactResult(double value, double lambda, double penaltySlope, ExactSlopes slopes) {
        this(value, lambda, () -> penaltySlope, slopes);
    }

    /**
     * Creates a result.
     *
     * @param derivatives completes the slopes and returns the derivative by the logarithm of the penalty
     */
    ExactResult(double value, double lambda, DoubleSupplier derivatives, ExactSlopes slopes) {
        this.value = value;
        this.lambda = lambda;
        this.derivatives = derivatives;
        this.slopes = slopes;
    }

    @Override
    public double value() {
        return value;
    }

    @Override
    public double lambda() {
        return lambda;
    }

    @Override
    public double penaltySlope() {
        differentiate();
        return penaltySlope;
    }

    @Override
    public double[] slopes(FeatureMap map, ParameterKind kind) {
        differentiate();
        return slopes.values();
    }

    private void differentiate() {
        if (!differentiated) {
            penaltySlope = derivatives.getAsDouble();
            differentiated = true;
        }
    }
}
