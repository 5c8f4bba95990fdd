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

    @Override
    public double diagonalTolerance(double[] x, int rows) {
        return MapBounds.inPairs(map) ? 1e-12 * map.kernel().value(x, x) : kernelTolerance(x, x, rows);
    }
}
