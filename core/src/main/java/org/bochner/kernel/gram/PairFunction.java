package org.bochner.kernel.gram;

import java.util.function.DoubleUnaryOperator;

/** A kernel as a function of the inner product of two rows and of their squared lengths. */
@FunctionalInterface
interface PairFunction {
    /** The inner product itself. */
    PairFunction PRODUCT = (product, squareX, squareY) -> product;

    /**
     * Returns the value of a pair.
     *
     * @param product x·y
     * @param squareX |x|²
     * @param squareY |y|²
     */
    double of(double product, double squareX, double squareY);

    /** Returns a function of the squared distance |x|² + |y|² − 2x·y, which rounding must not make negative. */
    static PairFunction ofDistance(DoubleUnaryOperator function) {
        return new OfDistance(function);
    }

    /** A function of the squared distance alone; it does not change if all rows are shifted. */
    record OfDistance(DoubleUnaryOperator function) implements PairFunction {
        @Override
        public double of(double product, double squareX, double squareY) {
            return function.applyAsDouble(Math.max(0, squareX + squareY - 2 * product));
        }
    }
}
