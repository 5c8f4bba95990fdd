package org.bochner.testkit;

import org.bochner.map.FeatureMap;

/** A map that keeps sparsity, to be held to the contract. */
record SparseFeatureMapCase(FeatureMap map) implements SparseFeatureMapContract {
    @Override
    public double kernelTolerance(double[] x, double[] y, int pairs) {
        return MapBounds.of(map, x, y, pairs);
    }

    @Override
    public int featuresPerNonZero() {
        return MapBounds.featuresPerNonZero(map);
    }
}
