package org.bochner.map.study;

import java.util.ArrayList;
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

    private final Map<Decades, ErrorList> errors =
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
        errors.computeIfAbsent(new Decades(Math.min(a, b), Math.max(a, b)), key -> new ErrorList())
                .add(exact, error);
        seen++;
    }

    public List<MapReport.Range> ranges() {
        List<MapReport.Range> ranges = new ArrayList<>();
        errors.forEach((decades, list) -> ranges.add(list.range(
                power(decades.smaller), power(decades.smaller + 1), power(decades.larger), power(decades.larger + 1))));
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
