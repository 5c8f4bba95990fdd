package org.bochner.map.study;

import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.RowSample.ValueRange;
import org.bochner.map.additive.AdditiveMap;

/** How far an additive map is from its kernel in one column, measured on pairs of values. */
public final class ColumnError {
    /** What is assumed of histograms of which nothing is known. */
    public static final ValueRange TYPICAL = new ValueRange(1e-4, 1);

    /** Values, evenly on a logarithmic scale, all pairs of which are looked at. */
    private static final int VALUES = 60;

    private ColumnError() {}

    /** The largest error over pairs of values of the range, as a share of κ(b, b) for the largest value b. */
    public static double largest(AdditiveMap map, ValueRange range) {
        AdditiveKernel kernel = map.kernel();
        double[] values = values(range);
        int width = map.featuresPerColumn();
        double[] features = new double[values.length * width];
        for (int i = 0; i < values.length; i++) {
            map.map(values[i], features, i * width);
        }
        double largest = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j <= i; j++) {
                double product = 0;
                for (int f = 0; f < width; f++) {
                    product += features[i * width + f] * features[j * width + f];
                }
                largest = Math.max(largest, Math.abs(product - kernel.scalar(values[i], values[j])));
            }
        }
        return largest / kernel.scalar(range.largest(), range.largest());
    }

    /** Values of the range, evenly on a logarithmic scale, with both its ends. */
    public static double[] values(ValueRange range) {
        double[] values = new double[VALUES];
        double ratio = Math.log(range.largest() / range.smallest());
        for (int i = 0; i < VALUES; i++) {
            values[i] = range.smallest() * Math.exp(ratio * i / (VALUES - 1));
        }
        values[VALUES - 1] = range.largest();
        return values;
    }
}
