package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.bochner.GoldenTable;
import org.bochner.base.Notes;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.solve.Training;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FoldedFeatures;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedSource;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelNorm;
import org.bochner.tune.channels.ChannelProblem;
import org.bochner.tune.channels.ChannelSolution;
import org.bochner.tune.channels.DualRows;
import org.bochner.tune.channels.PNormWeights;
import org.bochner.tune.channels.PrimalRows;
import org.bochner.tune.channels.RidgeRows;
import org.bochner.tune.channels.RowLossProblem;
import org.bochner.tune.channels.SquareLossProblem;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The weights of channels under the square loss, and what all losses share with it. */
class SquareLossProblemTest {
    private static final Workers WORKERS = new Workers(2);
    private static final int FOLDS = 3;
    private static final Seed SEED = new Seed(4);

    private static Transformer prepare(String kernel, String map, RowSource rows) {
        return KernelMachine.of(kernel)
                .withMap(FeatureMaps.parse(map))
                .withPrecision(Precision.FLOAT64)
                .prepare(rows, WORKERS, Progress.NONE, new Notes());
    }

    private static TrainingSettings float64() {
        TrainingSettings settings = new TrainingSettings(Kernels.recipe("linear"));
        settings.precision = Precision.FLOAT64;
        settings.memory = OptionalLong.of(1 << 20);
        settings.seed = SEED;
        return settings;
    }

    private static List<GramAccumulator> totals(RowSource rows, Transformer transformer, Folds folds) {
        FoldedRows folded = FoldedRows.read(
                rows,
                transformer.scaler(),
                transformer.map().kernel(),
                (row, group) -> folds.fold(group),
                FOLDS,
                0,
                WORKERS);
        return FoldStatistics.of(folded, transformer.map(), ClassWeights.none(), Precision.FLOAT64);
    }

    private static SquareLossProblem squares(ChannelNorm norm, RowSource rows, Transformer transformer) {
        return new SquareLossProblem(norm, primal(rows, transformer), WORKERS);
    }

    private static PrimalRows primal(RowSource rows, Transformer transformer) {
        return new PrimalRows(
                new ChannelFeatures(transformer.map()),
                totals(rows, transformer, Folds.of(FOLDS, SEED)),
                rows.labels(),
                Precision.FLOAT64);
    }

    private static DualRows dual(RowSource rows, Transformer transformer) {
        return new DualRows(new ChannelFeatures(transformer.map()), dualFeatures(rows, transformer), WORKERS);
    }

    private static FoldedFeatures dualFeatures(RowSource rows, Transformer transformer) {
        MappedSource mapped = new MappedSource(
                rows, transformer.scaler(), transformer.map(), ClassWeights.none(), Precision.FLOAT64, WORKERS);
        return FoldedFeatures.map(mapped, FOLDS, Folds.of(FOLDS, SEED)::fold, (done, fraction) -> {});
    }

    private static ChannelSolution onAll(ChannelProblem problem, double strength) {
        return Objects.requireNonNull(problem.solve(problem.folds(), strength));
    }

    private static Transformer gaussians(RowSource rows) {
        return KernelMachine.of("gaussian(sigma=1)[0:2] + gaussian(sigma=1)[2:5] + gaussian(sigma=1)[5:7]")
                .withFeatures(90)
                .withPrecision(Precision.FLOAT64)
                .prepare(rows, WORKERS, Progress.NONE, new Notes());
    }

    /**
     * Every row of the reference set twice, the second time with all signs turned and each with half its weight: the
     * intercept, which the reference has not, is then 0. Features are its thousandths, so that they are whole numbers:
     * strengths are a thousand times as large, and weights a thousandth.
     */
    static RowSource goldenRows() {
        List<Map<String, String>> table = GoldenTable.read("mkl_rows.csv");
        float[] values = new float[2 * table.size() * 7];
        double[] targets = new double[2 * table.size()];
        for (int i = 0; i < targets.length; i++) {
            int sign = i % 2 == 0 ? 1 : -1;
            double[] features = GoldenTable.numbers(table.get(i / 2), "features");
            for (int j = 0; j < 7; j++) {
                values[i * 7 + j] = (float) (sign * features[j]);
            }
            targets[i] = sign * GoldenTable.number(table.get(i / 2), "target");
        }
        double[] halves = new double[targets.length];
        Arrays.fill(halves, 0.5);
        return MemorySource.of(7, values).withTargets(targets).withRowWeights(halves);
    }

