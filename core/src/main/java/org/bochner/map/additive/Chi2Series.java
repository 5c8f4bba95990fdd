package org.bochner.map.additive;

import java.util.Locale;
import org.bochner.numeric.function.ChebyshevSeries;
import org.bochner.numeric.function.DirectSeries;
import org.bochner.numeric.function.ValueFeatures;

/** The two series 2xy/(x + y) = Σₖ cₖ(x)·cₖ(y) of the χ² kernel. */
public enum Chi2Series {
    /**
     * After m terms the error is of the order √(xy)/m.
     *
     * <p>Reference: Li and others, Chebyshev approximations to the histogram χ² kernel, 2012, equation 12.
     */
    CHEBYSHEV {
        @Override
        ValueFeatures features(int terms, double scale, double degree) {
            return new ChebyshevSeries(terms, scale, degree);
        }
    },
    /**
     * The geometric series. After m terms the error is the kernel's value times (qₓ·q_y)^m with q = (x − 1)/(x + 1):
     * small for values near 1.
     */
    DIRECT {
        @Override
        ValueFeatures features(int terms, double scale, double degree) {
            return new DirectSeries(terms, scale, degree);
        }
    };

    /** Returns the first terms of s·x over √s. */
    abstract ValueFeatures features(int terms, double scale, double degree);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
