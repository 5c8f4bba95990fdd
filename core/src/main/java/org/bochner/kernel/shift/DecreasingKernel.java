package org.bochner.kernel.shift;

import org.bochner.kernel.ShiftInvariantKernel;

/** A kernel that is never negative and never grows when the size of a difference grows. */
interface DecreasingKernel extends ShiftInvariantKernel {
    @Override
    default boolean decreases() {
        return true;
    }
}
