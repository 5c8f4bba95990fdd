package org.bochner.design;

import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/** A signature written as a lambda expression. */
@FunctionalInterface
interface Signature extends ToDoubleFunction<double[]> {
    /** A signature of one column. */
    static Signature of(DoubleUnaryOperator function) {
        return z -> function.applyAsDouble(z[0]);
    }
}
