package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.exact.ExactCriterion;
import org.bochner.tune.exact.ExactFolds;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.CriterionResult;
import org.bochner.tune.scales.RidgeCriterion;
import org.bochner.tune.scales.ScaleCriterion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of criteria from exact kernels; {@link ScaleGradientTest} has their derivatives. */
class ExactCriterionTest {
    private static final String KERNEL = "laplacian(sigma=2)";

    private static double value(ScaleCriterion criterion, FeatureMap map) {
        return criterion.prepare(map).evaluate(0.2).value();
    }

    private static SmallProblem problem(RowSource source, FeatureMap map, double lambda) {
        return new SmallProblem(source, map, ClassWeights.none(), lambda);
    }

    /**
     * With all rows as landmarks, the whitened features of the rows have the kernel values as inner products, and ridge
     * regression on them is exact kernel ridge regression. The factor of K has an error of about 1e-16 times its
     * condition, which is below 1e5 for this kernel: 1e-10, with a margin.
     */
    @ParameterizedTest
    @ValueSource(strings = {"train", "validation", "cv(folds=3)", "gcv", "loo", "evidence"})
    void equalsTheCriterionOfFeaturesWithTheSameInnerProducts(String criterion) {
        for (MemorySource source : new MemorySource[] {SmallProblem.numbers(), SmallProblem.classes()}) {
            Kernel kernel = Kernels.parse(KERNEL);
            RowBlock rows = LandmarkRows.range(SmallProblem.block(source), 0, SmallProblem.ROWS);
            FeatureMap features = new LandmarkMap(kernel, rows, LandmarkForm.WHITENED);
            Criterion parsed = Criterion.parse(criterion);
            FoldedRows folded = problem(source, features, 0.2).folded(parsed, Long.MAX_VALUE, SmallProblem.ONE_THREAD);
            ClassWeights none = ClassWeights.none();
            double expected = value(new RidgeCriterion(parsed.kind(), folded, none, Precision.FLOAT64), features);
            ExactFolds rowsOfFolds = ExactFolds.load(folded, parsed.foldCount(), none);
            double exact = value(
                    new ExactCriterion(parsed.kind(), rowsOfFolds, SmallProblem.ONE_THREAD),
                    new UnmappedKernel(kernel, SmallProblem.COLUMNS));
            assertEquals(expected, exact, 1e-9 * expected);
        }
    }

    /**
     * The training criterion is λ·yᵀA⁻¹y/yᵀy with A = K + λI, centred. For two matrices K that differ by Δ,
     * |A⁻¹ − Â⁻¹| ≤ |Δ|/λ², because both are at least λI; so the criteria differ by at most |Δ|/λ, whatever the rows.
     * Row weights are at most 2.
     */
    @Test
    void isTheLimitOfManyFourierFeatures() {
        RowSource source = SmallProblem.numbers();
        Kernel kernel = Kernels.parse("gaussian(sigma=0.7)");
        double lambda = 20;
        Criterion train = Criterion.training();
        double exact = problem(source, new UnmappedKernel(kernel, SmallProblem.COLUMNS), lambda)
                .value(train);
        double last = Double.POSITIVE_INFINITY;
        for (int features : new int[] {600, 1200}) {
            FeatureMap map = FeatureMaps.parse("fourier").build(kernel, SmallProblem.COLUMNS, features, new Seed(3));
            double distance = distance(map, kernel, SmallProblem.block(source));
            // Each of D/2 cosines has a variance of at most 1/2, so the expected |Δ|² is at most n²/D.
            assertTrue(distance < 3 * SmallProblem.ROWS / Math.sqrt(features), "distance " + distance);
            // Criteria are between 0 and 1, so a bound near 1 would test nothing.
            assertTrue(2 * distance / lambda < 0.25, "distance " + distance);
            double difference = Math.abs(problem(source, map, lambda).value(train) - exact);
            assertTrue(difference <= 2 * distance / lambda, difference + " above " + 2 * distance / lambda);
            assertTrue(distance < last);
            last = distance;
        }
    }

    /**
     * All values of this kernel are 1 but for rounding, so the centred matrix is the rounding alone, whose norm is at most a few
     * times 1e-16·n for n rows: below the smallest penalty, 16 times that.
     */
    @Test
    void theSmallestPenaltyExceedsTheRoundingOfCentredValues() {
        RowSource source = SmallProblem.numbers();
        Criterion train = Criterion.training();
        FoldedRows folded = problem(
                        source, new UnmappedKernel(Kernels.parse("gaussian(sigma=1)"), SmallProblem.COLUMNS), 1)
                .folded(train, Long.MAX_VALUE, SmallProblem.ONE_THREAD);
        ExactCriterion criterion = new ExactCriterion(
                train.kind(), ExactFolds.load(folded, train.foldCount(), ClassWeights.none()), SmallProblem.ONE_THREAD);
        UnmappedKernel flat = new UnmappedKernel(Kernels.parse("matern(nu=0.5, sigma=1e12)"), SmallProblem.COLUMNS);
        double value = criterion.evaluate(flat, 0, true).value();
        assertTrue(Double.isFinite(value), "value " + value);
        assertTrue(criterion.smallestPenalty() >= 16e-16 * SmallProblem.ROWS, "" + criterion.smallestPenalty());
    }

