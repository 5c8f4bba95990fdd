package org.bochner.numeric.optimise;

/** Observes {@link Lbfgs} or {@link ProximalQuasiNewton} and may stop it. Called on the thread of the optimiser. */
@FunctionalInterface
public interface DescentMonitor {
    /** A monitor that never stops the optimiser. */
    DescentMonitor NONE = (iteration, value, point, gradientNorm) -> true;

    /**
     * Reports the end of an iteration.
     *
     * @param iteration the number of the iteration, from 1; 0 for the start
     * @param value the value of the objective
     * @param point the current point; the optimiser's own array, which must not be changed or kept
     * @param gradientNorm the largest absolute entry of the gradient (with a convex term: of the proximal step of
     *     length 1)
     * @return true to continue; on false the optimiser returns the best point found
     */
    boolean goOn(int iteration, double value, double[] point, double gradientNorm);
}
