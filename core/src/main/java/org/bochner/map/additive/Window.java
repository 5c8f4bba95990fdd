package org.bochner.map.additive;

import java.util.Arrays;
import java.util.Locale;
import org.bochner.kernel.HomogeneousKernel;

/** How a signature is made periodic when its spectrum is sampled. */
public enum Window {
    /** Its shifts by whole periods are added up: the samples are those of the density itself. */
    UNIFORM {
        @Override
        double[] coefficients(HomogeneousKernel kernel, double period, int order) {
            double[] coefficients = new double[order + 1];
            Arrays.setAll(coefficients, j -> kernel.density(2 * Math.PI / period * j));
            return coefficients;
        }
    },
    /** It is cut off after one period: the samples are its Fourier coefficients, with negative ones set to 0. */
    RECTANGULAR {
        @Override
        double[] coefficients(HomogeneousKernel kernel, double period, int order) {
            // By Simpson's rule, with more intervals for faster oscillations. All harmonics share the values of the
            // signature, which cost the most; their cosines are those of multiples of π/intervals.
            int intervals = INTERVALS * (1 + order / 8);
            double step = period / 2 / intervals;
            double[] values = new double[intervals + 1];
            double[] cosines = new double[2 * intervals];
            for (int i = 0; i <= intervals; i++) {
                int weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
                values[i] = weight * kernel.signature(i * step);
            }
            Arrays.setAll(cosines, i -> Math.cos(Math.PI / intervals * i));
            double[] coefficients = new double[order + 1];
            for (int j = 0; j <= order; j++) {
                double sum = 0;
                int place = 0;
                for (double value : values) {
                    sum += value * cosines[place];
                    place += j;
                    if (place >= cosines.length) {
                        place -= cosines.length;
                    }
                }
                coefficients[j] = Math.max(0, sum * step / 3 / Math.PI);
            }
            return coefficients;
        }
    };

    /** Intervals of Simpson's rule. Its error is below 1e-11 for smooth signatures of a dozen harmonics. */
    private static final int INTERVALS = 1000;

    /** Returns the coefficients at the multiples 0, 1, …, order of the frequency 2π/period. */
    abstract double[] coefficients(HomogeneousKernel kernel, double period, int order);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
