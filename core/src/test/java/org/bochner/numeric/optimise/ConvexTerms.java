package org.bochner.numeric.optimise;

import java.util.List;

/** Terms with known solutions. */
final class ConvexTerms {
    static final ConvexTerm NOTHING = ConvexTerm.ofRanges(List.of());

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

    /** Returns the term {@code Σ fᵢ·|xᵢ|}. */
    static ConvexTerm l1(double... factors) {
        return new Absolute(factors);
    }

    /** Returns the term {@code Σ over groups fᵢ·|x of group i|₂}. */
    static ConvexTerm groups(List<int[]> groups, double... factors) {
        return new Groups(groups, factors);
    }

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

    @SuppressWarnings("ArrayRecordComponent")
    private record Absolute(double... factors) implements ConvexTerm {
        @Override
        public double value(double[] point) {
            double sum = 0;
            for (int i = 0; i < point.length; i++) {
                sum += factors[i] * Math.abs(point[i]);
            }
            return sum;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            for (int i = 0; i < point.length; i++) {
                double x = point[i];
                double shrunk = positivePart(Math.abs(x) - step * factors[i]);
                out[i] = x < 0 && shrunk != 0 ? -shrunk : shrunk;
            }
        }
    }

    /** Weighted sum of the norms of groups. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Groups(List<int[]> groups, double... factors) implements ConvexTerm {
        @Override
        public double value(double[] point) {
            double sum = 0;
            for (int g = 0; g < groups.size(); g++) {
                sum += factors[g] * norm(point, groups.get(g));
            }
            return sum;
        }

        @Override
        public void proximal(double[] point, double step, double[] out) {
            if (out != point) {
                System.arraycopy(point, 0, out, 0, point.length);
            }
            for (int g = 0; g < groups.size(); g++) {
                double norm = norm(out, groups.get(g));
                double threshold = step * factors[g];
                // This form of the comparison keeps NaN from becoming zero.
                if (norm <= threshold) {
                    for (int i : groups.get(g)) {
                        out[i] = 0;
                    }
                } else {
                    for (int i : groups.get(g)) {
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
}
