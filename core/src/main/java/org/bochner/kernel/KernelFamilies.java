package org.bochner.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.JensenShannon;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.composed.SkewedChi2;
import org.bochner.kernel.composed.SkewedIntersection;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.kernel.shift.Cauchy;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Matern;
import org.bochner.kernel.shift.Periodic;
import org.bochner.kernel.shift.RationalQuadratic;
import org.bochner.kernel.shift.Sech;

/** All named kernel families. */
final class KernelFamilies {
    /**
     * Kernels of histograms; each also has the kernels of its distance. A new one is a file of its own and one entry
     * here.
     */
    private static final List<HomogeneousKernel> HOMOGENEOUS =
            List.of(new Chi2(), new Intersection(), new JensenShannon(), new Hellinger());

    /** The library's own families. A new kernel is a file of its own and one entry here. */
    private static final List<KernelFamily> OWN = own(
            Gaussian.FAMILY,
            Laplacian.FAMILY,
            Cauchy.FAMILY,
            Matern.FAMILY,
            RationalQuadratic.FAMILY,
            Sech.FAMILY,
            Periodic.FAMILY,
            SkewedChi2.FAMILY,
            SkewedIntersection.FAMILY,
            Linear.FAMILY,
            Polynomial.FAMILY,
            ArcCosine.FAMILY);

    /** Names that other programs use for kernels of this library, for suggestions. */
    static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("rbf", "gaussian"),
            Map.entry("rbfkernel", "gaussian"),
            Map.entry("radial", "gaussian"),
            Map.entry("radialbasis", "gaussian"),
            Map.entry("radialbasisfunction", "gaussian"),
            Map.entry("squaredexponential", "gaussian"),
            Map.entry("se", "gaussian"),
            Map.entry("sqexp", "gaussian"),
            Map.entry("exponentiatedquadratic", "gaussian"),
            Map.entry("laplace", "laplacian"),
            Map.entry("l1exponential", "laplacian"),
            Map.entry("exponential", "matern(nu=0.5)"),
            Map.entry("ornsteinuhlenbeck", "matern(nu=0.5)"),
            Map.entry("ou", "matern(nu=0.5)"),
            Map.entry("matern12", "matern(nu=0.5)"),
            Map.entry("absexp", "matern(nu=0.5)"),
            Map.entry("matern32", "matern(nu=1.5)"),
            Map.entry("matern52", "matern(nu=2.5)"),
            Map.entry("rq", "rational-quadratic"),
            Map.entry("expsinesquared", "periodic"),
            Map.entry("expsine2", "periodic"),
            Map.entry("dot", "linear"),
            Map.entry("dotproduct", "linear"),
            Map.entry("inner", "linear"),
            Map.entry("poly", "polynomial"),
            Map.entry("arccos", "arc-cosine"),
            Map.entry("relu", "arc-cosine"),
            Map.entry("chisquared", "chi2"),
            Map.entry("chisquare", "chi2"),
            Map.entry("additivechi2", "chi2"),
            Map.entry("histogramintersection", "intersection"),
            Map.entry("hik", "intersection"),
            Map.entry("histintersection", "intersection"),
            Map.entry("min", "intersection"),
            Map.entry("js", "jensen-shannon"),
            Map.entry("jensenshannondivergence", "jensen-shannon"),
            Map.entry("bhattacharyya", "hellinger"));

    private static List<KernelFamily> own(KernelFamily... named) {
        List<KernelFamily> families = new ArrayList<>(List.of(named));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.of(kernel)));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.exponential(kernel)));
        HOMOGENEOUS.forEach(kernel -> families.add(KernelFamily.laplace(kernel)));
        return List.copyOf(families);
    }

    private KernelFamilies() {}

    static KernelFamily named(String name) {
        return find(OWN, name)
                .or(() -> find(all(), name))
                .orElseThrow(() -> Spelling.unknown(
                        "kernel", name, all().stream().map(KernelFamily::name).toList(), ALIASES));
    }

    private static Optional<KernelFamily> find(List<KernelFamily> families, String name) {
        return families.stream().filter(family -> family.name().equals(name)).findFirst();
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
