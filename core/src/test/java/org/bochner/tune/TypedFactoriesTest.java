package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.Warp;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.scale.Scalings;
import org.bochner.stats.Components;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a typed factory returns equals what its spelling gives. */
class TypedFactoriesTest {
    private static final Bandwidth POWER = Bandwidth.ofRanges(new int[] {1, 3}, new double[] {2, 3});

    static Stream<Arguments> factories() {
        return Stream.of(
                kernel(Kernels.gaussian(0.5), "gaussian(sigma=0.5)"),
                kernel(Kernels.laplacian(2), "laplacian(sigma=2)"),
                kernel(Kernels.cauchy(2), "cauchy(sigma=2)"),
                kernel(Kernels.matern(1.5, 2), "matern(nu=1.5, sigma=2)"),
                kernel(Kernels.rationalQuadratic(3, 2), "rational-quadratic(alpha=3, sigma=2)"),
                kernel(Kernels.sech(2), "sech(sigma=2)"),
                kernel(Kernels.stable(1.5, 1, 2), "stable(p=1.5, q=1, sigma=2)"),
                kernel(Kernels.periodic(24, 0.5), "periodic(period=24, width=0.5)"),
                kernel(Kernels.skewedChi2(0.1, 2), "skewed-chi2(c=0.1, power=2)"),
                kernel(
                        Kernels.skewedChi2(new int[] {2, 3}, new double[] {0.1, 1}, POWER),
                        "skewed-chi2(c=[0:2=0.1, 2:3=1], power=[0:1=2, 1:3=3])"),
                kernel(Kernels.skewedIntersection(0.1, 2), "skewed-intersection(c=0.1, power=2)"),
                kernel(
                        Kernels.skewedIntersection(new int[] {2, 3}, new double[] {0.1, 1}, POWER),
                        "skewed-intersection(c=[0:2=0.1, 2:3=1], power=[0:1=2, 1:3=3])"),
                kernel(Kernels.linear(), "linear"),
                kernel(Kernels.polynomial(3, 0.5, 1), "polynomial(degree=3, gamma=0.5, c=1)"),
                kernel(Kernels.arcCosine(0), "arc-cosine(order=0)"),
                kernel(Kernels.arcSine(0.5, 2), "arc-sine(gamma=0.5, c=2)"),
                kernel(Kernels.wavelet(1.5, 2), "wavelet(frequency=1.5, sigma=2)"),
                kernel(Kernels.chi2(), "chi2"),
                kernel(Kernels.intersection(), "intersection"),
                kernel(Kernels.jensenShannon(), "jensen-shannon"),
                kernel(Kernels.hellinger(), "hellinger"),
                kernel(Kernels.exponential(Kernels.chi2(), 2), "exp-chi2(gamma=2)"),
                kernel(Kernels.laplace(Kernels.intersection(), 2), "laplace-intersection(beta=2)"),
                kernel(
                        Kernels.radial(Kernels.matern(2.5, 0.75), Kernels.chi2().withDegree(2)),
                        "matern-chi2(nu=2.5, sigma=0.75, degree=2)"),
                kernel(Kernels.radial(Kernels.gaussian(0.5), Kernels.hellinger()), "exp-hellinger(gamma=2)"),
                kernel(Kernels.warped(Kernels.gaussian(2), Warp.log(0.1)), "gaussian(sigma=2)@log(c=0.1)"),
                kernel(
                        Kernels.product(List.of(Kernels.gaussian(2), Kernels.laplacian(1)), 2, 1),
                        "gaussian(sigma=2)[0:2] * laplacian(sigma=1)[2:3]"),
                kernel(
                        Kernels.sum(
                                Kernels.channel(Kernels.gaussian(2), 0, 64),
                                Kernels.scaled(0.5, Kernels.channel(Kernels.chi2(), 64, 128))),
                        "gaussian(sigma=2)[0:64] + 0.5*chi2[64:128]"),
                map(FeatureMaps.auto(), "auto"),
                map(FeatureMaps.auto(0.001), "auto(error=0.001)"),
                map(FeatureMaps.fourier(), "fourier"),
                map(FeatureMaps.orthogonal(), "orthogonal"),
                map(FeatureMaps.quasi(), "quasi"),
                map(FeatureMaps.structured(), "structured"),
                map(FeatureMaps.withPhase(FeatureMaps.orthogonal()), "orthogonal(phase)"),
                map(FeatureMaps.exact(), "exact"),
                map(FeatureMaps.sampled(2), "sampled(order=2)"),
                map(FeatureMaps.sampled(2, 7.5), "sampled(order=2, period=7.5)"),
                map(FeatureMaps.sampledAsVlfeat(2), "sampled(order=2, period=vlfeat)"),
                map(FeatureMaps.designed(5), "lp(dimension=5)"),
                map(FeatureMaps.designedForError(0.01), "lp(error=0.01)"),
                map(FeatureMaps.chebyshev(4), "chebyshev(terms=4)"),
                map(FeatureMaps.direct(4), "direct(terms=4)"),
                map(FeatureMaps.unary(10), "unary(bins=10)"),
                map(FeatureMaps.piecewise(10), "piecewise(bins=10)"),
                map(FeatureMaps.sparsePiecewise(10), "piecewise(bins=10, sparse)"),
                map(FeatureMaps.tensorSketch(), "tensor-sketch"),
                map(FeatureMaps.rectified(), "rectified"),
                map(FeatureMaps.sigmoid(), "sigmoid"),
                map(FeatureMaps.learnedLandmarks(20), "landmarks(features=20, by=learned)"),
                map(FeatureMaps.twoStage(FeatureMaps.quasi(), FeatureMaps.sampled(1)), "quasi@sampled(order=1)"),
                map(FeatureMaps.perTerm(FeatureMaps.fourier(), FeatureMaps.exact()), "fourier + exact"),
                of(
                        Scalings.byRange(Map.of(new ColumnRange("", 0, 20), Scalings.unitL1())),
                        "unit-l1[0:20]",
                        Scalings::parse),
                of(Scalings.divide(255), "divide(by=255)", Scalings::parse),
                calibration(CalibrationRecipe.platt(), "platt"),
                calibration(CalibrationRecipe.platt().withFolds(10), "platt(folds=10)"),
                calibration(CalibrationRecipe.temperature().withHoldout(0.2), "temperature(holdout=20%)"),
                calibration(CalibrationRecipe.isotonic(), "isotonic"),
                calibration(CalibrationRecipe.quantile(), "quantile"),
                calibration(CalibrationRecipe.quantile().withRank(7), "quantile(rank=7)"),
                learner(Learner.logistic().withAutoL1().withL2(2), "logistic(l1=auto, l2=2)"),
                learner(Learner.svm().withSquaredHinge().withAutoL2(), "svm(loss=squared-hinge, l2=auto)"),
                learner(
                        Learner.logistic().withAutoGroup().withChannelGroups(),
                        "logistic(group=auto, groups=channels)"),
                loss(ChannelLoss.square(), "square"),
                loss(ChannelLoss.logistic(), "logistic"),
                loss(ChannelLoss.squaredHinge(), "squared-hinge"),
                loss(ChannelLoss.hinge(), "hinge"),
                loss(ChannelLoss.insensitive(0.1), "insensitive"),
                loss(ChannelLoss.squaredInsensitive(0.2), "squared-insensitive(epsilon=0.2)"),
                loss(ChannelLoss.smoothInsensitive(0.1, 10), "smooth-insensitive"),
                loss(ChannelLoss.smoothInsensitive(0.2, 5), "smooth-insensitive(epsilon=0.2, gamma=5)"),
                criterion(Criterion.training(), "train"),
                criterion(Criterion.validation(0.25), "validation(share=25%)"),
                criterion(Criterion.crossValidation(3), "cv(folds=3)"),
                criterion(Criterion.generalizedCrossValidation(), "gcv"),
                criterion(Criterion.leaveOneOut(), "loo"),
                criterion(Criterion.evidence(), "evidence"));
    }

