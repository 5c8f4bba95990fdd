package org.bochner.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.text.Suggestion;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.JensenShannon;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.SkewedKernel;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.kernel.shift.Cauchy;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Matern;
import org.bochner.kernel.shift.Periodic;
import org.bochner.kernel.shift.RationalQuadratic;
import org.bochner.kernel.shift.Sech;
import org.bochner.kernel.shift.Stable;
import org.bochner.kernel.shift.Wavelet;

/** All named kernel families. */
final class KernelFamilies {
    /**
     * Kernels of histograms; each also has the kernels of its distance. A new one is a file of its own and one entry
     * here.
     */
    private static final List<HomogeneousKernel> HOMOGENEOUS =
            List.of(new Chi2(1), new Intersection(1), new JensenShannon(1), new Hellinger(1));

    /**
     * Completely monotone functions of the squared distance, which all apply to the distances of histograms. {@link
     * #named} finds more, because every family may be a prefix; those listed here are offered by name.
     */
    private static final List<KernelFamily> PROFILES = List.of(Matern.FAMILY, RationalQuadratic.FAMILY);

    /** The library's own families. A new kernel is a file of its own and one entry here. */
    private static final List<KernelFamily> OWN = own(
            Gaussian.FAMILY,
            Laplacian.FAMILY,
            Cauchy.FAMILY,
            Matern.FAMILY,
            RationalQuadratic.FAMILY,
            Sech.FAMILY,
            Stable.FAMILY,
            Periodic.FAMILY,
            Wavelet.FAMILY,
            SkewedKernel.Kind.CHI2.family(),
            SkewedKernel.Kind.INTERSECTION.family(),
            Linear.FAMILY,
            Polynomial.FAMILY,
            ArcCosine.FAMILY,
            ArcSine.FAMILY);

    /** Names that other programs use for kernels of this library, for suggestions. */
    static final Map<String, String> ALIASES = Suggestion.aliases(Map.ofEntries(
            Map.entry(
                    "gaussian",
                    "rbf rbfkernel radial radialbasis radialbasisfunction "
                            + "squaredexponential se sqexp exponentiatedquadratic"),
            Map.entry("laplacian", "laplace l1exponential"),
            Map.entry("matern(nu=0.5)", "exponential ornsteinuhlenbeck ou matern12 absexp"),
            Map.entry("matern(nu=1.5)", "matern32"),
            Map.entry("matern(nu=2.5)", "matern52"),
            Map.entry("rational-quadratic", "rq"),
            Map.entry(
                    "stable",
                    "generalizedlaplacian lpq poweredexponential powerexponential exponentialpower gammaexponential"),
            Map.entry("periodic", "expsinesquared expsine2"),
            Map.entry("linear", "dot dotproduct inner"),
            Map.entry("polynomial", "poly"),
            Map.entry("arc-cosine", "arccos relu"),
            Map.entry("arc-sine", "arcsin neuralnetwork nn erf"),
            Map.entry("wavelet", "morlet"),
            Map.entry("chi2", "chisquared chisquare additivechi2"),
            Map.entry("intersection", "histogramintersection hik histintersection min"),
            Map.entry("jensen-shannon", "js jensenshannondivergence"),
            Map.entry("hellinger", "bhattacharyya")));

    private static List<KernelFamily> own(KernelFamily... named) {
        List<KernelFamily> families = new ArrayList<>(List.of(named));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.of(kernel)));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.exponential(kernel)));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.laplace(kernel)));
        PROFILES.forEach(profile -> HOMOGENEOUS.forEach(kernel -> families.add(RadialKernel.family(profile, kernel))));
        return List.copyOf(families);
    }

    private KernelFamilies() {}

    static KernelFamily named(String name) {
        return find(OWN, name)
                .or(() -> find(all(), name))
                .or(() -> ofDistance(name))
                .orElseThrow(() -> Spelling.unknown(
                        "kernel", name, all().stream().map(KernelFamily::name).toList(), ALIASES));
    }

    private static Optional<KernelFamily> find(List<KernelFamily> families, String name) {
        return families.stream().filter(family -> family.name().equals(name)).findFirst();
    }

    /** Returns the family {@code PROFILE-NAME} of a profile and a kernel of histograms, if both are families. */
    private static Optional<KernelFamily> ofDistance(String name) {
        List<KernelFamily> all = all();
        for (int hyphen = name.indexOf('-'); hyphen >= 0; hyphen = name.indexOf('-', hyphen + 1)) {
            String prefix = name.substring(0, hyphen);
            String distance = name.substring(hyphen + 1);
            Optional<HomogeneousKernel> kernel = find(all, distance).flatMap(KernelFamilies::homogeneous);
            Optional<KernelFamily> profile =
                    find(all, prefix).filter(family -> family.scale().equals(Optional.of("sigma")));
            if (kernel.isPresent() && profile.isPresent()) {
                if (prefix.equals(Gaussian.FAMILY.name())) {
                    throw new SpellingException(
                            name + " is exp-" + distance + " with gamma = 1/(2 sigma^2); write exp-" + distance);
                }
                return Optional.of(RadialKernel.family(profile.get(), kernel.get()));
            }
        }
        return Optional.empty();
    }

    private static Optional<HomogeneousKernel> homogeneous(KernelFamily family) {
        return family.scale().isEmpty()
                        && family.kernel(Spelling.parse("kernel", family.name())) instanceof HomogeneousKernel kernel
                ? Optional.of(kernel)
                : Optional.empty();
    }

    /** Returns the library's own families and the provided ones, which are looked up on each call and not kept. */
    static List<KernelFamily> all() {
        List<KernelFamily> all = new ArrayList<>(OWN);
        try {
            ServiceLoader.load(KernelFamily.class).forEach(all::add);
        } catch (ServiceConfigurationError e) {
            throw new BochnerException(
                    "a kernel family on the class path cannot be used: " + e.getMessage() + "; remove or repair it", e);
        }
        return all;
    }
}
