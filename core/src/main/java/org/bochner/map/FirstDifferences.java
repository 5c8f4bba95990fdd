package org.bochner.map;

/**
 * The penalty of piecewise linear functions that are given by their values at nodes: Σₖ (wₖ − wₖ₋₁)²/u² with w₀ = 0, for
 * every group of weights by itself, and w² for the one weight after them. The whitened features are u times the sums of a
 * group's features from the last to each.
 *
 * @param groups how many groups there are
 * @param nodes how many weights of a group are values at nodes; one more follows them
 * @param unit u
 */
record FirstDifferences(int groups, int nodes, double unit) implements Penalty {
    @Override
    public boolean plain() {
        return false;
    }

    @Override
    public void whiten(double[] features, int at) {
        for (int g = 0; g < groups; g++) {
            int start = at + g * (nodes + 1);
            double sum = 0;
            for (int k = start + nodes - 1; k >= start; k--) {
                sum += features[k];
                features[k] = unit * sum;
            }
        }
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        for (int g = 0; g < groups; g++) {
            int next = at + g * (nodes + 1) * stride;
            double sum = 0;
            for (int k = 0; k < nodes; k++) {
                sum += weights[next];
                weights[next] = unit * sum;
                next += stride;
            }
        }
    }

    @Override
    public String toString() {
        return "first differences";
    }
}
