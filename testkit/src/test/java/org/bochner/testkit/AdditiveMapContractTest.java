package org.bochner.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.additive.Chi2;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.additive.SpectralMap;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every recipe of additive maps with every additive kernel it suits, and with the algebra of both. */
class AdditiveMapContractTest {
    private static final List<String> KERNELS = List.of(
            "chi2",
            "intersection",
            "jensen-shannon",
            "hellinger",
            "linear",
            "blend",
            "chi2(degree=0.5)",
            "jensen-shannon(degree=2)",
            "hellinger(degree=0.5)");

    private static final RowSample ROWS = RowSample.even(40, 6, 0.01, 1, new Seed(2));

    private static DynamicTest contract(String recipe, String kernel) {
        FeatureMap map = FeatureMaps.parse(recipe)
                .build(Kernels.parse(kernel), ROWS, OptionalInt.empty(), new Seed(1), new Notes());
        return Contracts.over(SparseFeatureMapContract.class, recipe + " of " + kernel, new SparseFeatureMapCase(map));
    }

    private static Stream<DynamicTest> contracts(List<String> recipes, List<String> kernels) {
        return recipes.stream().flatMap(recipe -> kernels.stream().map(kernel -> contract(recipe, kernel)));
    }

    @TestFactory
    Stream<DynamicTest> sampledSpectraOfEveryHomogeneousKernel() {
        List<String> kernels = KERNELS.stream()
                .filter(name ->
                        Kernels.parse(name) instanceof HomogeneousKernel kernel && !(kernel instanceof SeparableKernel))
                .toList();
        return contracts(
                List.of(
                        "sampled(order=1)",
                        "sampled(order=3)",
                        "sampled(order=2, window=uniform)",
                        "sampled(order=2, window=rectangular, period=9)"),
                kernels);
    }

    /** Frequencies that are no multiples of each other, with 0 among them and without. */
    @TestFactory
    Stream<DynamicTest> arbitraryFrequencies() {
        return Stream.of("chi2", "jensen-shannon(degree=0.5)", "intersection(degree=2)")
                .flatMap(kernel -> Stream.of(new double[] {0, 0.4591, 1.1096}, new double[] {0.31, 0.92})
                        .map(frequencies -> {
                            FeatureMap map = new SpectralMap(
                                    (HomogeneousKernel) Kernels.parse(kernel),
                                    6,
                                    frequencies,
                                    Arrays.copyOf(new double[] {0.4, 0.5, 0.1}, frequencies.length));
                            return Contracts.over(
                                    SparseFeatureMapContract.class,
                                    Arrays.toString(frequencies) + " of " + kernel,
                                    new SparseFeatureMapCase(map));
                        }));
    }

    @TestFactory
    Stream<DynamicTest> designsOfEveryHomogeneousKernel() {
        List<String> kernels = KERNELS.stream()
                .filter(name ->
                        Kernels.parse(name) instanceof HomogeneousKernel kernel && !(kernel instanceof SeparableKernel))
                .toList();
        return contracts(List.of("lp(dimension=1)", "lp(dimension=5)", "lp(dimension=4, universal)"), kernels);
    }

    @TestFactory
    Stream<DynamicTest> designsOfOtherErrors() {
        return contracts(
                List.of(
                        "lp",
                        "lp(error=0.001, range=0.001:10)",
                        "lp(dimension=5, weight=relative)",
                        "lp(dimension=5, norm=mean)"),
                List.of("chi2", "jensen-shannon"));
    }

    @TestFactory
    Stream<DynamicTest> periodsOfVlfeat() {
        return contracts(
                List.of("sampled(order=2, period=vlfeat)", "sampled(order=1, window=uniform, period=vlfeat)"),
                List.of("chi2", "intersection", "jensen-shannon"));
    }

    @TestFactory
    Stream<DynamicTest> seriesOfTheChi2Kernel() {
        return contracts(
                List.of(
                        "chebyshev(terms=1)",
                        "chebyshev(terms=7)",
                        "chebyshev(terms=4, scale=1.5)",
                        "direct(terms=1)",
                        "direct(terms=6)",
                        "direct(terms=5, scale=3.6)"),
                KERNELS.stream()
                        .filter(name -> Kernels.parse(name) instanceof Chi2)
                        .toList());
    }

    @TestFactory
    Stream<DynamicTest> exactMapsOfEverySeparableKernel() {
        return contracts(
                List.of("exact"),
                KERNELS.stream()
                        .filter(name -> Kernels.parse(name) instanceof SeparableKernel)
                        .toList());
    }

    @TestFactory
    Stream<DynamicTest> automaticChoicesOfEveryKernel() {
        return contracts(List.of("auto(error=0.05)"), KERNELS);
    }

    @TestFactory
    Stream<DynamicTest> algebra() {
        return contracts(
                List.of("sampled(order=2)", "lp(dimension=5)", "auto(error=0.05)"),
                List.of(
                        "2.5*chi2",
                        "jensen-shannon[1:4]",
                        "chi2 + 0.5*intersection",
                        "chi2[0:2] + 0.25*jensen-shannon[2:6] + blend"));
    }

    @TestFactory
    Stream<DynamicTest> aRecipeForEveryTerm() {
        return Stream.of(
                contract("sampled(order=1) + exact", "chi2 + 2*hellinger"),
                contract("direct(terms=3) + exact + sampled(order=2)", "chi2[0:3] + linear[3:6] + intersection"));
    }

    /** Maps that keep no sparsity have additive ones as parts. */
    @TestFactory
    Stream<DynamicTest> besideFourierMaps() {
        return Stream.of(
                        List.of("fourier(features=256) + sampled(order=2)", "gaussian(sigma=1) + 0.5*chi2"),
                        List.of("lp(dimension=5) + fourier(features=500)", "chi2 + gaussian(sigma=1)"),
                        List.of("fourier(features=128)@lp(dimension=5) + lp", "exp-chi2(gamma=1) + jensen-shannon"),
                        List.of(
                                "orthogonal(phase, features=128)@direct(terms=4) + exact",
                                "exp-chi2(gamma=1)[0:3] + hellinger[3:6]"),
                        List.of("auto", "skewed-chi2(c=0.1, power=0.5)[0:3] + jensen-shannon"))
                .map(pair -> {
                    Kernel kernel = Kernels.parse(pair.get(1));
                    FeatureMap map = FeatureMaps.parse(pair.get(0))
                            .build(kernel, ROWS, OptionalInt.empty(), new Seed(1), new Notes());
                    return Contracts.over(
                            FeatureMapContract.class, pair.get(0) + " of " + kernel, new FeatureMapCase(map, 0));
                });
    }
}
