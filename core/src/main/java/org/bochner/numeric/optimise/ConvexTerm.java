package org.bochner.numeric.optimise;

import java.util.List;

/**
 * A convex function g, differentiable or not, given by its proximal operator {@code prox(x, t) = argmin over v of ½|v −
 * x|² + t·g(v)}. The proximal operator of the indicator of a convex set is the projection onto the set.
 *
 * <p>The terms made here are immutable and thread-safe. Their proximal operators are exact: coordinates that should be
 * zero are 0.0. NaN in gives NaN out. The cost is linear in the size of the point.
 */
public interface ConvexTerm {
    /** Returns g(point); infinite if a constraint is violated. */
    double value(double[] point);

    /**
     * Computes the proximal operator.
     *
     * @param step t, positive
     * @param out receives the result; may be the point itself
     */
    void proximal(double[] point, double step, double[] out);

    /** Returns the term g = 0. */
    static ConvexTerm nothing() {
        return ConvexTerms.NOTHING;
    }

    /** Returns the term {@code Σ fᵢ·|xᵢ|}, with one factor ≥ 0 per coordinate. */
    static ConvexTerm l1(double... factors) {
        return new ConvexTerms.Absolute(factors, false);
    }

    /** Returns the term {@code Σ fᵢ·xᵢ} if all xᵢ ≥ 0, infinite otherwise; with one factor ≥ 0 per coordinate. */
    static ConvexTerm nonNegativeL1(double... factors) {
        return new ConvexTerms.Absolute(factors, true);
    }

    /** Returns the indicator of the points with all coordinates ≥ 0. */
    static ConvexTerm nonNegative() {
        return ConvexTerms.NON_NEGATIVE;
    }

    /**
     * Returns the group penalty {@code Σ over groups fᵢ·|x of group i|₂}.
     *
     * @param groups the coordinates of each group, which must be disjoint; coordinates in no group have no penalty
     * @param factors one factor ≥ 0 per group
     */
    static ConvexTerm groups(List<int[]> groups, double... factors) {
        return new ConvexTerms.Groups(groups, factors);
    }

    /** Returns the sum of terms on disjoint ranges of coordinates; coordinates in no range have no penalty. */
    static ConvexTerm ofRanges(List<Range> ranges) {
        return new ConvexTerms.Ranges(ranges);
    }

    /**
     * A term on a range of coordinates.
     *
     * @param from the first coordinate
     * @param to the end of the range, exclusive
     * @param term the term; its coordinate 0 is coordinate {@code from} of the point
     */
    record Range(int from, int to, ConvexTerm term) {}
}
