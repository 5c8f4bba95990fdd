package org.bochner.testkit;

import java.util.List;
import java.util.Optional;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;

/**
 * A kernel that the library does not know, ∏ₗ t/sinh t with t = π(xₗ−yₗ)/σₗ, as someone else would add it: its frequencies
 * have the logistic law.
 */
record Logistic(Bandwidth sigma) implements ShiftInvariantKernel {
    /** Found by its name in META-INF/services. */
    public static final class Family implements KernelFamily {
        @Override
        public String name() {
            return "logistic";
        }

        @Override
        public List<String> parameters() {
            return List.of("sigma");
        }

        @Override
        public Optional<String> scale() {
            return Optional.of("sigma");
        }

        @Override
        public double measure(Spelling spelling, RowSample rows) {
            return rows.medianDistance(2);
        }

        @Override
        public ShiftInvariantKernel kernel(Spelling spelling) {
            return new Logistic(Bandwidth.parse(name(), "sigma", spelling.textOf("sigma")));
        }
    }

    @Override
    public double atOffset(double[] delta) {
        double product = 1;
        for (int l = 0; l < delta.length; l++) {
            double t = Math.PI * delta[l] / sigma.at(l);
            product *= t == 0 ? 1 : t / Math.sinh(t);
        }
        return product;
    }

    @Override
    public Spectrum spectrum() {
        return Spectrum.ofColumns(u -> StrictMath.log(u / (1 - u)), false);
    }

    @Override
    public Logistic withSigma(Bandwidth sigma) {
        return new Logistic(sigma);
    }

    @Override
    public String toString() {
        return "logistic(sigma=" + sigma + ")";
    }
}
