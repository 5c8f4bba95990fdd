package org.bochner.learn.ridge;

/** Says why a penalty was chosen. */
public final class PenaltyReason {
    private PenaltyReason() {}

    /**
     * Returns the reason for the best of several penalties.
     *
     * @param tried the number of penalties
     * @param method the name of the method that compared them
     */
    public static String best(int tried, String method) {
        return "best of " + tried + " by " + method;
    }

    /** Returns the name of a cross-validation in which each fold is held out once. */
    public static String crossValidation(int folds) {
        return folds + "-fold cross-validation";
    }
}
