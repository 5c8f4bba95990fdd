package org.bochner.learn.linear;

import java.util.function.Supplier;
import org.bochner.learn.Iteration;

/** Watches a solver, and may stop it. Called from one thread. */
@FunctionalInterface
public interface Monitor {
    /** Nobody watches. */
    Monitor NONE = (iteration, model) -> true;

    /**
     * An iteration is done.
     *
     * @param model what would be returned now; it is made when asked for
     * @return whether to go on; where not, the solver returns what it has
     */
    boolean goOn(Iteration iteration, Supplier<LinearModel> model);
}
