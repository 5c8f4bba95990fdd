package org.bochner.kernel.dot;

import org.bochner.base.Require;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The arc-cosine kernel of two rows at the angle θ, {@code (1/π)·|x|ⁿ|y|ⁿ·Jₙ(θ)} with J₀ = π − θ and J₁ = sin θ + (π −
 * θ)·cos θ: the kernel of an infinitely wide layer of random thresholds (degree 0) or rectified linear units (degree
 * 1). k₀(x, x) = 1 and k₁(x, x) = |x|². A row of zeros has no angle, and k = 0 for it.
 *
 * <p>Accuracy: k₁ within 1e-15·|x||y|. k₀ within 1e-15 except for nearly parallel rows, where the cosine does not
 * resolve angles below 2e-8 and k₀ is off by up to 1e-8.
 *
 * <p>Reference: Cho and Saul, Kernel methods for deep learning, 2009, equations 1 to 6.
 *
 * @param degree 0 or 1
 */
public record ArcCosine(int degree) implements DotProductKernel {
    private static final String NAME = "arc-cosine";

    /** The sine of the angle below which a cosine does not resolve it. */
    private static final double PARALLEL = 2e-8;

    public static final KernelFamily FAMILY =
            DeclaredFamily.withoutScale(NAME, spelling -> new ArcCosine(spelling.integer("order", 1)), "order");

    public ArcCosine {
        Require.that(degree == 0 || degree == 1, NAME, "order must be 0 or 1, got " + degree);
    }

    @Override
    public double of(double product, double squareX, double squareY) {
        if (squareX == 0 || squareY == 0) {
            return 0;
        }
        // A product of two square roots is not exact, but for equal lengths, as on the diagonal, the cosine must be
        // exact.
        double lengths = squareX == squareY ? squareX : Math.sqrt(squareX) * Math.sqrt(squareY);
        double cos = Math.max(-1, Math.min(1, product / lengths));
        double rest = Math.acos(-cos);
        if (degree == 0) {
            return rest / Math.PI;
        }
        // Sine and angle come from one cosine, so that its error cancels: dJ₁/dcos is π − θ.
        double sin = Math.sqrt((1 - cos) * (1 + cos));
        return lengths * Math.max(0, sin + rest * cos) / Math.PI;
    }

    @Override
    public void slopes(double product, double squareX, double squareY, double[] out) {
        double lengths = Math.sqrt(squareX) * Math.sqrt(squareY);
        out[0] = 0;
        out[1] = 0;
        if (lengths == 0) {
            return;
        }
        double cos = Math.max(-1, Math.min(1, product / lengths));
        double sin = Math.sqrt((1 - cos) * (1 + cos));
        if (degree == 1) {
            out[0] = Math.acos(-cos) / Math.PI;
            out[1] = lengths / squareY * sin / (2 * Math.PI);
        } else if (sin > PARALLEL) {
            // dθ/dcos = −1/sin θ, which has no limit for parallel rows.
            out[0] = 1 / (Math.PI * sin * lengths);
            out[1] = -cos / (2 * Math.PI * sin * squareY);
        }
    }

    @Override
    public String toString() {
        return NAME + "(order=" + degree + ")";
    }
}
