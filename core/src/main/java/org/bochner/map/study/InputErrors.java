package org.bochner.map.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.map.MapReport;

/** Errors of pairs of values, grouped by the decades of the values. */
public final class InputErrors {
    /** The most pairs of values that are used: enough for the percentiles of about a dozen decades. */
    private static final int MOST = 1 << 16;

    /** The largest powers of ten that do not exceed the smaller and the larger of two values. */
    private record Decades(int smaller, int larger) {}

    /** The errors of the pairs of two decades. */
    private static final class Bin {
        private double[] absolute = new double[16];
        private double[] relative = new double[16];
        private int count;
        private int notZero;

        void add(double exact, double error) {
            if (count == absolute.length) {
                absolute = Arrays.copyOf(absolute, 2 * count);
                relative = Arrays.copyOf(relative, 2 * count);
            }
            absolute[count++] = Math.abs(error);
            if (exact != 0) {
                relative[notZero++] = Math.abs(error / exact);
            }
        }

        MapReport.Range range(Decades decades) {
            return new MapReport.Range(
                    power(decades.smaller),
                    power(decades.smaller + 1),
                    power(decades.larger),
                    power(decades.larger + 1),
                    MapErrors.of(Arrays.copyOf(absolute, count)),
                    MapErrors.of(Arrays.copyOf(relative, notZero)));
        }
    }

    private final Map<Decades, Bin> bins =
            new TreeMap<>(Comparator.comparingInt(Decades::smaller).thenComparingInt(Decades::larger));
    private int seen;

    /** Returns true while more pairs are needed. */
    public boolean wantsMore() {
        return seen < MOST;
    }

    /** Adds a pair of values, neither of them zero, with the exact value of the kernel and the signed error. */
    public void add(double x, double y, double exact, double error) {
        int a = decade(x);
        int b = decade(y);
        bins.computeIfAbsent(new Decades(Math.min(a, b), Math.max(a, b)), key -> new Bin())
                .add(exact, error);
        seen++;
    }

    public List<MapReport.Range> ranges() {
        List<MapReport.Range> ranges = new ArrayList<>();
        bins.forEach((decades, bin) -> ranges.add(bin.range(decades)));
        return ranges;
    }

    /**
     * Returns the decade of a value. A float32 next to a power of ten counts as this power: 0.01 is read as
     * 0.0099999998.
     */
    private static int decade(double x) {
        return (int) Math.floor(Math.log10(Math.abs(x)) + 1e-6);
    }

    /** Returns the power of ten, correctly rounded; Math.pow may be off by one bit. */
    private static double power(int exponent) {
        return Double.parseDouble("1e" + exponent);
    }
}
