package org.bochner.testkit;

import org.bochner.map.FeatureMap;

/**
 * A map to be held to the contract.
 *
 * @param bias what its bound allows beyond Hoeffding's
 */
record FeatureMapCase(FeatureMap map, double bias) implements FeatureMapContract {
    @Override
    public double kernelTolerance(int pairs) {
        return FeatureMapContract.hoeffding(map, pairs) + bias;
    }
}
