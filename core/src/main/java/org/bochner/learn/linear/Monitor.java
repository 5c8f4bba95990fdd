package org.bochner.learn.linear;

import java.util.function.Supplier;
import org.bochner.learn.Iteration;

/** An observer of a solver that may stop it. It is called from one thread. */
@FunctionalInterface
public interface Monitor {
    /** The monitor that does nothing. */
    Monitor NONE = (iteration, model) -> true;

    /**
     * Called after each iteration.
     *
     * @param model supplies the current model, computed on request
     * @return false to stop the solver, which then returns its current model
     */
    boolean goOn(Iteration iteration, Supplier<LinearModel> model);
}
