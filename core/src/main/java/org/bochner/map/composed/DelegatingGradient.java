package org.bochner.map.composed;

import java.util.List;
import org.bochner.map.MapGradient;

/** The gradient of a map that is computed by another map. Subclasses change rows, features or cotangents. */
abstract class DelegatingGradient implements MapGradient {
    final MapGradient inner;

    DelegatingGradient(MapGradient inner) {
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
