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

    /**
     * Returns false if a small error of the inner product of equal rows makes a much larger error of the value, as for
     * kernels of the distance, not of its square: their products need float64.
     */
    default boolean smoothAtEqualRows() {
        // exp(−x²/2) changes by one step, and exp(−x) by 1,400.
        double step = 1e-6;
        return Math.abs(of(1, 1, 1) - of(1 - step, 1, 1)) < 100 * step;
    }

    /**
     * A function of the squared distance |x|² + |y|² − 2x·y alone, which rounding must not make negative. It does not
     * change if all rows are shifted.
     */
    record OfDistance(DoubleUnaryOperator function) implements PairFunction {
        @Override
        public double of(double product, double squareX, double squareY) {
            return function.applyAsDouble(Math.max(0, squareX + squareY - 2 * product));
        }
    }
}