    @ParameterizedTest
    @ValueSource(strings = {"half_square", "gamma_logistic"})
    void agreesWithTheReferenceSet(String loss) {
        RowSource rows = goldenRows();
        Transformer transformer = prepare("linear[0:2] + linear[2:5] + linear[5:7]", "exact", rows);
        ChannelFeatures channels = new ChannelFeatures(transformer.map());
        int seen = 0;
        for (Map<String, String> golden : GoldenTable.read("mkl_group_lasso.csv")) {
            if (!GoldenTable.text(golden, "loss").equals(loss)) {
                continue;
            }
            seen++;
            boolean square = loss.equals("half_square");
            ChannelLoss insensitive = ChannelLoss.parse("smooth-insensitive(epsilon="
                    + GoldenTable.text(golden, "epsilon") + ", gamma=" + GoldenTable.text(golden, "gamma") + ")");
            ChannelProblem problem = square
                    ? squares(ChannelNorm.BLOCK_L1, rows, transformer)
                    : new RowLossProblem(
                            ChannelNorm.BLOCK_L1,
                            insensitive.grouped(),
                            insensitive.dense(),
                            Holdout.folds(rows, FOLDS, SEED),
                            ClassWeights.none(),
                            transformer,
                            TrainingContext.of(float64(), rows, WORKERS, Progress.NONE, new Notes()));
            double largest = GoldenTable.number(golden, "lambda_max");
            assertEquals(1000 * largest, problem.start(), 1e-9 * 1000 * largest);
            ChannelSolution mixture = onAll(problem, 1000 * GoldenTable.number(golden, "lambda"));
            double objective = GoldenTable.number(golden, "objective");
            double[] weights = GoldenTable.numbers(golden, "w");
            // Newton ends at a residual of 1e-7; steps on rows at one of 1e-3 of the gradient without weights.
            double tolerance = square ? 1e-6 : 3e-2;
            assertEquals(objective, mixture.objective(), (square ? 1e-9 : 1e-3) * objective);
            for (int j = 0; j < 7; j++) {
                double weight = 1000 * mixture.model().weight(j, 0);
                assertEquals(weights[j], weight, tolerance, "weight " + j);
                assertTrue(weights[j] != 0 || weight == 0, "weight " + j + " is " + weight);
            }
            for (int c = 0; c < 3; c++) {
                double norm = 0;
                for (int j = channels.start(c); j < channels.end(c); j++) {
                    norm += weights[j] * weights[j];
                }
                assertEquals(Math.sqrt(norm / 2), 1000 * mixture.kernelWeights()[c], tolerance);
            }
        }
        assertTrue(seen > 0, "the reference set has no problem with " + loss);
    }

    @Test
    void plainSolutionIsThatOfTheReferenceSet() {
        MultipleKernels recipe = MultipleKernels.of(MultipleKernels.channels("a=0:2,b=2:5,c=5:7"), "linear")
                .withMap("exact")
                .withScaling("none")
                .withPrecision(Precision.FLOAT64)
                .withFolds(2)
                .withPlainSolution(true);
        for (Map<String, String> golden : GoldenTable.read("mkl_group_lasso.csv")) {
            if (GoldenTable.text(golden, "loss").equals("half_square")) {
                LearnedSum learned = recipe.withLambda(1000 * GoldenTable.number(golden, "lambda"))
                        .fit(goldenRows(), WORKERS, Progress.NONE);
                double[] weights = GoldenTable.numbers(golden, "w");
                double[] norms = {
                    norm(Arrays.copyOfRange(weights, 0, 2)),
                    norm(Arrays.copyOfRange(weights, 2, 5)),
                    norm(Arrays.copyOfRange(weights, 5, 7))
                };
                for (int c = 0; c < 3; c++) {
                    // Newton's method ends at derivatives of 1e-7.
                    assertEquals(norms[c], 1000 * learned.channels().get(c).norm(), 1e-6);
                    assertEquals(
                            norms[c] / Math.sqrt(2),
                            1000 * learned.channels().get(c).kernelWeight(),
                            1e-6);
                }
            }
        }
    }

