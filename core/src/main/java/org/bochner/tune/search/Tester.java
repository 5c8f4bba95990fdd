package org.bochner.tune.search;

/** Trains candidates on all folds of a sample but one, and tests them on that fold. */
@FunctionalInterface
public interface Tester {
    /**
     * Tests a candidate.
     *
     * @param fold the index of the fold, from 0
     * @throws Halted if the test was stopped before its end
     */
    FoldTest test(Candidate candidate, Rung rung, int fold);

    /** Thrown if a test is stopped before its end, because the user or the budget asks for it. */
    final class Halted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Halted() {
            super("the test was stopped", null, false, false);
        }
    }
}
