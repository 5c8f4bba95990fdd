package org.bochner.kernel;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;

/**
 * log(x + c) for x > −c, written {@code log(c=0.1)}. A shift-invariant kernel of it compares ratios: the skewed kernels
 * of histograms are of this kind.
 */
public record LogWarp(double c) implements Warp {
    public LogWarp {
        Require.notNegative("log", "c", c);
    }

    @Override
    public double apply(double x) {
        double shifted = x + c;
        if (!(shifted > 0)) {
            throw new BochnerException(this + " needs values greater than " + Spelling.print(0 - c) + ", got "
                    + Spelling.print(x) + "; shift the data or choose c > " + Spelling.print(0 - x));
        }
        // Not Math.log, whose last bit may differ between machines.
        return StrictMath.log(shifted);
    }

    @Override
    public String toString() {
        return "log(c=" + Spelling.print(c) + ")";
    }
}