    @Test
    void agreesWithDescentByBlocks() {
        RowSource rows = ChannelRows.classes(250);
        Transformer transformer = gaussians(rows);
        SquareLossProblem problem = squares(ChannelNorm.BLOCK_L1, rows, transformer);
        double strength = problem.start() / 8;
        ChannelSolution mixture = onAll(problem, strength);
        // The learner counts √30 for a group of 30 features.
        Learner learner = Learner.parse("group-lasso(groups=channels, tolerance=1e-10, iterations=5000)")
                .withLambda(strength / Math.sqrt(30));
        LinearFit fit = new Training(learner, transformer.map(), WORKERS, SEED, trying -> Monitor.NONE)
                .fit(primal(rows, transformer).all(), Precision.FLOAT64);
        double objective = fit.convergence().objective();
        assertEquals(objective, mixture.objective(), 1e-8 * objective);
        for (int j = 0; j < 90; j++) {
            // An objective within 1e-10 of the least leaves weights within about its root.
            assertEquals(fit.model().weight(j, 0), mixture.model().weight(j, 0), 1e-3);
        }
    }

    @Test
    void powersNearOneAreThoseOfTheBlockNorm() {
        RowSource rows = ChannelRows.numbers(250);
        Transformer transformer = gaussians(rows);
        ChannelSolution near = onAll(squares(new ChannelNorm(1.02), rows, transformer), 0.5);
        double sum = near.norms()[0] + near.norms()[1] + near.norms()[2];
        // The penalty l2/2·(Σ|w|)² has the slope l2·Σ|w| in Σ|w|.
        ChannelSolution block = onAll(squares(ChannelNorm.BLOCK_L1, rows, transformer), 0.5 * sum);
        double total = block.norms()[0] + block.norms()[1] + block.norms()[2];
        for (int c = 0; c < 3; c++) {
            assertEquals(block.norms()[c] / total, near.norms()[c] / sum, 0.03, "channel " + c);
        }
    }

    @Test
    void largePowersAreTheAverage() {
        RowSource rows = ChannelRows.numbers(250);
        Transformer transformer = gaussians(rows);
        ChannelSolution average = onAll(squares(ChannelNorm.AVERAGE, rows, transformer), 0.5);
        ChannelSolution large = onAll(squares(new ChannelNorm(1e6), rows, transformer), 0.5);
        for (int c = 0; c < 3; c++) {
            // |w|^(2/(p+1)) over the p-norm, which is between 3^(−1/p) and 1 of the largest.
            assertEquals(average.kernelWeights()[c], large.kernelWeights()[c], 1e-4);
            assertEquals(average.norms()[c], large.norms()[c], 1e-3 * average.norms()[c]);
        }
    }

