package org.bochner.numeric.optimise;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.bochner.base.Require;

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

    /** Returns the term {@code Σ fᵢ·xᵢ} if all xᵢ ≥ 0, infinite otherwise; with one factor ≥ 0 per coordinate. */
    static ConvexTerm nonNegativeL1(double... factors) {
        double[] own = factors.clone();
        for (double factor : own) {
            Require.notNegative("ConvexTerm", "factor", factor);
        }
        return new ConvexTerm() {
            @Override
            public double value(double[] point) {
                Require.sameSize("ConvexTerm", "size of the point", point.length, own.length);
                double sum = 0;
                for (int i = 0; i < point.length; i++) {
                    sum += point[i] >= 0 ? own[i] * point[i] : Double.POSITIVE_INFINITY;
                }
                return sum;
            }

            @Override
            public void proximal(double[] point, double step, double[] out) {
                Require.sameSize("ConvexTerm", "size of the point", point.length, own.length);
                for (int i = 0; i < point.length; i++) {
                    // NaN stays NaN, and −0.0 becomes 0.0.
                    out[i] = Math.max(point[i] - step * own[i], 0.0);
                }
            }
        };
    }

    /** Returns the sum of terms on disjoint ranges of coordinates; coordinates in no range have no penalty. */
    static ConvexTerm ofRanges(List<Range> ranges) {
        int last = 0;
        List<Range> ordered =
                ranges.stream().sorted(Comparator.comparingInt(Range::from)).toList();
        for (Range range : ordered) {
            Require.that(
                    range.from() >= last && range.to() > range.from(),
                    "ConvexTerm: ranges must be disjoint and not empty, got " + range.from() + ":" + range.to()
                            + " after " + last);
            last = range.to();
        }
        return new ConvexTerm() {
            @Override
            public double value(double[] point) {
                double sum = 0;
                for (Range range : ordered) {
                    sum += range.term().value(Arrays.copyOfRange(point, range.from(), range.to()));
                }
                return sum;
            }

            @Override
            public void proximal(double[] point, double step, double[] out) {
                double[] result = point.clone();
                for (Range range : ordered) {
                    double[] part = Arrays.copyOfRange(point, range.from(), range.to());
                    range.term().proximal(part, step, part);
                    System.arraycopy(part, 0, result, range.from(), part.length);
                }
                System.arraycopy(result, 0, out, 0, result.length);
            }
        };
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
