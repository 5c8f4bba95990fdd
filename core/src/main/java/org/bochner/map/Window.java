package org.bochner.map;

import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.HomogeneousKernel;

/** What becomes of a signature outside one period when its spectrum is sampled. */
public enum Window {
    /** It is added up, shifted by whole periods: the samples are those of the density itself. */
    UNIFORM {
        @Override
        double coefficient(HomogeneousKernel kernel, double period, int harmonic) {
            return kernel.density(2 * Math.PI / period * harmonic);
        }
    },
    /** It is cut off: the samples are Fourier coefficients of the signature on one period, negative ones set to 0. */
    RECTANGULAR {
        @Override
        double coefficient(HomogeneousKernel kernel, double period, int harmonic) {
            double frequency = 2 * Math.PI / period * harmonic;
            return Math.max(
                    0, integral(l -> kernel.signature(l) * Math.cos(frequency * l), period / 2, harmonic) / Math.PI);
        }
    };

    /** Intervals of Simpson's rule; its error is then below 1e-11 for smooth signatures of a dozen harmonics. */
    private static final int INTERVALS = 1000;

    /** Of the spectrum with this period, at a whole multiple of the frequency 2π/period. */
    abstract double coefficient(HomogeneousKernel kernel, double period, int harmonic);

    /** ∫₀^end by Simpson's rule, with more intervals for faster oscillations. */
    private static double integral(DoubleUnaryOperator f, double end, int harmonic) {
        int intervals = INTERVALS * (1 + harmonic / 8);
        double step = end / intervals;
        double sum = f.applyAsDouble(0) + f.applyAsDouble(end);
        for (int i = 1; i < intervals; i++) {
            sum += (i % 2 == 1 ? 4 : 2) * f.applyAsDouble(i * step);
        }
        return sum * step / 3;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
