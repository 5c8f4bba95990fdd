package org.bochner.map.composed;

import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;

/** A map that is computed by another map. Subclasses override what they change. */
public abstract class DelegatingMap<M extends FeatureMap> implements FeatureMap {
    private final M map;

    protected DelegatingMap(M map) {
        this.map = map;
    }

    /** Returns the other map. */
    public final M map() {
        return map;
    }

    @Override
    public int inputDimension() {
        return map.inputDimension();
    }

    @Override
    public int outputDimension() {
        return map.outputDimension();
    }

    @Override
    public Kernel kernel() {
        return map.kernel();
    }

    @Override
    public int dataRows() {
        return map.dataRows();
    }

    @Override
    public boolean keepsSparsity() {
        return map.keepsSparsity();
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        return map.apply(rows);
    }

    @Override
    public boolean hasPlainPenalty() {
        return map.hasPlainPenalty();
    }

    @Override
    public boolean amplifiesRounding() {
        return map.amplifiesRounding();
    }

    @Override
    public void whiten(double[] features, int at) {
        map.whiten(features, at);
    }

    @Override
    public void whiten(double[] features, int at, int rows) {
        map.whiten(features, at, rows);
    }

    @Override
    public void unwhiten(double[] weights, int at, int stride) {
        map.unwhiten(weights, at, stride);
    }

    @Override
    public void whitenWeights(double[] weights, int at, int stride) {
        map.whitenWeights(weights, at, stride);
    }

    @Override
    public int[] units() {
        return map.units();
    }

    @Override
    public int[] terms() {
        return map.terms();
    }
}
