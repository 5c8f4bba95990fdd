package org.bochner.map.study;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.numeric.optimise.Vectors;

/**
 * The relative error of additive maps of a kernel: the RMS error divided by the RMS of the kernel on pairs of sampled
 * rows; without rows, the largest error in one column divided by κ(b, b) for the largest value b. Rows are preferred,
 * because one large value would hide the errors of many small ones.
 */
public final class AdditiveErrors {
    /** The range of values that is assumed where there are no data. */
    public static final Interval TYPICAL = new Interval(1e-4, 1);

    /** The number of values, even on a logarithmic scale, whose pairs are measured. */
    private static final int VALUES = 60;

    private final Optional<PairErrors> pairs;
    private final Interval range;

    public AdditiveErrors(AdditiveKernel kernel, RowSample rows) {
        pairs = rows.rows() < 2
                ? Optional.empty()
                : Optional.of(new PairErrors(kernel, rows)).filter(PairErrors::comparable);
        range = rows.range().hasPositive() ? rows.range() : TYPICAL;
    }

    /** Returns the relative error of a map. */
    public double of(AdditiveMap map) {
        return pairs.isPresent() ? pairs.get().relative(map) : largest(map, range);
    }

    /** Returns the most features per column whose errors can be measured in little memory. */
    public int mostPerColumn() {
        return pairs.map(PairErrors::mostPerColumn).orElse(Integer.MAX_VALUE);
    }

    /** Returns the range of the values. */
    public Interval range() {
        return range;
    }

    /** Returns a relative error in words. */
    public String describe(double share) {
        return pairs.isPresent()
                ? String.format(Locale.ROOT, "%.2g of the kernel (RMS, pairs of sampled rows)", share)
                : String.format(
                        Locale.ROOT,
                        "%.2g of the largest value (all pairs from %.2g to %.4g)",
                        share,
                        range.low(),
                        range.high());
    }

    /** Returns the largest error over pairs of values of the range, as a share of κ(b, b) for the largest value b. */
    public static double largest(AdditiveMap map, Interval range) {
        AdditiveKernel kernel = map.kernel();
        double[] values = values(range);
        double[][] features = new double[values.length][map.featuresPerColumn()];
        double largest = 0;
        for (int i = 0; i < values.length; i++) {
            map.map(values[i], features[i], 0);
            for (int j = 0; j <= i; j++) {
                double product = Vectors.dot(features[i], features[j]);
                largest = Math.max(largest, Math.abs(product - kernel.scalar(values[i], values[j])));
            }
        }
        return largest / kernel.scalar(range.high(), range.high());
    }

    /**
     * Returns the largest error over pairs of values of a range, each as a share of κ(b, b) for the larger value b of the
     * pair: small values count as much as large ones.
     */
    public static double largestShare(AdditiveMap map, Interval range) {
        AdditiveKernel kernel = map.kernel();
        double[] values = values(range);
        double[][] features = new double[values.length][map.featuresPerColumn()];
        double largest = 0;
        for (int i = 0; i < values.length; i++) {
            map.map(values[i], features[i], 0);
            double unit = kernel.scalar(values[i], values[i]);
            for (int j = 0; j <= i; j++) {
                double product = Vectors.dot(features[i], features[j]);
                largest = Math.max(largest, Math.abs(product - kernel.scalar(values[i], values[j])) / unit);
            }
        }
        return largest;
    }

    /** Returns values of the range, evenly on a logarithmic scale, with both its ends. */
    public static double[] values(Interval range) {
        double[] values = new double[VALUES];
        double ratio = Math.log(range.high() / range.low());
        Arrays.setAll(values, i -> range.low() * Math.exp(ratio * i / (VALUES - 1)));
        values[VALUES - 1] = range.high();
        return values;
    }
}
