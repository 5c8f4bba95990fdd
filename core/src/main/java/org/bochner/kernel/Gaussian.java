package org.bochner.kernel;

import org.bochner.random.Laws;

/**
 * The Gaussian kernel {@code exp(−|x−y|² / (2σ²))}; with one σ a column, {@code exp(−½ Σₗ (xₗ−yₗ)²/σₗ²)}.
 *
 * <p>Its frequencies are Gaussian with standard deviation 1/σ. For {@code exp(−γ|x−y|²)} take {@code σ = 1/√(2γ)}.
 */
public record Gaussian(Bandwidth sigma) implements ShiftInvariantKernel {
    /** The law of standard Gaussian frequencies, on which rotation-invariant spectra build. */
    static final Spectrum SPECTRUM = new Spectrum() {
        @Override
        public double quantile(double u) {
            return Laws.gaussianQuantile(u);
        }

        @Override
        public boolean rotationInvariant() {
            return true;
        }

        @Override
        public boolean heavyTailed() {
            return false;
        }
    };

    public Gaussian(double sigma) {
        this(Bandwidth.of(sigma));
    }

    @Override
    public double atOffset(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            double scaled = delta[l] / sigma.at(l);
            sum += scaled * scaled;
        }
        return Math.exp(-0.5 * sum);
    }

    @Override
    public Spectrum spectrum() {
        return SPECTRUM;
    }

    @Override
    public Gaussian withSigma(Bandwidth sigma) {
        return new Gaussian(sigma);
    }

    @Override
    public String toString() {
        return "gaussian(sigma=" + sigma + ")";
    }
}
