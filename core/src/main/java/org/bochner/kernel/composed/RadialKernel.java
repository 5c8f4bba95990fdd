package org.bochner.kernel.composed;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * A generalised radial kernel of histograms: a function of the squared distance
 * D²(x, y) = Σₗ κ(xₗ, xₗ) + κ(yₗ, yₗ) − 2κ(xₗ, yₗ) of a homogeneous kernel, such as {@code exp-chi2(gamma=1.5)} =
 * {@code exp(−γ Σₗ (xₗ−yₗ)²/(xₗ+yₗ))}, or {@code laplace-chi2(beta=2)} = {@code exp(−β √D²)}.
 *
 * <p>D² is the squared distance of the homogeneous kernel's features, so its map is a Fourier map of theirs.
 *
 * @param scale γ or β
 */
public record RadialKernel(RadialProfile profile, HomogeneousKernel additive, double scale) implements ComposedKernel {
    public RadialKernel {
        Require.positive(profile.prefix() + "-" + additive.name(), profile.parameter(), scale);
    }

    /** Returns the kernel of the homogeneous kernel's features: Gaussian or Matérn. */
    public ShiftInvariantKernel outer() {
        return profile.outer(scale);
    }

    /** Returns the kernel whose {@link #outer} has this length-scale. */
    public RadialKernel withOuterSigma(double sigma) {
        return new RadialKernel(profile, additive, profile.scale(sigma));
    }

    @Override
    public double value(double[] x, double[] y) {
        return atSquaredDistance(additive.squaredDistance(x, y));
    }

    /** Returns the value at the squared distance D². */
    public double atSquaredDistance(double squared) {
        return Math.exp(-scale * profile.distance(Math.max(0, squared)));
    }

    /** Returns the derivative of the value with respect to D²; 0 at a kink at 0. */
    public double slopeAtSquaredDistance(double squared) {
        return -scale * profile.slope(Math.max(0, squared)) * atSquaredDistance(squared);
    }

    @Override
    public List<HomogeneousKernel> parts() {
        return List.of(additive);
    }

    @Override
    public String toString() {
        String degree = additive.degree() == 1 ? "" : ", degree=" + Spelling.print(additive.degree());
        return profile.prefix() + "-" + additive.name() + "(" + profile.parameter() + "=" + Spelling.print(scale)
                + degree + ")";
    }

    /**
     * Returns the family of all kernels of this profile and distance; a missing scale is one over the mean distance.
     */
    public static KernelFamily family(RadialProfile profile, HomogeneousKernel ofDegreeOne) {
        String name = profile.prefix() + "-" + ofDegreeOne.name();
        return DeclaredFamily.measured(
                name,
                profile.parameter(),
                spelling -> new RadialKernel(
                        profile, additive(ofDegreeOne, spelling), spelling.number(profile.parameter())),
                (spelling, rows) -> {
                    HomogeneousKernel additive = additive(ofDegreeOne, spelling);
                    return 1 / rows.meanDistance(additive::squaredDistance, profile::distance);
                },
                "degree");
    }

    private static HomogeneousKernel additive(HomogeneousKernel ofDegreeOne, Spelling spelling) {
        return ofDegreeOne.withDegree(spelling.number("degree", 1));
    }
}
