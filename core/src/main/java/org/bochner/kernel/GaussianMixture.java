package org.bochner.kernel;

import org.bochner.random.Laws;

/** A law that is Gaussian up to a scale which all columns of a frequency share; without one it is Gaussian itself. */
class GaussianMixture implements Spectrum {
    private final boolean heavyTailed;

    GaussianMixture(boolean heavyTailed) {
        this.heavyTailed = heavyTailed;
    }

    @Override
    public double quantile(double u) {
        return Laws.gaussianQuantile(u);
    }

    @Override
    public boolean rotationInvariant() {
        return true;
    }

    @Override
    public boolean heavyTailed() {
        return heavyTailed;
    }
}
