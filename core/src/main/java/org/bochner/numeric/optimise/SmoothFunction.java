package org.bochner.numeric.optimise;

/** A differentiable function of several numbers, as optimisers ask for it. */
@FunctionalInterface
public interface SmoothFunction {
    /**
     * The value at a point, and its gradient.
     *
     * @param point not to be changed or kept
     * @param gradient receives the derivatives, one a number of the point
     * @return the value; NaN or infinite where there is none, and then the gradient does not count
     */
    double at(double[] point, double[] gradient);
}
