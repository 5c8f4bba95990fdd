package org.bochner.map.study;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.bochner.map.MapReport;

/** The absolute and relative errors of some pairs. Pairs whose exact value is 0 have no relative error. */
final class ErrorList {
    private final DoubleStream.Builder absolute = DoubleStream.builder();
    private final DoubleStream.Builder relative = DoubleStream.builder();

    void add(double exact, double error) {
        absolute.add(Math.abs(error));
        if (exact != 0) {
            relative.add(Math.abs(error / exact));
        }
    }

    /** Returns the summary of all errors; call it once. */
    MapReport.Range range(double low, double high, double otherLow, double otherHigh) {
        return new MapReport.Range(
                low, high, otherLow, otherHigh, summary(absolute.build()), summary(relative.build()));
    }

    private static MapReport.Errors summary(DoubleStream errors) {
        double[] sorted = errors.sorted().toArray();
        int count = sorted.length;
        if (count == 0) {
            return new MapReport.Errors(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        int rank = (int) Math.ceil(0.99 * count) - 1;
        double mean = Arrays.stream(sorted).sum() / count;
        return new MapReport.Errors(count, sorted[count - 1], MapErrors.rms(sorted), mean, sorted[rank]);
    }
}
