package org.bochner.testkit;

import org.bochner.map.FeatureMap;

/**
 * A map to be held to the contract.
 *
 * @param bias what its bound allows beyond that of theory
 */
record FeatureMapCase(FeatureMap map, double bias) implements FeatureMapContract {
    @Override
    public double kernelTolerance(double[] x, double[] y, int pairs) {
        return MapBounds.of(map, x, y, pairs) + bias;
    }
}
