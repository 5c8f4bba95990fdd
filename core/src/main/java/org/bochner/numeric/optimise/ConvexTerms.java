package org.bochner.numeric.optimise;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.bochner.base.Require;

/** The implementations behind the factories of {@link ConvexTerm}. */
public final class ConvexTerms {
    private static final String OWNER = "ConvexTerm";

    static final ConvexTerm NOTHING = new Ranges(List.of());

    static final ConvexTerm NON_NEGATIVE = new ConvexTerm() {
        @Override
        public double value(double[] point) {
            return allNotNegative(point) ? 0 : Double.POSITIVE_INFINITY;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            for (int i = 0; i < point.length; i++) {
                out[i] = positivePart(point[i]);
            }
        }
    };

    private ConvexTerms() {}

    private static boolean allNotNegative(double[] point) {
        for (double x : point) {
            if (!(x >= 0)) {
                return false;
            }
        }
        return true;
    }

    /** Returns max(x, 0); NaN stays NaN, and −0.0 becomes 0.0. */
    private static double positivePart(double x) {
        return Math.max(x, 0.0);
    }

    private static double[] checked(double[] factors) {
        double[] copy = factors.clone();
        for (double factor : copy) {
            Require.notNegative(OWNER, "factor", factor);
        }
        return copy;
    }

    /** Weighted sum of absolute values, optionally restricted to points ≥ 0. */
    static final class Absolute implements ConvexTerm {
        private final double[] factors;
        private final boolean nonNegative;

        Absolute(double[] factors, boolean nonNegative) {
            this.factors = checked(factors);
            this.nonNegative = nonNegative;
        }

        @Override
        public double value(double[] point) {
            Require.sameSize(OWNER, "size of the point", point.length, factors.length);
            if (nonNegative && !allNotNegative(point)) {
                return Double.POSITIVE_INFINITY;
            }
            double sum = 0;
            for (int i = 0; i < point.length; i++) {
                sum += factors[i] * Math.abs(point[i]);
            }
            return sum;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            Require.sameSize(OWNER, "size of the point", point.length, factors.length);
            for (int i = 0; i < point.length; i++) {
                double x = point[i];
                double shrunk = positivePart((nonNegative ? x : Math.abs(x)) - step * factors[i]);
                out[i] = x < 0 && shrunk != 0 ? -shrunk : shrunk;
            }
        }
    }

    /** Weighted sum of the norms of groups. */
    static final class Groups implements ConvexTerm {
        private final int[][] groups;
        private final double[] factors;

        Groups(List<int[]> groups, double[] factors) {
            Require.sameSize(OWNER, "number of factors", factors.length, groups.size());
            this.groups = groups.stream().map(int[]::clone).toArray(int[][]::new);
            this.factors = checked(factors);
            BitSet taken = new BitSet();
            for (int[] group : this.groups) {
                for (int i : group) {
                    Require.that(i >= 0, OWNER, "a group has the coordinate " + i);
                    Require.that(!taken.get(i), OWNER, "coordinate " + i + " comes twice in the groups");
                    taken.set(i);
                }
            }
        }

        @Override
        public double value(double[] point) {
            double sum = 0;
            for (int g = 0; g < groups.length; g++) {
                sum += factors[g] * norm(point, groups[g]);
            }
            return sum;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            if (out != point) {
                System.arraycopy(point, 0, out, 0, point.length);
            }
            for (int g = 0; g < groups.length; g++) {
                double norm = norm(out, groups[g]);
                double threshold = step * factors[g];
                // This form of the comparison keeps NaN from becoming zero.
                if (norm <= threshold) {
                    for (int i : groups[g]) {
                        out[i] = 0;
                    }
                } else {
                    for (int i : groups[g]) {
                        out[i] *= 1 - threshold / norm;
                    }
                }
            }
        }

        private static double norm(double[] point, int[] group) {
            double squares = 0;
            for (int i : group) {
                squares += point[i] * point[i];
            }
            return Math.sqrt(squares);
        }
    }

    /** Sum of terms on ranges. */
    static final class Ranges implements ConvexTerm {
        private final List<Range> ranges;

        Ranges(List<Range> ranges) {
            this.ranges =
                    ranges.stream().sorted(Comparator.comparingInt(Range::from)).toList();
            int last = 0;
            for (Range range : this.ranges) {
                Require.that(
                        range.from() >= last && range.to() > range.from(),
                        OWNER,
                        "ranges must be disjoint and not empty, got " + range.from() + ":" + range.to() + " after "
                                + last);
                last = range.to();
            }
        }

        @Override
        public double value(double[] point) {
            double sum = 0;
            for (Range range : ranges) {
                sum += range.term().value(Arrays.copyOfRange(point, range.from(), range.to()));
            }
            return sum;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            if (out != point) {
                System.arraycopy(point, 0, out, 0, point.length);
            }
            for (Range range : ranges) {
                double[] part = Arrays.copyOfRange(point, range.from(), range.to());
                range.term().proximal(part, step, part);
                System.arraycopy(part, 0, out, range.from(), part.length);
            }
        }
    }
}
