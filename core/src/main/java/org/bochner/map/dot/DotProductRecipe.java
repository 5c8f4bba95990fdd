package org.bochner.map.dot;

import org.bochner.base.SpellingException;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernel;
import org.bochner.map.composed.TermRecipe;

/** A recipe for random maps of one family of kernels of the inner product. */
public interface DotProductRecipe extends TermRecipe {
    /** Returns the failure of a recipe that has maps of one family only. */
    default SpellingException refuse(Kernel leaf, String family) {
        return leaf instanceof DotProductKernel
                ? new SpellingException(
                        "map '" + this + "' is for " + family + " only, not for " + leaf + "; take auto")
                : refuse(leaf);
    }
}
