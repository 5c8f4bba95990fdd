package org.bochner.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bochner.base.Spelling;
import org.bochner.model.KernelMachine;
import org.bochner.tune.MultipleKernels;

/** Reads params that have no parser of their own. */
final class TrainingChecks {
    private static final String EXAMPLE = "spam=2";

    private TrainingChecks() {}

    static Object norm(String text) {
        return MultipleKernels.of(MultipleKernels.channels("a=0:1,b=1:2"), "gaussian")
                .withNorm(text);
    }

    static Object uncertainty(String text) {
        return KernelMachine.of("gaussian").withUncertainty(text);
    }

    /** Reads factors such as {@code spam=2}, by class name. */
    static Map<String, Double> classWeights(String... texts) {
        Map<String, Double> weights = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.lastIndexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + text + "' must be a class and its factor, as in " + EXAMPLE);
            }
            double factor = Spelling.toNumber("classWeights", text.substring(0, equals), text.substring(equals + 1));
            if (!(factor >= 0 && factor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("the factor of '" + text + "' must be at least 0 and finite");
            }
            weights.put(text.substring(0, equals), factor);
        }
        return weights;
    }
}
