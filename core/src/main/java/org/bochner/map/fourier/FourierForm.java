package org.bochner.map.fourier;

import org.bochner.base.Require;

/** How a Fourier map turns projections θ = ω·x into features. */
public enum FourierForm {
    /**
     * [cos θ₁, …, cos θ_m, sin θ₁, …, sin θ_m] / √m: two features per frequency. Its estimate of k has variance
     * (1 + k(2δ) − 2k(δ)²)/D, which vanishes on the diagonal; below that of {@link #PHASE} for the usual kernels.
     */
    PAIRS(2),

    /** √(2/D) · cos(θ + 2πb) with one uniform phase b per feature: variance (1 + k(2δ)/2 − k(δ)²)/D. */
    PHASE(1);

    private final int featuresPerFrequency;

    FourierForm(int featuresPerFrequency) {
        this.featuresPerFrequency = featuresPerFrequency;
    }

    /** Returns the number of features per frequency. */
    public int featuresPerFrequency() {
        return featuresPerFrequency;
    }

    /**
     * Returns the number of frequencies for a number of features; fails, and names the nearest numbers, where there is
     * none.
     */
    public int frequencies(String owner, int features) {
        Require.atLeast(owner, "features", features, 1);
        if (features % featuresPerFrequency != 0) {
            String nearest = features == 1
                    ? "2"
                    : (features - 1) + (features < Integer.MAX_VALUE ? " or " + (features + 1) : "");
            throw new IllegalArgumentException(
                    owner + ": features come in pairs of a cosine and a sine, so their number must be even, got "
                            + features + "; take " + nearest + ", or " + owner + "(phase)");
        }
        return features / featuresPerFrequency;
    }

    /**
     * Returns the variance of ⟨φ(x), φ(y)⟩ over the draw of features with independent frequencies.
     *
     * @param k the value of the kernel at the offset of the rows
     * @param k2 the value at twice the offset
     */
    public double variance(double k, double k2, int features) {
        // Near the diagonal, rounding may make it negative.
        return Math.max(0, this == PAIRS ? 1 + k2 - 2 * k * k : 1 + k2 / 2 - k * k) / features;
    }
}
