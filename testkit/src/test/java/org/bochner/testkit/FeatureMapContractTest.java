package org.bochner.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every Fourier recipe with every family of shift-invariant kernels and with the algebra of kernels. The two forms of
 * features alternate, so that every pair of recipe, form and kernel occurs.
 */
class FeatureMapContractTest {
    private static final int COLUMNS = 6;
    private static final int FEATURES = 520;

    /** What structured maps may be off in the mean, with up to 64 columns. */
    private static final double STRUCTURED_BIAS = 0.009;

    @TestFactory
    Stream<DynamicTest> everyRecipeWithEveryFamily() {
        return pairs(Kernels.families().stream()
                .filter(family -> family.scale().equals(Optional.of("sigma")))
                .map(family -> family.name() + "(sigma=0.8)")
                .filter(kernel -> Kernels.parse(kernel) instanceof ShiftInvariantKernel)
                .toList());
    }

    @TestFactory
    Stream<DynamicTest> everyRecipeWithParametersAndBandwidths() {
        List<String> kernels = List.of(
                "matern(nu=0.5, sigma=1)",
                "matern(nu=2.5, sigma=1)",
                "gaussian(sigma=[0:2=0.5, 2:5=1, 5:6=3])",
                "laplacian(sigma=[0:3=4, 3:6=9])");
        return pairs(kernels);
    }

    @TestFactory
    Stream<DynamicTest> everyRecipeWithTheAlgebra() {
        List<String> kernels = List.of(
                "2.5*gaussian(sigma=1)",
                "gaussian(sigma=1)[1:4]",
                "gaussian(sigma=2)@log(c=0.1)",
                "gaussian(sigma=1) + 0.5*matern(nu=1.5, sigma=2)",
                "gaussian(sigma=1)[0:2] + 0.25*gaussian(sigma=3)[2:6] + matern(nu=0.5, sigma=2)@log(c=0.5)");
        return pairs(kernels);
    }

    @TestFactory
    Stream<DynamicTest> warpedProductKernels() {
        List<String> kernels = List.of(
                "laplacian(sigma=2)@log(c=0.1)",
                "skewed-chi2(c=0.1, power=0.5)",
                "skewed-chi2(c=[0:2=0.1, 2:6=1], power=[0:3=0.5, 3:6=2])",
                "skewed-intersection(c=0.3, power=[0:1=0.25, 1:6=0.5])",
                "0.5*skewed-intersection(c=0.1, power=0.2)[0:2] + skewed-chi2(c=1, power=1)[2:6]");
        return Stream.of("fourier", "fourier(phase)", "quasi", "quasi(phase)")
                .flatMap(recipe -> kernels.stream().map(kernel -> contract(recipe, Kernels.parse(kernel))));
    }

    @TestFactory
    Stream<DynamicTest> periodicKernelsAndProducts() {
        List<String> kernels = List.of(
                "periodic(period=2, width=0.7)",
                "gaussian(sigma=1)[0:4] * periodic(width=0.5)[4:6]",
                "0.5*gaussian(sigma=1)[0:2] * periodic(width=0.5)[2:3]",
                "matern(nu=0.5, sigma=2)[2:4] * cauchy(sigma=1)[4:5] + gaussian(sigma=1)[0:2]");
        return Stream.of("fourier", "fourier(phase)", "quasi", "quasi(phase)")
                .flatMap(recipe -> kernels.stream().map(kernel -> contract(recipe, Kernels.parse(kernel))));
    }

    /** The samples of the contract lie in [0, 1), so the designed error is the bound. */
    @TestFactory
    Stream<DynamicTest> designsOfFewColumns() {
        return Stream.of(
                        List.of("lp(error=0.01, range=0:1)", "gaussian(sigma=0.4)", "1", "0.01"),
                        List.of("lp(error=0.05, range=0:1)", "laplacian(sigma=1)", "1", "0.05"),
                        List.of("lp(error=0.01)", "periodic(width=0.7)", "1", "0.01"),
                        List.of("lp(dimension=9, range=0:1)", "gaussian(sigma=0.8)", "2", "0.01"),
                        List.of(
                                "lp(dimension=8, range=0:1, form=projection)",
                                "matern(nu=2.5, sigma=[0:1=1, 1:2=3])",
                                "2",
                                "0.01"),
                        List.of("lp(dimension=8, range=0:1)", "gaussian(sigma=1.5)", "3", "0.01"),
                        List.of(
                                "lp(dimension=5, range=0:2)",
                                "gaussian(sigma=2)[0:1] * periodic(period=4, width=1.5)[1:2]",
                                "2",
                                "0.07"),
                        List.of("lp(error=0.01, range=0:1)", "0.5*gaussian(sigma=0.4)[2:3]", "4", "0.01"))
                .map(example -> {
                    Kernel kernel = Kernels.parse(example.get(1));
                    FeatureMap map = FeatureMaps.parse(example.get(0))
                            .build(
                                    kernel,
                                    RowSample.none(Integer.parseInt(example.get(2))),
                                    OptionalInt.empty(),
                                    new Seed(1),
                                    new Notes());
                    return Contracts.over(
                            FeatureMapContract.class,
                            example.get(0) + " of " + kernel,
                            new FeatureMapCase(map, Double.parseDouble(example.get(3))));
                });
    }

    /** Every recipe with every kernel that it suits, in the two forms by turns. */
    private static Stream<DynamicTest> pairs(List<String> kernels) {
        List<DynamicTest> contracts = new ArrayList<>();
        int turn = 0;
        for (String name : FeatureMaps.fourierNames()) {
            for (String spelling : kernels) {
                Kernel kernel = Kernels.parse(spelling);
                if (suits(name, kernel)) {
                    contracts.add(contract(turn % 2 == 0 ? name : name + "(phase)", kernel));
                }
                turn++;
            }
            // The next recipe begins with the other form, also where the number of kernels is even.
            turn += 1 - kernels.size() % 2;
        }
        return contracts.stream();
    }

    private static boolean suits(String recipe, Kernel kernel) {
        boolean needsRotation = recipe.startsWith("orthogonal") || recipe.startsWith("structured");
        return !needsRotation
                || !(kernel instanceof ShiftInvariantKernel invariant)
                || invariant.spectrum().rotationInvariant();
    }

    private static DynamicTest contract(String recipe, Kernel kernel) {
        FeatureMap map = FeatureMaps.parse(recipe).build(kernel, COLUMNS, FEATURES, new Seed(1));
        FeatureMapCase example = new FeatureMapCase(map, recipe.startsWith("structured") ? STRUCTURED_BIAS : 0);
        return Contracts.over(FeatureMapContract.class, recipe + " of " + kernel, example);
    }
}
