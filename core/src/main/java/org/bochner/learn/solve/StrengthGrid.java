package org.bochner.learn.solve;

import org.bochner.learn.Learner;

/** The grid of penalty strengths: a reference times powers of the fourth root of ten. */
final class StrengthGrid {
    private StrengthGrid() {}

    /** Returns 10^(k/4). */
    static double factor(int k) {
        return StrictMath.pow(10, k / 4.0);
    }

    /** Returns {@code count} strengths, descending: from the reference if the learner is sparse, else around it. */
    static double[] of(Learner learner, double reference, int count) {
        double[] strengths = new double[count];
        for (int i = 0; i < count; i++) {
            int k = learner.sparse() ? -i : 2 * (count / 2 - i);
            strengths[i] = reference * factor(k);
        }
        return strengths;
    }
}