    private static Arguments kernel(Object typed, String spelling) {
        return of(typed, spelling, Kernels::parse);
    }

    private static Arguments map(Object typed, String spelling) {
        return of(typed, spelling, FeatureMaps::parse);
    }

    private static Arguments calibration(Object typed, String spelling) {
        return of(typed, spelling, CalibrationRecipe::parse);
    }

    private static Arguments learner(Object typed, String spelling) {
        return of(typed, spelling, Learner::parse);
    }

    private static Arguments loss(Object typed, String spelling) {
        return of(typed, spelling, ChannelLoss::parse);
    }

    private static Arguments criterion(Object typed, String spelling) {
        return of(typed, spelling, Criterion::parse);
    }

    private static Arguments of(Object typed, String spelling, Function<String, Object> parse) {
        return arguments(spelling, typed, parse);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("factories")
    void equalTheirSpellings(String spelling, Object typed, Function<String, Object> parse) {
        assertEquals(parse.apply(spelling), typed);
        assertEquals(parse.apply(spelling).hashCode(), typed.hashCode());
        assertEquals(typed, parse.apply(typed.toString()), "the printed spelling");
    }

    @Test
    void refuseWrongArgumentsAndParsersRefuseWrongSpellings() {
        for (Runnable wrong : List.<Runnable>of(
                () -> Kernels.product(List.of(Kernels.gaussian(2), Kernels.laplacian(1)), 2),
                () -> Kernels.product(List.of(Kernels.gaussian(2), Kernels.laplacian(1)), 1, 1, 1),
                () -> FeatureMaps.withPhase(FeatureMaps.exact()),
                () -> FeatureMaps.auto(-1),
                () -> CalibrationRecipe.platt().withFolds(0),
                () -> CalibrationRecipe.platt().withHoldout(0),
                () -> CalibrationRecipe.platt().withRank(3),
                () -> CalibrationRecipe.quantile().withFolds(5),
                () -> ChannelLoss.smoothInsensitive(-1, 10),
                () -> Criterion.validation(1))) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
        for (Runnable wrong : List.<Runnable>of(
                () -> CalibrationRecipe.parse("platt(folds=1)"),
                () -> ChannelLoss.parse("smooth-insensitive(epsilon=-1)"),
                () -> Criterion.parse("validation(share=1)"),
                () -> Criterion.parse("cv(folds=1)"),
                () -> Components.parse("0%"),
                () -> Components.parse("101%"))) {
            assertThrows(SpellingException.class, wrong::run);
        }
    }
}
