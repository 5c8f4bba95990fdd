package org.bochner.kernel.dot;

import org.bochner.base.Require;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The arc-cosine kernel of two rows at the angle θ, {@code (1/π)·|x|ⁿ|y|ⁿ·Jₙ(θ)} with J₀ = π − θ and
 * J₁ = sin θ + (π − θ)·cos θ: what an infinitely wide layer of random thresholds (degree 0) or rectified linear units (degree 1)
 * computes. k₀(x, x) = 1 and k₁(x, x) = |x|². A row of zeros has no angle; it is like no other, and k = 0.
 *
 * <p>Accuracy: k₁ within 1e-15·|x||y|. k₀ within 1e-15 but for rows that are all but parallel, where the cosine tells angles
 * below 2e-8 not apart, and k₀ errs by up to 1e-8.
 *
 * <p>Reference: Cho and Saul, Kernel methods for deep learning, 2009, equations 1 to 6.
 *
 * @param degree 0 or 1
 */
public record ArcCosine(int degree) implements DotProductKernel {
    private static final String NAME = "arc-cosine";

    public static final KernelFamily FAMILY =
            DeclaredFamily.withoutScale(NAME, spelling -> new ArcCosine(spelling.integer("order", 1)), "order");

    public ArcCosine {
        Require.that(degree == 0 || degree == 1, NAME, "order must be 0 or 1, got " + degree);
    }

    /** Of degree 1. */
    public ArcCosine() {
        this(1);
    }

    @Override
    public double of(double product, double squareX, double squareY) {
        if (squareX == 0 || squareY == 0) {
            return 0;
        }
        // A product of two roots is not exact; where the lengths are equal, as on the diagonal, the cosine must be.
        double lengths = squareX == squareY ? squareX : Math.sqrt(squareX) * Math.sqrt(squareY);
        double cos = Math.max(-1, Math.min(1, product / lengths));
        double rest = Math.acos(-cos);
        if (degree == 0) {
            return rest / Math.PI;
        }
        // Sine and angle come from the same cosine, so that what it errs by cancels: dJ₁/dcos is just π − θ.
        double sin = Math.sqrt((1 - cos) * (1 + cos));
        return lengths * Math.max(0, sin + rest * cos) / Math.PI;
    }

    @Override
    public String toString() {
        return NAME + "(order=" + degree + ")";
    }
}
