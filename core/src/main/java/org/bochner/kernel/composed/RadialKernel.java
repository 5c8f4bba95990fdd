package org.bochner.kernel.composed;

import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.kernel.shift.Gaussian;

/**
 * A generalised radial kernel of histograms: a function of the squared distance
 * D²(x, y) = Σₗ κ(xₗ, xₗ) + κ(yₗ, yₗ) − 2κ(xₗ, yₗ) of a homogeneous kernel, such as {@code exp-chi2(gamma=1.5)} =
 * {@code exp(−γ Σₗ (xₗ−yₗ)²/(xₗ+yₗ))}, {@code laplace-chi2(beta=2)} = {@code exp(−β √D²)}, or {@code
 * matern-chi2(nu=1.5, sigma=2)}, the Matérn kernel at the distance √D².
 *
 * <p>D² is the squared distance of the homogeneous kernel's features, so its map is a Fourier map of theirs.
 *
 * @param scale γ, β or σ
 */
public record RadialKernel(RadialProfile profile, HomogeneousKernel additive, double scale) implements ComposedKernel {
    private static final String DEGREE = "degree";

    public RadialKernel {
        Require.positive(profile.prefix() + "-" + additive.name(), profile.parameter(), scale);
    }

    /**
     * Returns a shift-invariant kernel of the distance √D²; {@code exp-NAME} for the Gaussian kernel.
     *
     * @throws IllegalArgumentException if the profile is not a mixture of Gaussian kernels with one length-scale
     */
    public static RadialKernel of(ShiftInvariantKernel profile, HomogeneousKernel additive) {
        KernelProfile checked = new KernelProfile(profile);
        double sigma = profile.sigma().at(0);
        return profile instanceof Gaussian
                ? new RadialKernel(RadialProfile.EXP, additive, RadialProfile.EXP.scale(sigma))
                : new RadialKernel(checked, additive, sigma);
    }

    /** Returns the kernel of the homogeneous kernel's features. */
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
        return profile.value(Math.max(0, squared), scale);
    }

    /** Returns the derivative of the value with respect to D²; 0 at a kink at 0. */
    public double slopeAtSquaredDistance(double squared) {
        return profile.slope(Math.max(0, squared), scale);
    }

    @Override
    public List<HomogeneousKernel> parts() {
        return List.of(additive);
    }

    @Override
    public String toString() {
        String degree = additive.degree() == 1 ? "" : ", degree=" + Spelling.print(additive.degree());
        return profile.prefix() + "-" + additive.name() + "(" + profile.parameters(scale) + degree + ")";
    }

    /**
     * Returns the family of all kernels exp(−gamma·D²) of this distance; a missing gamma is one over the mean of D².
     */
    public static KernelFamily exponential(HomogeneousKernel ofDegreeOne) {
        return family(PowerProfile.EXP, ofDegreeOne);
    }

    /** Returns the family of all kernels exp(−beta·√D²) of this distance; a missing beta is one over the mean of √D². */
    public static KernelFamily laplace(HomogeneousKernel ofDegreeOne) {
        return family(PowerProfile.LAPLACE, ofDegreeOne);
    }

    private static KernelFamily family(PowerProfile profile, HomogeneousKernel ofDegreeOne) {
        return DeclaredFamily.measured(
                profile.prefix() + "-" + ofDegreeOne.name(),
                profile.parameter(),
                spelling -> new RadialKernel(
                        profile, additive(ofDegreeOne, spelling), spelling.number(profile.parameter())),
                (spelling, rows) -> {
                    HomogeneousKernel additive = additive(ofDegreeOne, spelling);
                    return 1 / rows.meanDistance(additive::squaredDistance, profile::distance);
                },
                DEGREE);
    }

    /**
     * Returns the family {@code PROFILE-NAME} of a family of shift-invariant kernels, with its parameters and the degree;
     * a missing sigma is the mean of √D².
     */
    public static KernelFamily family(KernelFamily profile, HomogeneousKernel ofDegreeOne) {
        String name = profile.name() + "-" + ofDegreeOne.name();
        return new DeclaredFamily(
                name,
                Stream.concat(profile.parameters().stream(), Stream.of(DEGREE)).toList(),
                profile.scale(),
                true,
                spelling -> of(profile(profile, name, spelling), additive(ofDegreeOne, spelling)),
                (spelling, rows) -> rows.meanDistance(additive(ofDegreeOne, spelling)::squaredDistance, Math::sqrt));
    }

    private static ShiftInvariantKernel profile(KernelFamily family, String name, Spelling spelling) {
        Spelling own = Spelling.parse("kernel", family.name());
        for (String key : spelling.keys()) {
            own = key.equals(DEGREE) ? own : own.with(key, spelling.textOf(key));
        }
        if (family.kernel(own) instanceof ShiftInvariantKernel kernel) {
            return kernel;
        }
        throw new IllegalArgumentException(name + ": " + family.name() + " is not a function of differences");
    }

    private static HomogeneousKernel additive(HomogeneousKernel ofDegreeOne, Spelling spelling) {
        return ofDegreeOne.withDegree(spelling.number(DEGREE, 1));
    }
}
