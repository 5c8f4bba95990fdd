package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.RadialProfile;
import org.bochner.map.FeatureMaps;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every Fourier recipe after an additive map, with the kernels of every distance and the profiles of each kind. */
class RadialMapContractTest {
    private static final int FEATURES = 260;

    /** What structured maps may be off in the mean, with up to 64 columns. */
    private static final double STRUCTURED_BIAS = 0.009;

    private static final List<String> DISTANCES = List.of("chi2", "intersection", "jensen-shannon", "hellinger");

    /** Profiles with a length-scale: of the library, and one that it does not know. */
    private static final List<String> PROFILES = List.of("matern", "rational-quadratic", "twin");

    private static final RowSample ROWS = RowSample.even(40, 6, 0, 1, new Seed(2));

    private static TwoStageMap build(String recipe, String kernel) {
        return (TwoStageMap) FeatureMaps.parse(recipe)
                .build(Kernels.parse(kernel), ROWS, OptionalInt.of(FEATURES), new Seed(1), new Notes());
    }

    private static DynamicTest contract(String recipe, String kernel) {
        double bias = recipe.startsWith("structured") ? STRUCTURED_BIAS : 0;
        return Contracts.over(
                FeatureMapContract.class, recipe + " of " + kernel, new FeatureMapCase(build(recipe, kernel), bias));
    }

    private static String firstStage(String distance) {
        return distance.equals("hellinger") ? "exact" : "sampled(order=2)";
    }

    @TestFactory
    Stream<DynamicTest> everyFourierRecipeAfterAGivenMap() {
        List<DynamicTest> contracts = new ArrayList<>();
        int next = 0;
        for (String name : FeatureMaps.fourierNames()) {
            for (String recipe : List.of(name, name + "(phase)")) {
                String distance = DISTANCES.get(next++ % DISTANCES.size());
                String both = recipe + "@" + firstStage(distance);
                contracts.add(contract(both, "exp-" + distance + "(gamma=0.7)"));
                contracts.add(contract(both, "laplace-" + distance + "(beta=0.7)"));
                contracts.add(contract(both, PROFILES.get(next % PROFILES.size()) + "-" + distance + "(sigma=1.2)"));
            }
        }
        return contracts.stream();
    }

    @TestFactory
    Stream<DynamicTest> everyKernelAfterAChosenMap() {
        return Stream.concat(
                        DISTANCES.stream()
                                .flatMap(d -> Stream.of("exp-" + d + "(gamma=1)", "laplace-" + d + "(beta=1)")),
                        Stream.of(
                                "exp-blend(gamma=2)",
                                "exp-chi2(gamma=1, degree=0.5)",
                                "matern-chi2(nu=0.8, sigma=1)",
                                "rational-quadratic-jensen-shannon(alpha=0.5, sigma=0.7, degree=0.5)",
                                "twin-blend(sigma=1.5)"))
                .map(kernel -> contract("fourier", kernel));
    }

    @TestFactory
    Stream<DynamicTest> everyAdditiveRecipeBefore() {
        return Stream.of("chebyshev(terms=4)", "direct(terms=4)", "auto")
                .map(first -> contract("orthogonal@" + first, "exp-chi2(gamma=1)"));
    }

    /**
     * |e^(−γa) − e^(−γb)| ≤ γ|a − b|, and |e^(−β√a) − e^(−β√b)| ≤ β√|a − b|, where the squared distance a of the features errs by at
     * most the bounds of both lengths and twice that of the inner product.
     */
    @Test
    void firstStageKeepsTheBoundOfItsError() {
        for (String kernel : List.of(
                "exp-chi2(gamma=1)",
                "laplace-jensen-shannon(beta=2)",
                "exp-intersection(gamma=3)",
                "exp-blend(gamma=1)")) {
            TwoStageMap map = build("fourier@sampled(order=2)", kernel);
            RadialKernel radial = (RadialKernel) map.kernel();
            double[][] rows = new FeatureMapCase(map, 0).samples(6);
            for (double[] x : rows) {
                for (double[] y : rows) {
                    double error = MapBounds.ofColumns(map.first(), x, x)
                            + MapBounds.ofColumns(map.first(), y, y)
                            + 2 * MapBounds.ofColumns(map.first(), x, y);
                    double bound = radial.scale() * (radial.profile() == RadialProfile.EXP ? error : Math.sqrt(error));
                    double moved = MapBounds.ofFirstStage(map, x, y);
                    assertTrue(moved <= bound + 1e-11, kernel + " moved by " + moved + ", allowed is " + bound);
                }
            }
        }
    }
}
