package org.bochner.model.evaluate;

import java.util.Arrays;
import org.bochner.model.Evaluation;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the residuals, actual − predicted, of one predicted number. Up to a given count, residuals are kept, 8
 * bytes each, and quantiles are exact; more residuals are counted in {@link ValueBins}, with quantiles accurate to
 * 0.4%.
 */
public final class ResidualSummary {
    private final int mostKept;
    private long rows;
    private double mean;
    private double scatter;
    private double largest;
    private double relative;
    private double squares;
    private double absolutes;
    private double actualMean;
    private double actualScatter;
    private double[] kept = new double[0];
    private @Nullable ValueBins bins;

    public ResidualSummary(int mostKept) {
        this.mostKept = mostKept;
    }

    public void add(double actual, double predicted) {
        double residual = actual - predicted;
        rows++;
        squares += residual * residual;
        absolutes += Math.abs(residual);
        double move = actual - actualMean;
        actualMean += move / rows;
        actualScatter += move * (actual - actualMean);
        double step = residual - mean;
        mean += step / rows;
        scatter += step * (residual - mean);
        largest = Math.max(largest, Math.abs(residual));
        // Undefined for a label of 0: the sum becomes NaN.
        relative += actual == 0 ? Double.NaN : Math.abs(residual / actual);
        if (bins == null && rows > mostKept) {
            bins = new ValueBins();
            for (int i = 0; i < mostKept; i++) {
                bins.add(kept[i], 1);
            }
            kept = new double[0];
        }
        if (bins != null) {
            bins.add(residual, 1);
            return;
        }
        int index = (int) rows - 1;
        if (index == kept.length) {
            kept = Arrays.copyOf(kept, Math.min(mostKept, Math.max(1024, 2 * index)));
        }
        kept[index] = residual;
    }

    /** Returns the measures of the number. */
    public Evaluation.NumberResult result(String name) {
        double[] sorted = bins == null ? Arrays.copyOf(kept, (int) rows) : new double[0];
        Arrays.sort(sorted);
        return new Evaluation.NumberResult(
                name,
                Math.sqrt(squares / rows),
                absolutes / rows,
                1 - squares / actualScatter,
                mean,
                Math.sqrt(scatter / rows),
                quantile(sorted, 0.05),
                quantile(sorted, 0.25),
                quantile(sorted, 0.5),
                quantile(sorted, 0.75),
                quantile(sorted, 0.95),
                largest,
                relative / rows);
    }

    /** Returns a quantile, interpolated linearly between kept residuals. */
    private double quantile(double[] sorted, double share) {
        if (bins == null) {
            double place = share * (sorted.length - 1);
            int below = (int) place;
            double above = sorted[Math.min(below + 1, sorted.length - 1)];
            return sorted[below] + (place - below) * (above - sorted[below]);
        }
        double left = share * rows;
        for (int bin = 0; bin < ValueBins.BINS; bin++) {
            left -= bins.count(bin);
            if (left < 0) {
                return ValueBins.middle(bin);
            }
        }
        return Double.NaN;
    }
}
