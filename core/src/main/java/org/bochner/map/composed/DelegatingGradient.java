package org.bochner.map.composed;

import java.util.List;
import org.bochner.map.MapGradient;

/** The gradient of a map that is computed by another map. Subclasses change rows, features or cotangents. */
abstract class DelegatingGradient<G extends MapGradient> implements MapGradient {
    final G inner;

    DelegatingGradient(G inner) {
        this.inner = inner;
    }

    @Override
    public int features() {
        return inner.features();
    }

    @Override
    public List<double[]> sums() {
        return inner.sums();
    }

    @Override
    public double[] values() {
        return inner.values();
    }
}
