package org.bochner.testkit;

import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Distance;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.random.Laws;

/** A kernel that the library does not know, ∏ₗ sech((xₗ−yₗ)/σₗ), as someone else would add it. */
record Sech(Bandwidth sigma) implements ShiftInvariantKernel {
    /** Found by its name in META-INF/services. */
    public static final class Family implements KernelFamily {
        @Override
        public String name() {
            return "sech";
        }

        @Override
        public List<String> parameters() {
            return List.of();
        }

        @Override
        public Distance distance() {
            return Distance.L2;
        }

        @Override
        public ShiftInvariantKernel kernel(Spelling spelling, Bandwidth sigma) {
            return new Sech(sigma);
        }
    }

    @Override
    public double atOffset(double[] delta) {
        double product = 1;
        for (int l = 0; l < delta.length; l++) {
            product /= Math.cosh(delta[l] / sigma.at(l));
        }
        return product;
    }

    @Override
    public Spectrum spectrum() {
        return new Spectrum() {
            @Override
            public double quantile(double u) {
                return Laws.sechQuantile(u);
            }

            @Override
            public boolean rotationInvariant() {
                return false;
            }

            @Override
            public boolean heavyTailed() {
                return false;
            }
        };
    }

    @Override
    public ShiftInvariantKernel withSigma(Bandwidth sigma) {
        return new Sech(sigma);
    }

    @Override
    public String toString() {
        return "sech(sigma=" + sigma + ")";
    }
}
