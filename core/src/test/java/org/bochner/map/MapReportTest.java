package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.fourier.FrequencyChoice;
import org.bochner.map.study.RowFeatures;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MapReportTest {
    private static final Seed SEED = new Seed(5);

    private static FeatureMap build(String map, String kernel, RowSample rows) {
        return FeatureMaps.parse(map).build(Kernels.parse(kernel), rows, OptionalInt.empty(), SEED, new Notes());
    }

    private static double product(FeatureMap map, double[] x, double[] y) {
        double[] a = new double[map.outputDimension()];
        double[] b = new double[map.outputDimension()];
        map.apply(x, a);
        map.apply(y, b);
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    @Nested
    class Overall {
        @Test
        void measuresOnePairAsByHand() {
            FeatureMap map = FourierRecipe.RANDOM.build(new Gaussian(1), 2, 64, SEED);
            double[][] pair = {{0.25, 0.5}, {1, -0.5}};
            double k = Math.exp(-0.5 * (0.75 * 0.75 + 1));
            double error = Math.abs(product(map, pair[0], pair[1]) - k);
            MapReport report = MapReport.measure(map, SampleRows.of(pair), 10, SEED);
            MapReport.Errors absolute = report.overall().absolute();
            assertEquals(64, report.features());
            assertEquals(1, absolute.pairs());
            assertEquals(error, absolute.max(), 1e-6);
            assertEquals(absolute.max(), absolute.mean());
            assertEquals(absolute.max(), absolute.percentile99());
            assertEquals(absolute.max(), absolute.rms(), 1e-15);
            assertEquals(error / k, report.overall().relative().max(), 1e-5);
            assertEquals(k, report.overall().low(), 1e-15);
            assertEquals(k, report.overall().high(), 1e-15);
            assertTrue(report.inputRanges().isEmpty(), "a Gaussian is no sum over the columns");
        }

        @Test
        void isOfKnownErrors() {
            // A map that doubles the kernel errs by its value.
            FeatureMap map = new ScaledFeatures(Math.sqrt(2), false);
            MapReport report = MapReport.measure(
                    map, SampleRows.of(new double[] {1}, new double[] {2}, new double[] {0}), 10, SEED);
            // Errors of 2, 0 and 0; a relative one where k = 1·2 alone. √2 is a float32 feature.
            MapReport.Errors absolute = report.overall().absolute();
            assertEquals(3, absolute.pairs());
            assertEquals(2, absolute.max(), 1e-6);
            assertEquals(Math.sqrt(4.0 / 3), absolute.rms(), 1e-6);
            assertEquals(2.0 / 3, absolute.mean(), 1e-6);
            assertEquals(2, absolute.percentile99(), 1e-6);
            assertEquals(1, report.overall().relative().pairs());
            assertEquals(1, report.overall().relative().max(), 1e-6);
            assertEquals(1, report.overall().relative().mean(), 1e-6);
            assertTrue(Double.isNaN(report.boundMax()), "of a map from outside nothing is known");
            assertTrue(Double.isNaN(report.expectedRms()));
        }

        @Test
        void rangesShareOutAllPairs() {
            FeatureMap map = FourierRecipe.RANDOM.build(new Gaussian(0.5), 4, 256, SEED);
            MapReport report = MapReport.measure(map, SampleRows.uniform(60, 4), 10_000, SEED);
            MapReport.Errors all = report.overall().absolute();
            assertEquals(60 * 59 / 2, all.pairs());
            assertEquals(
                    all.pairs(),
                    report.ranges().stream()
                            .mapToInt(range -> range.absolute().pairs())
                            .sum());
            double squares = 0;
            for (MapReport.Range range : report.ranges()) {
                MapReport.Errors errors = range.absolute();
                squares += errors.pairs() * errors.rms() * errors.rms();
                assertTrue(errors.mean() <= errors.rms() && errors.rms() <= errors.max());
                assertTrue(errors.percentile99() <= errors.max());
                // A relative error is the absolute one over a value of the range.
                assertTrue(range.relative().max() <= errors.max() / range.low() * (1 + 1e-12));
                assertTrue(range.relative().rms() >= errors.rms() / range.high() * (1 - 1e-12));
            }
            assertEquals(all.rms(), Math.sqrt(squares / all.pairs()), 1e-12);
        }

        @Test
        void drawsPairsWhereThereAreTooMany() {
            FeatureMap map = FourierRecipe.RANDOM.build(new Gaussian(0.5), 4, 64, SEED);
            MapReport report = MapReport.measure(map, SampleRows.uniform(200, 4), 700, SEED);
            assertEquals(700, report.overall().absolute().pairs());
            assertEquals(report, MapReport.measure(map, SampleRows.uniform(200, 4), 700, SEED));
        }

        @Test
        void ofEqualRowsHasNoRanges() {
            FeatureMap map = FourierRecipe.RANDOM.build(new Gaussian(1), 2, 64, SEED);
            MapReport report = MapReport.measure(map, SampleRows.of(new double[3][2]), 10, SEED);
            assertEquals(0, report.overall().absolute().max(), 1e-6);
            assertTrue(report.ranges().isEmpty());
        }

        @Test
        void isTheSameForSparseAndDenseRows() {
            RowSample dense = SampleRows.histograms(30, 6);
            // Columns of zeros around them make the rows sparse, and change nothing else.
            double[][] wide = new double[30][60];
            for (int i = 0; i < wide.length; i++) {
                System.arraycopy(dense.row(i), 0, wide[i], 40, 6);
            }
            RowSample sparse = SampleRows.of(wide);
            for (String kernel : List.of("chi2", "jensen-shannon", "2*intersection[40:46]")) {
                String narrow = kernel.replace("[40:46]", "");
                MapReport a = MapReport.measure(build("sampled(order=2)", narrow, dense), dense, 1000, SEED);
                MapReport b = MapReport.measure(build("sampled(order=2)", kernel, sparse), sparse, 1000, SEED);
                assertEquals(a.overall().absolute(), b.overall().absolute());
                assertEquals(a.inputRanges(), b.inputRanges());
                assertEquals(a.additiveRms(), b.additiveRms());
                assertEquals(a.boundRms(), b.boundRms());
                assertEquals(a.boundMax(), b.boundMax());
            }
        }

        @Test
        void usesWhitenedFeaturesWhereThePenaltyIsNotPlain() {
            RowSample rows = SampleRows.uniform(20, 1);
            assertEquals(
                    0,
                    MapReport.measure(new ScaledFeatures(3, true), rows, 1000, SEED)
                            .overall()
                            .absolute()
                            .max(),
                    1e-6);
        }

        @Test
        void needsTwoRowsOfTheRightWidth() {
            FeatureMap map = FourierRecipe.RANDOM.build(new Gaussian(1), 2, 64, SEED);
            assertThrows(
                    BochnerException.class, () -> MapReport.measure(map, SampleRows.of(new double[1][2]), 10, SEED));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> MapReport.measure(map, SampleRows.of(new double[3][3]), 10, SEED));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> MapReport.measure(map, SampleRows.of(new double[3][2]), 0, SEED));
        }

        @Test
        void looksAtFewerRowsOfVeryLargeMaps() {
            RowSample rows = SampleRows.uniform(200, 1);
            FeatureMap large = FourierRecipe.RANDOM.build(new Gaussian(1), 1, 1 << 18, SEED);
            assertEquals(128, RowFeatures.affordableRows(large, rows.block()));
            FeatureMap small = FourierRecipe.RANDOM.build(new Gaussian(1), 1, 1 << 12, SEED);
            assertTrue(RowFeatures.affordableRows(small, rows.block()) > 1000);
        }
    }

    /** A map from outside the library: x·factor for the linear kernel, with a penalty that makes up for the factor if wanted. */
    private record ScaledFeatures(double factor, boolean whitened) implements FeatureMap {
        @Override
        public boolean hasPlainPenalty() {
            return !whitened;
        }

        @Override
        public void whiten(double[] features, int at) {
            features[at] /= factor;
        }

        @Override
        public void unwhiten(double[] weights, int at, int stride) {
            weights[at] /= factor;
        }

        @Override
        public int inputDimension() {
            return 1;
        }

        @Override
        public int outputDimension() {
            return 1;
        }

        @Override
        public Kernel kernel() {
            return new Linear();
        }

        @Override
        public void apply(double[] x, double[] out) {
            out[0] = factor * x[0];
        }

        @Override
        public State state() {
            throw new UnsupportedOperationException();
        }
    }

    @Nested
    class OfFourierMaps {
        @Test
        void expectsByTheFormulas() {
            double[][] pair = {{0.25, 0.5}, {1, -0.5}};
            double k = Math.exp(-0.5 * (0.75 * 0.75 + 1));
            MapReport pairs = MapReport.measure(
                    FourierRecipe.RANDOM.build(new Gaussian(1), 2, 64, SEED), SampleRows.of(pair), 10, SEED);
            assertEquals(Math.sqrt((1 + Math.pow(k, 4) - 2 * k * k) / 64), pairs.expectedRms(), 1e-15);
            assertEquals(pairs.expectedRms(), pairs.fourierRms());
            assertEquals(0, pairs.additiveRms());
            assertTrue(Double.isNaN(pairs.boundRms()));
            // 2·exp(−D·ε²/4) = 0.05 for one pair.
            assertEquals(Math.sqrt(4 * Math.log(40) / 64), pairs.boundMax(), 1e-12);
            MapReport phase = MapReport.measure(
                    new FourierRecipe(FrequencyChoice.FOURIER, FourierForm.PHASE).build(new Gaussian(1), 2, 64, SEED),
                    SampleRows.of(pair),
                    10,
                    SEED);
            assertEquals(Math.sqrt((1 + Math.pow(k, 4) / 2 - k * k) / 64), phase.expectedRms(), 1e-15);
            assertEquals(Math.sqrt(8 * Math.log(40) / 64), phase.boundMax(), 1e-12);
        }

        @Test
        void expectsWhatIndependentFrequenciesGive() {
            // Mean of squares over 30 maps against its expectation. Errors of one map's pairs go together; even if each
            // map counted for a single Gaussian error, 5 standard deviations of the mean would be 5·√(2/30) = 1.3.
            for (String recipe : new String[] {"fourier", "fourier(phase)"}) {
                String kernel = "gaussian(sigma=1)[0:2] + 0.5*matern(nu=2.5, sigma=2) + laplacian(sigma=5)@log(c=1)";
                double measured = 0;
                double expected = 0;
                for (int s = 0; s < 30; s++) {
                    FeatureMap map = FeatureMaps.parse(recipe).build(Kernels.parse(kernel), 4, 96, new Seed(s));
                    MapReport report = MapReport.measure(map, SampleRows.uniform(20, 4), 1000, SEED);
                    measured += Math.pow(report.overall().absolute().rms(), 2);
                    expected += Math.pow(report.expectedRms(), 2);
                }
                assertEquals(1, measured / expected, 1.3);
                assertTrue(measured / expected > 0.4, "ratio " + measured / expected);
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "gaussian(sigma=1)",
                    "gaussian(sigma=0.3) + 2*laplacian(sigma=1)[0:2]",
                    "skewed-chi2(c=0.1, power=1)",
                    "exp-chi2(gamma=2)"
                })
        void staysWithinHoeffdingsBound(String kernel) {
            // The bound is one over all pairs at once, exceeded by at most one map in 20; on these seeds by none.
            RowSample rows = SampleRows.histograms(40, 5);
            for (int s = 0; s < 10; s++) {
                for (String recipe : new String[] {"fourier", "fourier(phase)"}) {
                    FeatureMap map = FeatureMaps.parse(recipe)
                            .build(Kernels.parse(kernel), rows, OptionalInt.of(64), new Seed(s), new Notes());
                    MapReport report = MapReport.measure(map, rows, 1000, SEED);
                    double max = report.overall().absolute().max();
                    assertTrue(max <= report.boundMax(), () -> max + " with the seed");
                }
            }
        }

        @Test
        void ofADistanceTellsTheStagesApart() {
            RowSample rows = SampleRows.histograms(30, 8);
            Kernel kernel = Kernels.parse("exp-chi2(gamma=2)");
            TwoStageMap map = (TwoStageMap) FeatureMaps.parse("fourier@sampled(order=1)")
                    .build(kernel, rows, OptionalInt.of(512), SEED, new Notes());
            MapReport theory = MapReport.measure(map, rows, 1000, SEED);
            double squares = 0;
            double variance = 0;
            int pairs = 0;
            for (int i = 0; i < 30; i++) {
                for (int j = 0; j < i; j++) {
                    double[] x = rows.row(i);
                    double[] y = rows.row(j);
                    double squared =
                            product(map.first(), x, x) + product(map.first(), y, y) - 2 * product(map.first(), x, y);
                    double k = kernel.value(x, y);
                    squares += Math.pow(Math.exp(-2 * squared) - k, 2);
                    // At twice the offset the squared distance is fourfold.
                    variance += (1 + Math.pow(k, 4) - 2 * k * k) / 512;
                    pairs++;
                }
            }
            // Features of the first stage are float32: 1e-7 of a squared distance of at most 2, times γ.
            assertEquals(Math.sqrt(squares / pairs), theory.additiveRms(), 1e-6);
            assertEquals(Math.sqrt(variance / pairs), theory.fourierRms(), 1e-12);
            assertEquals(Math.hypot(theory.additiveRms(), theory.fourierRms()), theory.expectedRms(), 1e-15);
        }
    }

    @Nested
    class OfAdditiveMaps {
        @Test
        void measuresColumnsAsByHand() {
            // Two terms of the direct series err by κ(x, y)·(qₓ·q_y)², with q = (x − 1)/(x + 1).
            RowSample rows = SampleRows.of(new double[] {0.5, 0, 0.02}, new double[] {0.25, 3, 0.3});
            FeatureMap map = build("direct(terms=2, scale=1)", "chi2", rows);
            double first = error(0.5, 0.25);
            double second = error(0.02f, 0.3f);
            MapReport report = MapReport.measure(map, rows, 10, SEED);
            assertEquals(first + second, report.overall().absolute().max(), 1e-7);
            double k = new Chi2(1).value(rows.row(0), rows.row(1));
            assertEquals((first + second) / k, report.overall().relative().max(), 1e-6);
            // The column in which a value is zero has no error, and no line.
            assertEquals(2, report.inputRanges().size());
            MapReport.Range small = report.inputRanges().get(0);
            assertEquals(List.of(0.01, 0.1, 0.1, 1.0), bounds(small));
            assertEquals(second, small.absolute().max(), 1e-7);
            assertEquals(
                    second / new Chi2(1).scalar(0.02f, 0.3f), small.relative().max(), 1e-6);
            MapReport.Range large = report.inputRanges().get(1);
            assertEquals(List.of(0.1, 1.0, 0.1, 1.0), bounds(large));
            assertEquals(first, large.absolute().rms(), 1e-7);
            assertEquals(first + second, report.boundMax(), 1e-9);
            assertEquals(first + second, report.boundRms(), 1e-9);
            assertTrue(Double.isNaN(report.expectedRms()), "nothing is random");
        }

        private static double error(double x, double y) {
            double q = (x - 1) / (x + 1) * ((y - 1) / (y + 1));
            return new Chi2(1).scalar(x, y) * q * q;
        }

        private static List<Double> bounds(MapReport.Range range) {
            return List.of(range.low(), range.high(), range.otherLow(), range.otherHigh());
        }

        @Test
        void countsPowersOfTenToTheDecadeTheyBegin() {
            // As float32, 0.01 and 0.001 are a little less or more than they are.
            RowSample rows = SampleRows.of(new double[] {0.01, 0.001, 10}, new double[] {0.01, 0.001, 10});
            MapReport report = MapReport.measure(build("sampled(order=1)", "chi2", rows), rows, 10, SEED);
            assertEquals(
                    List.of(0.001, 0.01, 10.0),
                    report.inputRanges().stream().map(MapReport.Range::low).toList());
        }

        @Test
        void relativeErrorsDifferByTheMagnitudesOfTheValues() {
            // Ten terms of the direct series with the pivot 1, at the values of these decades: next to nothing at
            // (0.5, 0.5), 55% at (0.01, 0.02), 80% at (0.001, 0.01).
            RowSample rows = SampleRows.of(new double[] {0.5, 0.01, 0.001}, new double[] {0.5, 0.02, 0.01});
            MapReport report = MapReport.measure(build("direct(terms=10, scale=1)", "chi2", rows), rows, 10, SEED);
            List<Double> relative = report.inputRanges().stream()
                    .map(range -> range.relative().max())
                    .toList();
            assertEquals(0.80, relative.get(0), 0.01);
            assertEquals(0.55, relative.get(1), 0.01);
            assertEquals(0, relative.get(2), 1e-6);
        }

        @ParameterizedTest
        @CsvSource({
            "chi2, sampled(order=1)",
            "chi2, sampled(order=3)",
            "chi2(degree=0.5), sampled(order=2)",
            "chi2, chebyshev(terms=3)",
            "chi2(degree=1.5), chebyshev(terms=4)",
            "chi2, direct(terms=4)",
            "chi2(degree=2), direct(terms=4)",
            "intersection, sampled(order=2)",
            "jensen-shannon, 'sampled(order=1, window=uniform, period=vlfeat)'",
            "hellinger, exact",
            "3*chi2[0:4] + intersection[4:8], sampled(order=1)"
        })
        void staysWithinTheBound(String kernel, String recipe) {
            RowSample rows = SampleRows.histograms(50, 8);
            MapReport report = MapReport.measure(build(recipe, kernel, rows), rows, 2000, SEED);
            MapReport.Errors errors = report.overall().absolute();
            // Features are float32: each product is off by 1.2e-7 of itself, and they sum to the value.
            double rounding = 2e-7 * Math.max(1, report.overall().high());
            assertTrue(errors.max() <= report.boundMax() + rounding, errors + " " + report);
            assertTrue(errors.rms() <= report.boundRms() + rounding, errors + " " + report);
            assertEquals(errors.rms(), report.additiveRms());
        }

        @Test
        void boundIsTheKnownOneOfSampledSpectra() {
            // The largest error of order 1 over all ratios is 0.0203 of the larger value, met at equal values.
            RowSample rows = SampleRows.of(new double[] {0.5, 2}, new double[] {0.5, 2});
            MapReport report = MapReport.measure(build("sampled(order=1)", "chi2", rows), rows, 10, SEED);
            assertEquals(0.02031 * 2.5, report.boundMax(), 1e-4);
        }

        @Test
        void termBesideRandomOnesCountsForWhatItIs() {
            RowSample rows = SampleRows.histograms(30, 4);
            FeatureMap additive = build("sampled(order=1)", "chi2", rows);
            FeatureMap sum = FeatureMaps.parse("fourier + sampled(order=1)")
                    .build(Kernels.parse("gaussian(sigma=1) + chi2"), rows, OptionalInt.of(128), SEED, new Notes());
            MapReport theory = MapReport.measure(sum, rows, 1000, SEED);
            double alone = MapReport.measure(additive, rows, 1000, SEED)
                    .overall()
                    .absolute()
                    .rms();
            assertEquals(alone, theory.additiveRms(), 1e-9);
            assertTrue(theory.expectedRms() > theory.fourierRms());
        }
    }
}
