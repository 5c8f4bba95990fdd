package org.bochner.kernel;

import java.util.List;
import java.util.Optional;
import org.bochner.base.Spelling;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * Kernels that share a name and differ in their parameters. A family turns {@code matern(nu=1.5, sigma=2)} into a
 * kernel.
 *
 * <p>Families from outside this library are found by {@link java.util.ServiceLoader}: implement this interface in a
 * public class with a public constructor without arguments, and name that class in {@code
 * META-INF/services/org.bochner.kernel.KernelFamily}. The names of the library's own families are taken.
 *
 * <p>A family of kernels of histograms NAME and a family PROFILE of shift-invariant kernels with the scale {@code sigma}
 * together have the family {@code PROFILE-NAME} of kernels of the distance of NAME ({@link Kernels#radial}), which
 * nobody needs to declare.
 */
public interface KernelFamily {
    /** Returns the name in spellings: letters, digits and hyphens, starting with a letter. */
    String name();

    /** Returns the names of all parameters. */
    List<String> parameters();

    /** Returns the parameter that is measured on the data if a spelling leaves it out, such as {@code sigma}. */
    Optional<String> scale();

    /** Returns true if {@link #scale} is a length; false if it is the inverse of one, as gamma, beta and power are. */
    default boolean scaleIsLength() {
        return true;
    }

    /**
     * Measures the parameter that {@link #scale} names.
     *
     * @param spelling the other parameters
     * @param rows sampled rows, with the kernel's columns only, after the warp of the kernel if it has one
     */
    double measure(Spelling spelling, RowSample rows);

    /** Returns the kernel. The caller has checked that all parameters belong to the family and the scale is present. */
    Kernel kernel(Spelling spelling);

    /** Returns the family of a kernel of histograms, whose only parameter is the degree. */
    static KernelFamily of(HomogeneousKernel ofDegreeOne) {
        return DeclaredFamily.withoutScale(
                ofDegreeOne.name(), spelling -> ofDegreeOne.withDegree(spelling.number("degree", 1)), "degree");
    }

    /** Returns the family {@code exp-NAME} of exp(−gamma·D²), where D² is the squared distance of the given kernel. */
    static KernelFamily exponential(HomogeneousKernel ofDegreeOne) {
        return RadialKernel.exponential(ofDegreeOne);
    }

    /**
     * Returns the family {@code laplace-NAME} of exp(−beta·√D²), where D² is the squared distance of the given kernel.
     */
    static KernelFamily laplace(HomogeneousKernel ofDegreeOne) {
        return RadialKernel.laplace(ofDegreeOne);
    }
}
