package org.bochner.map;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.kernel.RowSample;
import org.bochner.map.layout.Penalty;
import org.bochner.map.study.MapErrors;
import org.bochner.map.study.RowPairs;
import org.bochner.random.Seed;

/**
 * How far a map's inner products are from its kernel, |⟨φ(x), φ(y)⟩ − k(x, y)|, measured on pairs of rows: overall, by the
 * range in which the exact value lies, and for additive kernels by the magnitudes of the values that are compared; with
 * what theory says beside it. Features are the float32 ones that training sees, and where a map has a {@link Penalty} of
 * its own, whitened by it.
 *
 * <p>A relative error is |⟨φ(x), φ(y)⟩ − k(x, y)|/|k(x, y)|. Pairs with k(x, y) = 0 have none and are left out of it: for
 * additive maps they have no error at all.
 *
 * @param features how many features the map makes
 * @param overall all pairs together; its range is that of the exact values
 * @param ranges equal parts of that range, less those without a pair
 * @param inputRanges for maps of additive kernels alone: what single columns err by, by the decades of the two values,
 *     of which neither is zero; empty for others, whose value itself tells the distance of the rows
 */
public record MapReport(int features, Range overall, List<Range> ranges, List<InputRange> inputRanges, Theory theory) {
    public MapReport {
        ranges = List.copyOf(ranges);
        inputRanges = List.copyOf(inputRanges);
    }

    /**
     * Some errors in numbers, which are NaN where there are none.
     *
     * @param percentile99 what 99 of 100 errors do not exceed
     */
    public record Errors(int pairs, double max, double rms, double mean, double percentile99) {}

    /** Errors of the pairs whose exact kernel value lies between low and high. */
    public record Range(double low, double high, Errors absolute, Errors relative) {}

    /**
     * Errors of columns: of ⟨φ(xₗ), φ(yₗ)⟩ for κ(xₗ, yₗ), where the size of the smaller value lies between low and high, that
     * of the larger one between otherLow and otherHigh.
     */
    public record InputRange(
            double low, double high, double otherLow, double otherHigh, Errors absolute, Errors relative) {}

    /**
     * What theory says of the same pairs; NaN where it says nothing. Bounds leave float32 rounding out, some 1e-7 of the
     * value.
     *
     * @param expectedRms the RMS error of a map with as many features whose frequencies are drawn independently, √(fourierRms²
     *     + additiveRms²); NaN where nothing is random
     * @param fourierRms the part of random features, which falls like 1/√D; 0 where there are none
     * @param additiveRms the part that does not depend on the draw: of the first stage of a kernel of a distance, were the
     *     second exact, and of additive terms; 0 where there are none
     * @param boundRms what the RMS error of an additive map cannot exceed; NaN where something is random
     * @param boundMax what the largest error does not exceed: never for additive maps; with a probability of 95% for
     *     independent frequencies, by Hoeffding's inequality for each of the pairs
     */
    public record Theory(double expectedRms, double fourierRms, double additiveRms, double boundRms, double boundMax) {}

    /**
     * Measures the error over pairs of different rows: all pairs, or as many as allowed, drawn at random. Of maps with more
     * than some 30,000 features, fewer rows are looked at.
     *
     * <p>Cost: the rows are mapped once, and every pair costs an inner product and, where rows are sparse and the kernel is
     * one of histograms, the non-zeros for the exact value.
     *
     * @param rows at least two, as wide as the map expects
     */
    public static MapReport measure(FeatureMap map, RowSample rows, int maxPairs, Seed seed) {
        Require.sameSize("map error", "columns", rows.columns(), map.inputDimension());
        return MapErrors.report(map, new RowPairs(map.kernel(), rows, maxPairs, seed));
    }
}
