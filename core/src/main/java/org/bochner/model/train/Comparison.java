package org.bochner.model.train;

import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.train.ScaleWalk.Attempt;
import org.bochner.scale.Scaler;

/**
 * How the kernels of a candidate are compared: with which map, on how many rows, and from which scales. One object compares
 * the kernels of one candidate.
 */
sealed interface Comparison permits FeatureComparison, LandmarkComparison, GridComparison {
    /** The number of features or landmarks. */
    int FEATURES = 512;

    int LEAST_ROWS = 3000;
    int MOST_ROWS = 6000;

    /** The sample has one row in this many, within the bounds above. */
    int SAMPLED_SHARE = 8;

    /** Candidates within this factor of the smallest error at the measured scale are also tried at half of it. */
    double NEAR = 1.25;

    /**
     * Returns the comparison of a kernel.
     *
     * @param kernel a kernel of the candidate; its scales do not matter
     */
    static Comparison of(TrainingSettings settings, RowSource source, Kernel kernel) {
        BinningRecipe grids = CellPass.compared(settings, source);
        if (grids != null) {
            return new GridComparison(grids);
        }
        return comparesLandmarks(settings, kernel) ? new LandmarkComparison() : new FeatureComparison();
    }

    /**
     * Returns true if landmarks stand in for the kernel. The errors of random features of a rough kernel would favour
     * scales that are much too short or too long for landmarks and exact machines.
     */
    private static boolean comparesLandmarks(TrainingSettings settings, Kernel kernel) {
        return (settings.map instanceof LandmarkRecipe || !settings.map.makesFeatures()) && RoughMap.isRough(kernel);
    }

    /** Returns true if kernels are compared with the map of the machine, or with landmarks in place of an exact one. */
    default boolean usesOwnMap() {
        return true;
    }

    /** Returns about how many of a number of rows are sampled. */
    default double sampledRows(long rows) {
        return Math.max(LEAST_ROWS, Math.min(MOST_ROWS, rows / SAMPLED_SHARE));
    }

    /** Returns about how many of the sampled rows are enough for the first comparisons, up to steps of √2. */
    default double firstRows() {
        return Double.POSITIVE_INFINITY;
    }

    /** Returns how kernels are compared, as the start of a sentence with the number of rows. */
    default String method(long rows) {
        return "by cross-validation on %,d %s";
    }

    /** Returns true if scales are first made shorter. */
    default boolean shortensFirst() {
        return false;
    }

    /**
     * Tries a candidate at its measured scales and around them, and returns the best attempt.
     *
     * @param least the smallest error of all candidates at their measured scales
     */
    Attempt start(ScaleWalk walk, ScaleCandidate candidate, double least);

    /**
     * Returns the squared error of ridge regression on held-out rows, as a share of the variance.
     *
     * @param rows scaled rows of the sample
     * @param free true if the kernel has scales that are chosen
     */
    double error(ScaleSample sample, Scaler scaler, RowSample rows, Kernel kernel, boolean free);

    /** Returns true if a candidate is good enough at its measured scales to be tried at others. */
    static boolean isNear(Attempt measured, double least) {
        return measured.error() <= NEAR * least && measured.scales() > 0;
    }

    /** Returns the better of an attempt at the measured scales and one at half of them. */
    static Attempt orHalf(ScaleWalk walk, Attempt measured) {
        return ScaleWalk.better(measured, walk.at(measured.candidate(), -2));
    }
}
