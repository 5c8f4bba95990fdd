package org.bochner.kernel.composed;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Matern;

/** The decay of a {@link RadialKernel} with the squared distance D² of a homogeneous kernel. */
public enum RadialProfile {
    /** exp(−γ·D²): a Gaussian kernel of the additive features. */
    EXP("exp", "gamma") {
        @Override
        double distance(double squared) {
            return squared;
        }

        @Override
        double slope(double squared) {
            return 1;
        }

        @Override
        ShiftInvariantKernel outer(double scale) {
            return new Gaussian(Math.sqrt(0.5 / scale));
        }

        @Override
        double scale(double sigma) {
            return 0.5 / (sigma * sigma);
        }
    },
    /** exp(−β·√D²): a Matérn kernel with nu = ½ of the additive features, whose frequencies are multivariate Cauchy. */
    LAPLACE("laplace", "beta") {
        @Override
        double distance(double squared) {
            return Math.sqrt(squared);
        }

        @Override
        double slope(double squared) {
            return squared == 0 ? 0 : 0.5 / Math.sqrt(squared);
        }

        @Override
        ShiftInvariantKernel outer(double scale) {
            return new Matern(0.5, Bandwidth.of(1 / scale));
        }

        @Override
        double scale(double sigma) {
            return 1 / sigma;
        }
    };

    private final String prefix;
    private final String parameter;

    RadialProfile(String prefix, String parameter) {
        this.prefix = prefix;
        this.parameter = parameter;
    }

    /** Returns the prefix of the homogeneous kernel's name in spellings. */
    public String prefix() {
        return prefix;
    }

    /** Returns the name of the inverse scale in spellings. */
    public String parameter() {
        return parameter;
    }

    /** Returns the distance that the scale multiplies, from D². */
    abstract double distance(double squared);

    /** Returns the derivative of {@link #distance} with respect to D²; 0 at a kink at 0. */
    abstract double slope(double squared);

    /** Returns the kernel of the additive features. */
    abstract ShiftInvariantKernel outer(double scale);

    /** Returns the scale whose {@link #outer} has this length-scale. */
    abstract double scale(double sigma);
}
