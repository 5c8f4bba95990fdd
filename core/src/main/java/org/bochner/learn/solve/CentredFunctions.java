package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/** Linear functions {@code βᵀ(z − z̄) + b} of centred features, computed from uncentred features. */
final class CentredFunctions {
    private final WeightMatrix weights;
    /** b − z̄ᵀβ. */
    private final double[] offsets;

    private final boolean constant;

    /**
     * Creates the functions of a point.
     *
     * @param point D×outputs weights, row-major, followed by one intercept per output
     * @param mean z̄
     * @param chosen the outputs to read
     * @param sparse true if the features are sparse; the point must then not change while the functions are used
     */
    CentredFunctions(double[] point, double[] mean, int outputs, int[] chosen, boolean sparse) {
        int features = mean.length;
        int count = chosen.length;
        boolean all = count == outputs;
        double[] packed = all ? point : new double[features * count];
        offsets = new double[count];
        boolean zero = true;
        for (int o = 0; o < count; o++) {
            offsets[o] = point[features * outputs + chosen[o]];
        }
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < count; o++) {
                double weight = point[j * outputs + chosen[o]];
                if (!all) {
                    packed[j * count + o] = weight;
                }
                offsets[o] -= mean[j] * weight;
                zero &= weight == 0;
            }
        }
        if (sparse) {
            weights = WeightMatrix.forSparse(features, count, packed);
        } else {
            weights = new WeightMatrix(features, count);
            weights.set(packed);
        }
        constant = zero;
    }

    /** Returns the intercepts for uncentred features. */
    double[] offsets() {
        return offsets;
    }

    /** Writes the scores of a tile, rows×outputs. */
    void apply(FeatureTile tile, double[] out) {
        int count = offsets.length;
        if (constant) {
            Arrays.fill(out, 0, tile.rows() * count, 0);
        } else {
            tile.multiply(weights, out);
        }
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < count; o++) {
                out[i * count + o] += offsets[o];
            }
        }
    }
}