    @Test
    void sumsWithoutAFoldAreThoseOfTheOthers() {
        RowSource rows = ChannelRows.classes(2000);
        Transformer transformer = gaussians(rows);
        Folds folds = Folds.of(FOLDS, SEED);
        List<GramAccumulator> parts = totals(rows, transformer, folds);
        GramAccumulator others =
                new GramAccumulator(90, rows.labels()).combine(parts.get(0)).combine(parts.get(2));
        GramAccumulator all =
                new GramAccumulator(90, rows.labels()).combine(others).combine(parts.get(1));
        long[] counts = new long[FOLDS];
        for (int row = 0; row < 2000; row++) {
            counts[folds.fold(row)]++;
        }
        assertEquals(counts[1], parts.get(1).rows());
        GramStatistics direct = others.freeze();
        GramStatistics whole = all.freeze();
        assertEquals(2000, whole.rows());
        for (GramStatistics found : List.of(
                whole.without(totals(rows, transformer, folds).get(1).freeze()),
                parts.get(1).freezeRest(whole))) {
            // Sums of 2000 products of size 1: some hundred roundings of 1e-16 of them.
            double bound = 2000 * 1e-10;
            assertEquals(direct.totalRowWeight(), found.totalRowWeight());
            assertEquals(direct.rows(), found.rows());
            assertArrayEquals(direct.upperScatter(), found.upperScatter(), bound);
            for (int c = 0; c < 3; c++) {
                assertEquals(direct.targetScatter(c), found.targetScatter(c), bound);
                assertArrayEquals(direct.cross(c), found.cross(c), bound);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lossOfAFoldIsThatOfItsRows(boolean fewRows) {
        RowSource rows = weighted(ChannelRows.classes(300));
        Transformer transformer = gaussians(rows);
        RidgeRows sums = fewRows ? dual(rows, transformer) : primal(rows, transformer);
        SquareLossProblem problem = new SquareLossProblem(ChannelNorm.AVERAGE, sums, WORKERS);
        ChannelSolution mixture = Objects.requireNonNull(problem.solve(1, 1));
        LinearModel model = mixture.model();
        double[] sum = new double[2];
        transformer.transform(Holdout.folds(rows, FOLDS, SEED).get(1).test(), WORKERS, Progress.NONE, block -> {
            double[] z = new double[90];
            for (int i = 0; i < block.rows(); i++) {
                block.copyRow(i, z);
                double[] scores = model.apply(z);
                for (int o = 0; o < 3; o++) {
                    double residual = scores[o] - ((int) block.target(i, 0) == o ? 1 : -1);
                    sum[0] += block.rowWeight(i) * residual * residual / 2;
                }
                sum[1] += block.rowWeight(i);
            }
        });
        // The rows are mapped in float32 here.
        assertEquals(sum[0] / (3 * sum[1]), mixture.fit().loss(), 1e-5);
    }

    /** Rows with weights from 0 to 2. */
    private static RowSource weighted(MemorySource rows) {
        double[] weights = new double[(int) rows.rows()];
        Arrays.setAll(weights, i -> i % 5 / 2.0);
        return rows.withRowWeights(weights);
    }

    /** Both forms have one minimum, and Newton's method ends within 1e-7 of it on all rows and 1e-3 without a fold. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "average"})
    void innerProductsOfRowsGiveTheSolutionOfSumsOverThem(String norm) {
        RowSource rows = weighted(ChannelRows.classes(60));
        Transformer transformer = gaussians(rows);
        SquareLossProblem sums = new SquareLossProblem(ChannelNorm.parse(norm), primal(rows, transformer), WORKERS);
        SquareLossProblem products =
                new SquareLossProblem(ChannelNorm.parse(norm), dual(rows, transformer), 1, new Workers(1));
        assertEquals(sums.start(), products.start(), 1e-10 * sums.start());
        for (double strength = sums.start() / 3; strength > sums.start() / 100; strength /= 3) {
            ChannelSolution first = onAll(sums, strength);
            ChannelSolution second = onAll(products, strength);
            assertEquals(first.objective(), second.objective(), 1e-9 * first.objective());
            assertArrayEquals(first.kernelWeights(), second.kernelWeights(), 1e-6 * sum(first.kernelWeights()));
            assertArrayEquals(first.norms(), second.norms(), 1e-6 * sum(first.norms()));
            LinearModel model = second.model();
            assertArrayEquals(first.model().weights(), model.weights(), 1e-6 * sum(first.norms()));
            assertArrayEquals(first.model().intercepts(), model.intercepts(), 1e-5);
            List<ChannelSolution> without = Objects.requireNonNull(sums.solveFolds(strength));
            List<ChannelSolution> others = Objects.requireNonNull(products.solveFolds(strength));
            List<Double> relaxed = Objects.requireNonNull(sums.relaxedLosses(without, strength / 5));
            List<Double> again = Objects.requireNonNull(products.relaxedLosses(others, strength / 5));
            for (int fold = 0; fold < FOLDS; fold++) {
                assertEquals(
                        without.get(fold).fit().loss(), others.get(fold).fit().loss(), 1e-4);
                assertEquals(relaxed.get(fold), again.get(fold), 1e-4);
            }
        }
    }

    /** w ≠ 0: gradient + λw/|w| = 0; w = 0: |gradient| ≤ λ. The gradient is recomputed from the rows. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void solutionIsOptimal(boolean fewRows) {
        RowSource rows = ChannelRows.numbers(70);
        Transformer transformer = gaussians(rows);
        RidgeRows sums = fewRows ? dual(rows, transformer) : primal(rows, transformer);
        SquareLossProblem problem = new SquareLossProblem(ChannelNorm.BLOCK_L1, sums, WORKERS);
        int dropped = 0;
        for (double part : new double[] {1.01, 0.7, 0.3, 0.05}) {
            double lambda = part * problem.start();
            LinearModel model = onAll(problem, lambda).model();
            double[] gradient = gradient(rows, transformer, model);
            double[] weights = model.weights();
            for (int c = 0; c < 3; c++) {
                double[] own = Arrays.copyOfRange(weights, 30 * c, 30 * c + 30);
                double[] slope = Arrays.copyOfRange(gradient, 30 * c, 30 * c + 30);
                double norm = norm(own);
                if (norm == 0) {
                    dropped++;
                    assertTrue(norm(slope) <= lambda * (1 + 1e-6), "channel " + c);
                } else {
                    for (int j = 0; j < 30; j++) {
                        slope[j] += lambda * own[j] / norm;
                    }
                    assertTrue(norm(slope) <= 1e-5 * lambda, "channel " + c + ": " + norm(slope) / lambda);
                }
            }
            assertTrue(part < 1 || dropped == 3, "all channels are left out above the first penalty");
        }
        assertTrue(dropped > 3, "channels that are left out");
    }

    private static double[] gradient(RowSource rows, Transformer transformer, LinearModel model) {
        FoldedFeatures features = dualFeatures(rows, transformer);
        double[] residuals = features.targets(0);
        for (int i = 0; i < residuals.length; i++) {
            double[] only = new double[residuals.length];
            only[i] = 1;
            residuals[i] = model.apply(features.combine(only, 1, WORKERS))[0] - residuals[i];
        }
        return features.combine(residuals, 1, WORKERS);
    }

    private static double norm(double[] of) {
        return Math.sqrt(Arrays.stream(of).map(x -> x * x).sum());
    }

    private static double sum(double[] of) {
        return Arrays.stream(of).sum();
    }

    @Test
    void powerWeightsAreTheBestOfTheirNorm() {
        double[] norms = {0.5, 2, 0.1};
        double p = 1.7;
        double[] best = PNormWeights.of(p, norms);
        assertEquals(1, Arrays.stream(best).map(d -> Math.pow(d, p)).sum(), 1e-12);
        double least = cost(norms, best);
        for (int c = 0; c < 3; c++) {
            for (double factor : new double[] {0.9, 1.1}) {
                double[] other = best.clone();
                other[c] *= factor;
                double scale =
                        Math.pow(Arrays.stream(other).map(d -> Math.pow(d, p)).sum(), -1 / p);
                assertTrue(cost(norms, Arrays.stream(other).map(d -> scale * d).toArray()) > least);
            }
        }
    }

    private static double cost(double[] norms, double[] weights) {
        double sum = 0;
        for (int c = 0; c < norms.length; c++) {
            sum += norms[c] * norms[c] / weights[c];
        }
        return sum;
    }
}
