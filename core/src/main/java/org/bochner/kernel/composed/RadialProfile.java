package org.bochner.kernel.composed;

import org.bochner.kernel.ShiftInvariantKernel;

/**
 * The decay of a {@link RadialKernel} with the squared distance D² of a homogeneous kernel: a completely monotone
 * function of D².
 *
 * <p>By Bernstein's theorem these functions are the mixtures of exp(−s·D²), and by Schoenberg's theorem they are the
 * functions of a distance that are positive semi-definite in every dimension. Kernels of additive features need no
 * less, because the number of features is not known in advance. A profile is therefore a shift-invariant kernel of the
 * features whose frequencies are a mixture of Gaussian ones.
 */
public interface RadialProfile {
    /** exp(−γ·D²): a Gaussian kernel of the additive features. */
    RadialProfile EXP = PowerProfile.EXP;

    /** exp(−β·√D²): a Matérn kernel with nu = ½ of the additive features, whose frequencies are multivariate Cauchy. */
    RadialProfile LAPLACE = PowerProfile.LAPLACE;

    /** Returns the prefix of the homogeneous kernel's name in spellings. */
    String prefix();

    /** Returns the name of the scale in spellings. */
    String parameter();

    /** Returns the value at the squared distance D². */
    double value(double squared, double scale);

    /** Returns the derivative of {@link #value} with respect to D²; 0 at a kink at 0. */
    double slope(double squared, double scale);

    /** Returns the kernel of the additive features. */
    ShiftInvariantKernel outer(double scale);

    /** Returns the scale whose {@link #outer} has this length-scale. */
    double scale(double sigma);

    /** Returns all parameters as they are written in spellings, such as {@code nu=1.5, sigma=2}. */
    String parameters(double scale);
}
