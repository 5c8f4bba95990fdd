package org.bochner.map.additive;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.SpellingException;
import org.bochner.kernel.HomogeneousKernel;

/** The default periods of VLFeat 0.9.21 as functions of the order, for maps that must agree with its maps. */
public final class VlfeatPeriods {
    public static final String NAME = "vlfeat";

    /** The fitted functions of a kernel for the two windows. */
    private record Fitted(DoubleUnaryOperator uniform, DoubleUnaryOperator rectangular) {}

    private static final Map<String, Fitted> FITTED = Map.of(
            "chi2",
            new Fitted(n -> 5.86 * Math.sqrt(n) + 3.65, n -> 8.80 * Math.sqrt(n + 4.44) - 12.6),
            "jensen-shannon",
            new Fitted(n -> 6.64 * Math.sqrt(n) + 7.24, n -> 9.63 * Math.sqrt(n + 1) - 2.93),
            "intersection",
            new Fitted(n -> 2.38 * Math.log(n + 0.8) + 5.6, n -> 2.00 * Math.log(n + 0.99) + 3.52));

    private VlfeatPeriods() {}

    public static double period(HomogeneousKernel kernel, Window window, int order) {
        Fitted fitted = FITTED.get(kernel.name());
        if (fitted == null) {
            throw new SpellingException("VLFeat has no period for " + kernel.name() + ", only for "
                    + String.join(", ", FITTED.keySet().stream().sorted().toList())
                    + "; leave period out for the best one");
        }
        DoubleUnaryOperator period = window == Window.UNIFORM ? fitted.uniform : fitted.rectangular;
        return Math.max(1, period.applyAsDouble(order));
    }
}
