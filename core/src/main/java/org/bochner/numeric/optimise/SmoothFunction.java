package org.bochner.numeric.optimise;

/** A differentiable function of several variables, for optimisers. */
@FunctionalInterface
public interface SmoothFunction {
    /**
     * Returns the value at a point and computes its gradient.
     *
     * @param point the point; must not be changed or kept
     * @param gradient receives one derivative per coordinate
     * @return the value; NaN or infinite if the function has no value at the point, and the gradient is then ignored
     */
    double at(double[] point, double[] gradient);
}
