package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bochner.base.Setting;
import org.bochner.model.ComparedMethod;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    private static final ComparedMethod LANDMARKS = method(
            "landmarks 250", Map.of(Setting.MAP, "landmarks(features=250, by=k-means)"), 20_000, 0.1484, 13, 249);
    private static final ComparedMethod LARGER = method("landmarks 1000", Map.of(), 20_000, 0.1468, 10, 993);

    private static ComparedMethod method(
            String name, Map<Setting, Object> settings, long rows, double error, double seconds, long bytes) {
        return new ComparedMethod(
                name,
                "map",
                Optional.of(settings),
                1,
                rows,
                1000,
                error,
                0.0028,
                seconds,
                1,
                1e-6,
                bytes,
                Optional.empty());
    }

    private static List<String> lines(ComparedMethod... methods) {
        return new Recommendation(List.of("bochner", "train", "a9a"), "laplacian", true, List.of(methods))
                .toString()
                .lines()
                .toList();
    }

    @Test
    void namesTheSmallestModelNearTheLowestError() {
        assertEquals(
                List.of(
                        "Recommended: landmarks 250 (error 14.84%). It has the smallest model of the 2 methods within one"
                                + " standard error of the lowest error, 14.68% (landmarks 1000).",
                        "Train it on all rows: bochner train a9a --kernel laplacian --map"
                                + " 'landmarks(features=250, by=k-means)' --model FILE"),
                lines(LARGER, LANDMARKS));
    }

    @Test
    void saysIfNoOtherMethodIsNear() {
        assertEquals(
                "Recommended: landmarks 1000. Its error, 14.68%, is the lowest, and no other method is within one"
                        + " standard error of it.",
                lines(LARGER).get(0));
    }

    @Test
    void trainsAMachineThatWasMeasuredOnASampleOnASample() {
        ComparedMethod exact = method("exact", Map.of(Setting.SUBSAMPLE, 5000L), 5000, 0.1, 1, 1);
        assertEquals(
                "Train it: bochner train a9a --kernel laplacian --subsample 5000 --model FILE",
                lines(LARGER, exact).get(1));
    }

    @Test
    void hasTheKernelOfTheMethod() {
        ComparedMethod linear = method("linear", Map.of(Setting.KERNEL, "linear"), 20_000, 0.1, 1, 1);
        assertEquals(
                "Train it on all rows: bochner train a9a --kernel linear --model FILE",
                lines(linear).get(1));
    }

    @Test
    void hasACommandForTheBestOwnMethodIfAMethodOfAnotherLibraryIsRecommended() {
        ComparedMethod peer = new ComparedMethod(
                "xgboost", "peer", Optional.empty(), 1, 20_000, 1000, 0.1, 0.0028, 1, 1, 1e-6, 10, Optional.empty());
        assertEquals(
                List.of(
                        "Recommended: xgboost. Its error, 10.00%, is the lowest, and no other method is within one"
                                + " standard error of it. train does not have this method.",
                        "The lowest error of the methods that train has is 14.68% (landmarks 1000).",
                        "Train it on all rows: bochner train a9a --kernel laplacian --model FILE"),
                lines(LANDMARKS, LARGER, peer));
    }
}
