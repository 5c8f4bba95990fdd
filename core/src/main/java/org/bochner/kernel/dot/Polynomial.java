package org.bochner.kernel.dot;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The polynomial kernel, {@code (γ·x·y + c)^degree}: a linear function of its features is a polynomial of the columns,
 * with all products up to the degree; with c = 0, all products of exactly this degree.
 *
 * <p>A missing gamma becomes one over the mean of |x|², so that γ·x·y is of size 1.
 *
 * @param degree at least 1
 * @param gamma the factor of inner products; positive
 * @param c the constant added to them; at least 0
 */
public record Polynomial(int degree, double gamma, double c) implements DotProductKernel {
    private static final String NAME = "polynomial";

    public static final KernelFamily FAMILY = DeclaredFamily.measured(
            NAME,
            "gamma",
            spelling ->
                    new Polynomial(spelling.integer("degree", 2), spelling.number("gamma"), spelling.number("c", 1)),
            (spelling, rows) -> 1 / rows.meanDistance((x, y) -> (x * x + y * y) / 2, mean -> mean),
            "degree",
            "c");

    public Polynomial {
        Require.atLeast(NAME, "degree", degree, 1);
        Require.positive(NAME, "gamma", gamma);
        Require.notNegative(NAME, "c", c);
    }

    @Override
    public double of(double product, double squareX, double squareY) {
        return Math.pow(gamma * product + c, degree);
    }

    @Override
    public void slopes(double product, double squareX, double squareY, double[] out) {
        out[0] = degree * gamma * Math.pow(gamma * product + c, degree - 1.0);
        out[1] = 0;
    }

    @Override
    public String toString() {
        return NAME + "(degree=" + degree + ", gamma=" + Spelling.print(gamma) + ", c=" + Spelling.print(c) + ")";
    }
}
