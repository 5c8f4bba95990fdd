package org.bochner.map.study;

import java.util.Arrays;
import org.bochner.map.MapReport;

/** The absolute and relative errors of some pairs. Pairs whose exact value is 0 have no relative error. */
final class ErrorList {
    private double[] absolute = new double[16];
    private double[] relative = new double[16];
    private int count;
    private int notZero;

    /** Adds a pair with the exact value and the signed error. */
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

    /** Returns a summary of the errors, with the limits of a range. */
    MapReport.Range range(double low, double high, double otherLow, double otherHigh) {
        return new MapReport.Range(
                low, high, otherLow, otherHigh, summary(absolute, count), summary(relative, notZero));
    }

    private static MapReport.Errors summary(double[] errors, int count) {
        if (count == 0) {
            return new MapReport.Errors(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] sorted = Arrays.copyOf(errors, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(0.99 * count) - 1;
        double mean = Arrays.stream(sorted).sum() / count;
        return new MapReport.Errors(count, sorted[count - 1], MapErrors.rms(sorted), mean, sorted[rank]);
    }
}
