package org.bochner.kernel.composed;

import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.kernel.Warp;

/** √x for x ≥ 0, spelled {@code sqrt}: the Euclidean distance of warped histograms is the Hellinger distance. */
public record SqrtWarp() implements Warp {
    @Override
    public double apply(double x, int column) {
        if (!(x >= 0)) {
            throw new BochnerException("sqrt needs values of at least 0, got " + Spelling.print(x)
                    + "; shift the data or leave '@sqrt' out");
        }
        return Math.sqrt(x);
    }

    /** Returns the derivative, or 0 at 0, where it is infinite. */
    @Override
    public double slope(double x, int column) {
        return x == 0 ? 0 : 0.5 / Math.sqrt(x);
    }

    @Override
    public String toString() {
        return "sqrt";
    }
}
