package org.bochner.kernel.composed;

import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Matern;

/** Exponentials of a power of D², which have names and inverse scales of their own. */
enum PowerProfile implements RadialProfile {
    EXP("exp", "gamma") {
        @Override
        double distance(double squared) {
            return squared;
        }

        @Override
        double distanceSlope(double squared) {
            return 1;
        }

        @Override
        public ShiftInvariantKernel outer(double scale) {
            return new Gaussian(Math.sqrt(0.5 / scale));
        }

        @Override
        public double scale(double sigma) {
            return 0.5 / (sigma * sigma);
        }
    },
    LAPLACE("laplace", "beta") {
        @Override
        double distance(double squared) {
            return Math.sqrt(squared);
        }

        @Override
        double distanceSlope(double squared) {
            return squared == 0 ? 0 : 0.5 / Math.sqrt(squared);
        }

        @Override
        public ShiftInvariantKernel outer(double scale) {
            return new Matern(0.5, Bandwidth.of(1 / scale));
        }

        @Override
        public double scale(double sigma) {
            return 1 / sigma;
        }
    };

    private final String prefix;
    private final String parameter;

    PowerProfile(String prefix, String parameter) {
        this.prefix = prefix;
        this.parameter = parameter;
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public String parameter() {
        return parameter;
    }

    /** Returns the distance that the scale multiplies, from D². */
    abstract double distance(double squared);

    /** Returns the derivative of {@link #distance} with respect to D²; 0 at a kink at 0. */
    abstract double distanceSlope(double squared);

    @Override
    public double value(double squared, double scale) {
        return Math.exp(-scale * distance(squared));
    }

    @Override
    public double slope(double squared, double scale) {
        return -scale * distanceSlope(squared) * value(squared, scale);
    }

    @Override
    public String parameters(double scale) {
        return parameter + "=" + Spelling.print(scale);
    }
}
