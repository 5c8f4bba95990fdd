package org.bochner.numeric.optimise;

import java.util.List;

/**
 * A convex function g, differentiable or not, that is known by its proximal operator
 * {@code prox(x, t) = argmin over v of ½|v − x|² + t·g(v)}. For the indicator of a convex set that is the projection onto it.
 *
 * <p>The terms made here are immutable and thread-safe, and their proximal operators are exact: what should be zero is 0.0.
 * NaN in gives NaN out. The cost is linear in the size of the point.
 */
public interface ConvexTerm {
    /** The value; infinite where a constraint is broken. */
    double value(double[] point);

    /**
     * The proximal operator.
     *
     * @param step t, positive
     * @param out receives the result; may be the point itself
     */
    void proximal(double[] point, double step, double[] out);

    /** g = 0. */
    static ConvexTerm nothing() {
        return ConvexTerms.NOTHING;
    }

    /** {@code Σ wᵢ·|xᵢ|}, one weight ≥ 0 a coordinate. */
    static ConvexTerm l1(double... weights) {
        return new ConvexTerms.Absolute(weights, false);
    }

    /** {@code Σ wᵢ·xᵢ} where all xᵢ are ≥ 0, infinite elsewhere; one weight ≥ 0 a coordinate. */
    static ConvexTerm nonNegativeL1(double... weights) {
        return new ConvexTerms.Absolute(weights, true);
    }

    /** 0 where all coordinates are ≥ 0, infinite elsewhere. */
    static ConvexTerm nonNegative() {
        return ConvexTerms.NON_NEGATIVE;
    }

    /**
     * {@code Σ over groups fᵢ·|x of group i|₂}.
     *
     * @param groups the coordinates of each group, none in two of them; what is in no group is free
     * @param factors one a group, ≥ 0
     */
    static ConvexTerm groups(List<int[]> groups, double... factors) {
        return new ConvexTerms.Groups(groups, factors);
    }

    /** The sum of terms of disjoint ranges of coordinates; what is in no range is free. */
    static ConvexTerm ofRanges(List<Range> ranges) {
        return new ConvexTerms.Ranges(ranges);
    }

    /**
     * A term of some coordinates.
     *
     * @param from the first
     * @param to the one after the last
     * @param term of these; its coordinate 0 is coordinate {@code from} of the whole
     */
    record Range(int from, int to, ConvexTerm term) {}
}
