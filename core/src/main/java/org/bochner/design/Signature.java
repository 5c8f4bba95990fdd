package org.bochner.design;

import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;

/**
 * A kernel as a function of the difference z of its arguments, k(x, y) = at(x − y): even, at(−z) = at(z), and positive
 * definite. Implementations that are values (records of a kernel) let designs be remembered.
 */
@FunctionalInterface
public interface Signature {
    /** The value at a difference, one number a column. */
    double at(double[] z);

    /** A signature of one column. */
    static Signature of(DoubleUnaryOperator function) {
        return z -> {
            Require.sameSize("signature", "columns", z.length, 1);
            return function.applyAsDouble(z[0]);
        };
    }
}
