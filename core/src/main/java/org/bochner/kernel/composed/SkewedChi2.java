package org.bochner.kernel.composed;

import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.shift.Sech;

/**
 * The skewed χ² kernel {@code ∏ₗ 2XₗYₗ / (Xₗ² + Yₗ²)} with X = (x + c)^power: sech(power·(log(x + c) − log(y + c))), a
 * product over the columns. With power ½ it is {@code ∏ₗ 2√(xₗ+c)√(yₗ+c) / (xₗ + yₗ + 2c)}, the usual definition of the
 * skewed χ² kernel.
 *
 * @param c added to every value, one for all columns or one per column range; values must be greater than −c
 * @param power one for all columns or one per column range
 */
public record SkewedChi2(ByColumn c, Bandwidth power) implements WarpedKernel {
    public static final KernelFamily FAMILY = SkewedFamily.of("skewed-chi2", 2, SkewedChi2::new);

    public SkewedChi2 {
        // Fails if c is negative.
        new LogWarp("skewed-chi2", c);
    }

    public SkewedChi2(double c, double power) {
        this(ByColumn.of(c), Bandwidth.of(power));
    }

    @Override
    public Sech kernel() {
        return new Sech(power.inverse());
    }

    @Override
    public LogWarp warp() {
        return new LogWarp("skewed-chi2", c);
    }

    @Override
    public SkewedChi2 withSigma(Bandwidth sigma) {
        return new SkewedChi2(c, sigma.inverse());
    }

    @Override
    public String toString() {
        return "skewed-chi2(c=" + c + ", power=" + power + ")";
    }
}
