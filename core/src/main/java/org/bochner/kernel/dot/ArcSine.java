package org.bochner.kernel.dot;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The arc-sine kernel, {@code (2/π)·asin(2s(x, y) / √((1 + 2s(x, x))·(1 + 2s(y, y))))} with {@code s(x, y) = γ·x·y + c}:
 * the kernel of an infinitely wide layer of random sigmoid units erf(w·x + b), with weights of variance γ and biases of
 * variance c. It is also called the neural network kernel. Its values lie between −1 and 1.
 *
 * <p>A missing gamma becomes one over the mean of |x|², so that γ·x·y is of size 1.
 *
 * <p>Accuracy: about 1e-16·√(1 + γ|x|² + c).
 *
 * <p>Reference: Williams, Computation with infinite neural networks, 1998, doi:10.1162/089976698300017412, equation 11.
 *
 * @param gamma the variance of the weights; positive
 * @param c the variance of the biases; at least 0
 */
public record ArcSine(double gamma, double c) implements DotProductKernel {
    private static final String NAME = "arc-sine";

    public static final KernelFamily FAMILY = DeclaredFamily.measured(
            NAME,
            "gamma",
            spelling -> new ArcSine(spelling.number("gamma"), spelling.number("c", 1)),
            (spelling, rows) -> 1 / rows.meanDistance((x, y) -> (x * x + y * y) / 2, mean -> mean),
            "c");

    public ArcSine {
        Require.positive(NAME, "gamma", gamma);
        Require.notNegative(NAME, "c", c);
    }

    @Override
    public double of(double product, double squareX, double squareY) {
        return 2 / Math.PI * Math.asin(sine(product, squareX, squareY));
    }

    private double sine(double product, double squareX, double squareY) {
        double sine = 2 * (gamma * product + c) / (length(squareX) * length(squareY));
        return Math.max(-1, Math.min(1, sine));
    }

    private double length(double square) {
        return Math.sqrt(1 + 2 * (gamma * square + c));
    }

    @Override
    public void slopes(double product, double squareX, double squareY, double[] out) {
        double sine = sine(product, squareX, squareY);
        double cosine = Math.sqrt((1 - sine) * (1 + sine));
        double bySine = cosine == 0 ? 0 : 2 / (Math.PI * cosine);
        double lengthY = length(squareY);
        out[0] = bySine * 2 * gamma / (length(squareX) * lengthY);
        out[1] = -bySine * sine * gamma / (lengthY * lengthY);
    }

    @Override
    public String toString() {
        return NAME + "(gamma=" + Spelling.print(gamma) + ", c=" + Spelling.print(c) + ")";
    }
}
