package org.bochner.map;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.kernel.RowSample;
import org.bochner.map.study.MapErrors;
import org.bochner.map.study.RowPairs;
import org.bochner.random.Seed;

/**
 * The error of a map, |⟨φ(x), φ(y)⟩ − k(x, y)|, measured on pairs of rows: overall, by the range of the exact value,
 * and for additive kernels by the magnitudes of the two values; and what theory says about it. Features are the float32
 * ones that training uses, {@linkplain FeatureMap#whiten whitened} where the map has no plain penalty.
 *
 * <p>A relative error is |⟨φ(x), φ(y)⟩ − k(x, y)|/|k(x, y)|. Pairs with k(x, y) = 0 have none and are left out:
 * additive maps have no error there.
 *
 * <p>Numbers of theory are NaN where theory says nothing. Bounds leave out float32 rounding, about 1e-7 of the value.
 *
 * @param features number of features of the map
 * @param overall all pairs; the range is that of the exact values
 * @param ranges equal parts of that range, without those that have no pair
 * @param inputRanges for maps of additive kernels alone: the errors of single columns, by the decades of the two
 *     values, neither of which is zero; empty for other maps
 * @param expectedRms by theory, the RMS error of a map with as many features whose frequencies are drawn independently,
 *     √(fourierRms² + additiveRms²); NaN where nothing is random
 * @param fourierRms the part of random features in it, which falls like 1/√D; 0 where there are none
 * @param additiveRms the part that does not depend on the draw: of the first stage of a kernel of a distance, if the
 *     second were exact, and of additive terms; 0 where there are none
 * @param boundRms a bound on the RMS error of an additive map; NaN where something is random
 * @param boundMax a bound on the largest error: always for additive maps; with a probability of 95% for independent
 *     frequencies, by Hoeffding's inequality for each of the pairs
 */
public record MapReport(
        int features,
        Range overall,
        List<Range> ranges,
        List<Range> inputRanges,
        double expectedRms,
        double fourierRms,
        double additiveRms,
        double boundRms,
        double boundMax) {
    public MapReport {
        ranges = List.copyOf(ranges);
        inputRanges = List.copyOf(inputRanges);
    }

    /**
     * A summary of errors; NaN where there are none.
     *
     * @param percentile99 the number that 99 of 100 errors do not exceed
     */
    public record Errors(int pairs, double max, double rms, double mean, double percentile99) {}

    /**
     * The errors of some pairs.
     *
     * @param low the least exact value of the kernel; in {@link #inputRanges}, of the smaller of the two values of a
     *     column
     * @param high the end of that range
     * @param otherLow in {@link #inputRanges}, the least size of the larger value; otherwise NaN
     * @param otherHigh the end of that range
     */
    public record Range(double low, double high, double otherLow, double otherHigh, Errors absolute, Errors relative) {}

    /**
     * Measures a map on pairs of different rows: all pairs, or {@code maxPairs} of them, drawn at random. Of maps with
     * more than about 30,000 features, fewer rows are used.
     *
     * <p>Cost: the rows are mapped once. Each pair costs an inner product and the exact value of the kernel.
     *
     * @param rows at least two, with the columns that the map expects
     */
    public static MapReport measure(FeatureMap map, RowSample rows, int maxPairs, Seed seed) {
        Require.sameSize("map error", "columns", rows.columns(), map.inputDimension());
        return MapErrors.report(map, new RowPairs(map.kernel(), rows, maxPairs, seed));
    }
}
