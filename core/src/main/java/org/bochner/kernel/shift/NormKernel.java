package org.bochner.kernel.shift;

import org.bochner.kernel.ShiftInvariantKernel;

/** A kernel that is a function of Σₗ |xₗ−yₗ|^p/σₗ^p. Its values between many rows are computed column by column. */
public interface NormKernel extends ShiftInvariantKernel {
    /** Returns p, greater than 0 and at most 2. */
    double p();

    /** Returns the kernel as a function of the sum over the columns. */
    double ofSum(double sum);
}
