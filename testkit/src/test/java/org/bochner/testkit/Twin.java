package org.bochner.testkit;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Spelling;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;

/**
 * A function of the distance that the library does not know, the mean of two Gaussian kernels of which one is three times as
 * narrow, as someone else would add it: {@code twin} of rows, and {@code twin-chi2} and so on of histograms.
 */
record Twin(Bandwidth sigma) implements ShiftInvariantKernel {
    private static double ofSquare(double square) {
        return (Math.exp(-0.5 * square) + Math.exp(-4.5 * square)) / 2;
    }

    @Override
    public double atOffset(double[] delta) {
        return ofSquare(sigma.scaledSquare(delta));
    }

    @Override
    public Optional<DoubleUnaryOperator> ofScaledSquare() {
        return Optional.of(Twin::ofSquare);
    }

    @Override
    public Spectrum spectrum() {
        return Spectrum.gaussianMixture(stream -> stream.nextUniform() < 0.5 ? 1 : 3, false);
    }

    @Override
    public Twin withSigma(Bandwidth sigma) {
        return new Twin(sigma);
    }

    @Override
    public String toString() {
        return "twin(sigma=" + sigma + ")";
    }

    /** Found by its name in META-INF/services. */
    public static final class Family implements KernelFamily {
        @Override
        public String name() {
            return "twin";
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
        public Twin kernel(Spelling spelling) {
            return new Twin(Bandwidth.parse(name(), "sigma", spelling.textOf("sigma")));
        }
    }
}