    /** Returns the Frobenius norm of the error of the kernel values. */
    private static double distance(FeatureMap map, Kernel kernel, RowBlock rows) {
        double[][] x = new double[rows.rows()][rows.columns()];
        double[][] z = new double[rows.rows()][map.outputDimension()];
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            rows.copyRow(i, x[i]);
            map.apply(x[i], z[i]);
            for (int j = 0; j <= i; j++) {
                double error = -kernel.value(x[i], x[j]);
                for (int k = 0; k < z[i].length; k++) {
                    error += z[i][k] * z[j][k];
                }
                sum += (j < i ? 2 : 1) * error * error;
            }
        }
        return Math.sqrt(sum);
    }

    /** A criterion of more rows than two blocks of derivatives have. */
    private static ScaleCriterion ofManyRows(String criterion, Kernel kernel, int threads) {
        RowSource source = ChannelRows.numbers(300);
        Criterion parsed = Criterion.parse(criterion);
        FoldedRows folded = FoldedRows.read(
                source,
                Scalings.identity(source.columns()),
                kernel,
                SmallProblem.folds(parsed),
                parsed.foldCount(),
                0,
                SmallProblem.ONE_THREAD);
        ExactFolds rows = ExactFolds.load(folded, parsed.foldCount(), ClassWeights.none());
        return new ExactCriterion(parsed.kind(), rows, new Workers(threads));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cv(folds=3)", "loo", "evidence"})
    void doesNotDependOnTheNumberOfThreads(String criterion) {
        UnmappedKernel map = new UnmappedKernel(Kernels.parse("gaussian(sigma=1)"), ChannelRows.COLUMNS);
        double[][] results = new double[2][];
        for (int threads = 1; threads <= 2; threads++) {
            CriterionResult result =
                    ofManyRows(criterion, map.kernel(), threads).prepare(map).evaluate(0.3);
            double[] slopes = result.slopes(map, ParameterKind.SCALES);
            results[threads - 1] = Arrays.copyOf(slopes, slopes.length + 2);
            results[threads - 1][slopes.length] = result.value();
            results[threads - 1][slopes.length + 1] = result.penaltySlope();
        }
        assertArrayEquals(results[0], results[1]);
    }

    /**
     * {@link ScaleGradientTest} has few rows. The values are below 1, with errors of about 1e-13, and their third
     * derivatives by the logarithm of all scales are below 100: differences over 2·1e-4 err by 1e-9 and 1e-6.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gaussian(sigma=[0:4=1, 4:8=2, 8:9=Infinity]) | validation",
                "gaussian(sigma=1)[0:4] + laplacian(sigma=3)[4:9] | cv(folds=3)",
                "matern(nu=1.5, sigma=2) | loo"
            })
    void hasDerivativesOfSeveralBlocks(String kernel, String criterion) {
        UnmappedKernel map = new UnmappedKernel(Kernels.parse(kernel), ChannelRows.COLUMNS);
        ScaleCriterion exact = ofManyRows(criterion, map.kernel(), 1);
        MapParameters parameters = map.parameters(ParameterKind.SCALES);
        double[] slopes = exact.prepare(map).evaluate(0.3).slopes(map, ParameterKind.SCALES);
        double sum = 0;
        for (int p = 0; p < slopes.length; p++) {
            sum += slopes[p] * parameters.values()[p] * (p + 1);
        }
        double[] values = new double[2];
        for (int side = 0; side < 2; side++) {
            double step = side == 0 ? -1e-4 : 1e-4;
            double[] moved = parameters.values();
            Arrays.setAll(moved, p -> moved[p] * Math.exp(step * (p + 1)));
            values[side] = exact.prepare(parameters.with(moved)).evaluate(0.3).value();
        }
        assertTrue(Math.abs(sum) > 0.05, "slope " + sum);
        assertEquals((values[1] - values[0]) / 2e-4, sum, 1e-5);
    }

    @Test
    void refusesRowsWhosePairsExceedTheMemory() {
        MemoryException e =
                assertThrows(MemoryException.class, () -> ExactFolds.requireMemory("rows.csv: loo", 1_000_000, 2.4e13));
        assertTrue(String.valueOf(e.getMessage()).contains("use features instead"), e::getMessage);
    }
}
