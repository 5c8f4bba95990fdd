package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;

/**
 * Codes of piecewise linear functions on [0, 1] with N bins, zero at 0: a value between nodes i and i + 1 has 1 − f at
 * node i and f at node i + 1. With the penalty N·Σ(Wₖ − Wₖ₋₁)² on a column's values W at the nodes, ridge regression is
 * that on the unary codes [1, …, 1, f, 0, …]/√N with the plain one; {@code whitened} makes these.
 */
public record PiecewiseLinear(int columns, int bins, boolean whitened) implements FeatureMap {
    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return columns * bins;
    }

    @Override
    public Kernel kernel() {
        return new Gaussian(1);
    }

    @Override
    public void apply(double[] x, double[] out) {
        Arrays.fill(out, 0, columns * bins, 0);
        for (int c = 0; c < columns; c++) {
            int bin = Math.min(bins - 1, (int) (bins * x[c]));
            double fraction = bins * x[c] - bin;
            int at = c * bins + bin;
            if (whitened) {
                Arrays.fill(out, c * bins, at, 1 / Math.sqrt(bins));
                out[at] = fraction / Math.sqrt(bins);
            } else {
                // Node 0, where functions are 0, has no feature.
                out[at] = fraction;
                if (bin > 0) {
                    out[at - 1] = 1 - fraction;
                }
            }
        }
    }

    @Override
    public boolean hasPlainPenalty() {
        return whitened;
    }

    @Override
    public State state() {
        return State.of("piecewise").with("columns", columns).with("bins", bins);
    }

    @Override
    public void whiten(double[] features, int at) {
        // R is √N times the differences of each column's values.
        for (int c = 0; c < columns; c++) {
            double sum = 0;
            for (int k = at + (c + 1) * bins - 1; k >= at + c * bins; k--) {
                sum += features[k];
                features[k] = sum / Math.sqrt(bins);
            }
        }
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        for (int c = 0; c < columns; c++) {
            double sum = 0;
            for (int k = c * bins; k < (c + 1) * bins; k++) {
                sum += weights[at + k * stride] / Math.sqrt(bins);
                weights[at + k * stride] = sum;
            }
        }
    }
}
