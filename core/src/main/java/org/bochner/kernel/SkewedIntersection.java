package org.bochner.kernel;

/**
 * The skewed intersection kernel {@code ∏ₗ min(Xₗ/Yₗ, Yₗ/Xₗ)} with X = (x + c)^power: exp(−power·|log(x + c) − log(y + c)|), a
 * product over the columns.
 *
 * @param c added to every value, for all columns or one a block; values must be greater than −c
 * @param power for all columns or one a block
 */
public record SkewedIntersection(Blocks c, Bandwidth power) implements WarpedKernel {
    static final KernelFamily FAMILY = SkewedFamily.of("skewed-intersection", Distance.L1, SkewedIntersection::new);

    public SkewedIntersection {
        // Fails where c is negative.
        new LogWarp("skewed-intersection", c);
    }

    public SkewedIntersection(double c, double power) {
        this(Blocks.of(c), Bandwidth.of(power));
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
