package org.bochner.map.additive;

import org.bochner.map.layout.Penalty;

/**
 * The penalty of piecewise linear functions, one a column, that are given by their values at N nodes:
 * Σₖ (wₖ − wₖ₋₁)²/u² with w₀ = 0 and a unit u of every column, and w² for the one weight after each column's N. The whitened
 * features are u times the sums of a column's features from the last to each.
 */
public final class FirstDifferences implements Penalty {
    private final int nodes;
    private final double[] units;

    public FirstDifferences(int nodes, double[] units) {
        this.nodes = nodes;
        this.units = units.clone();
    }

    @Override
    public boolean plain() {
        return false;
    }

    @Override
    public void whiten(double[] features, int at) {
        int start = at;
        for (double unit : units) {
            double sum = 0;
            for (int k = start + nodes - 1; k >= start; k--) {
                sum += features[k];
                features[k] = unit * sum;
            }
            start += nodes + 1;
        }
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        int start = at;
        for (double unit : units) {
            double sum = 0;
            for (int k = 0; k < nodes; k++) {
                sum += weights[start + k * stride];
                weights[start + k * stride] = unit * sum;
            }
            start += (nodes + 1) * stride;
        }
    }

    @Override
    public String toString() {
        return "first differences";
    }
}
