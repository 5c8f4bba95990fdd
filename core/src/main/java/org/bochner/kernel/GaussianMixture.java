package org.bochner.kernel;

import java.util.Arrays;
import org.bochner.random.RandomStream;
import org.bochner.random.law.Laws;

/** A law that is Gaussian up to a scale which all columns of a frequency share; without one it is Gaussian itself. */
class GaussianMixture implements Spectrum {
    private final boolean heavyTailed;

    GaussianMixture(boolean heavyTailed) {
        this.heavyTailed = heavyTailed;
    }

    @Override
    public double quantile(int column, double u) {
        return Laws.gaussianQuantile(u);
    }

    /** Draws the factor that all columns of one frequency share. */
    double scale(RandomStream stream) {
        return 1;
    }

    @Override
    public void scales(RandomStream stream, double[] scales) {
        Arrays.fill(scales, scale(stream));
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
