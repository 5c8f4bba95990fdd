package org.bochner.numeric.optimise;

/** Watches {@link Lbfgs} or {@link ProximalQuasiNewton}, and may stop it. Called from the optimiser's thread. */
@FunctionalInterface
public interface DescentMonitor {
    /** Nobody watches. */
    DescentMonitor NONE = (iteration, value, point, gradientNorm) -> true;

    /**
     * An iteration is done.
     *
     * @param iteration its number, from 1; 0 for the start
     * @param value of all that is minimised
     * @param point where it is; the optimiser's own array, not to be changed or kept
     * @param gradientNorm the largest entry of the gradient (with a convex term: of the step of length 1 along it)
     * @return whether to go on; where not, the optimiser returns the best it has
     */
    boolean goOn(int iteration, double value, double[] point, double gradientNorm);
}
