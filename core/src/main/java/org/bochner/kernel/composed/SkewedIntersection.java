package org.bochner.kernel.composed;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.shift.Laplacian;

/**
 * The skewed intersection kernel {@code ∏ₗ min(Xₗ/Yₗ, Yₗ/Xₗ)} with X = (x + c)^power: exp(−power·|log(x + c) − log(y +
 * c)|), a product over the columns.
 *
 * @param c added to every value, one for all columns or one per column range; values must be greater than −c
 * @param power one for all columns or one per column range
 */
public record SkewedIntersection(ByColumn c, Bandwidth power) implements WarpedKernel {
    public static final KernelFamily FAMILY = SkewedFamily.of("skewed-intersection", 1, SkewedIntersection::new);

    public SkewedIntersection {
        // Fails if c is negative.
        new LogWarp("skewed-intersection", c);
    }

    public SkewedIntersection(double c, double power) {
        this(ByColumn.of(c), Bandwidth.of(power));
    }

    @Override
    public Laplacian kernel() {
        return new Laplacian(power.inverse());
    }

    @Override
    public LogWarp warp() {
        return new LogWarp("skewed-intersection", c);
    }

    @Override
    public SkewedIntersection withSigma(Bandwidth sigma) {
        return new SkewedIntersection(c, sigma.inverse());
    }

    @Override
    public String toString() {
        return "skewed-intersection(c=" + c + ", power=" + power + ")";
    }
}
