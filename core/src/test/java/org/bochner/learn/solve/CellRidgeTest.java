package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.CellRows;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.MappedSource;
import org.junit.jupiter.api.Test;

/** Ridge regression on cells is the ridge regression on the dense features of the map, solved by elimination. */
class CellRidgeTest {
    private static final int ROWS = 60;
    private static final int COLUMNS = 2;
    private static final double LAMBDA = 0.3;

    private final float[] values = new float[ROWS * COLUMNS];
    private final double[] targets = new double[2 * ROWS];
    private final double[] weights = new double[ROWS];

    CellRidgeTest() {
        RandomStream stream = new Seed(4).stream();
        for (int i = 0; i < ROWS; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            targets[2 * i] = Math.sin(7 * values[2 * i]) + 0.1 * stream.nextGaussian();
            targets[2 * i + 1] = values[2 * i + 1] > 0.5 ? 3 : -1;
            weights[i] = i % 7 == 0 ? 0 : 0.5 + stream.nextUniform();
        }
    }

    private MemorySource source() {
        return MemorySource.of(COLUMNS, values)
                .withTargets(List.of("u", "v"), targets)
                .withRowWeights(weights);
    }

    /** Returns a map of the cells of the first rows; later rows have unknown cells. */
    private FeatureMap map(double sigma, int grids, int rows) {
        DenseRows known = DenseRows.of(rows, COLUMNS, Arrays.copyOf(values, rows * COLUMNS));
        RowSample sample = RowSample.of(known, rows, new Seed(1));
        return FeatureMaps.binning(grids)
                .build(Kernels.laplacian(sigma), sample, OptionalInt.empty(), new Seed(2), new Notes());
    }

    private CellRows rows(FeatureMap map, long budget, int threads) {
        return CellRows.read(mapped(map, threads), budget, (rows, fraction) -> {});
    }

    private MappedSource mapped(FeatureMap map, int threads) {
        return mapped(source(), map, threads);
    }

    private static MappedSource mapped(MemorySource source, FeatureMap map, int threads) {
        return new MappedSource(
                source,
                Scalings.none().fit(source, new Workers(1)),
                map,
                ClassWeights.none(),
                Precision.FLOAT32,
                new Workers(threads));
    }

    private static LinearFit fit(CellRows rows) {
        Learner learner = Learner.parse("ridge(lambda=" + LAMBDA + ", tolerance=1e-13)");
        return new CellRidge(learner, unused -> Monitor.NONE).fit(rows);
    }

    /** Returns weights, D×2, and two intercepts: the minimum of Σ w (f − y)² + λ|β|², by elimination. */
    private double[] reference(FeatureMap map) {
        int features = map.outputDimension();
        int size = features + 1;
        double[][] system = new double[size][size + 2];
        double[] x = new double[COLUMNS];
        double[] z = new double[size];
        for (int i = 0; i < ROWS; i++) {
            x[0] = values[2 * i];
            x[1] = values[2 * i + 1];
            map.apply(x, z);
            z[features] = 1;
            for (int a = 0; a < size; a++) {
                for (int b = 0; b < size; b++) {
                    system[a][b] += weights[i] * z[a] * z[b];
                }
                system[a][size] += weights[i] * z[a] * targets[2 * i];
                system[a][size + 1] += weights[i] * z[a] * targets[2 * i + 1];
            }
        }
        for (int j = 0; j < features; j++) {
            system[j][j] += LAMBDA;
        }
        for (int p = 0; p < size; p++) {
            for (int r = 0; r < size; r++) {
                double factor = r == p ? 0 : system[r][p] / system[p][p];
                for (int c = p; factor != 0 && c < size + 2; c++) {
                    system[r][c] -= factor * system[p][c];
                }
            }
        }
        return IntStream.range(0, 2 * size)
                .mapToDouble(k -> system[k / 2][size + k % 2] / system[k / 2][k / 2])
                .toArray();
    }

    private void assertSolves(FeatureMap map, CellRows rows) {
        LinearFit fit = fit(rows);
        assertEquals(Convergence.End.CONVERGED, fit.convergence().end());
        LinearModel model = fit.model();
        double[] expected = reference(map);
        double[] found = Arrays.copyOf(model.weights(), expected.length);
        System.arraycopy(model.intercepts(), 0, found, expected.length - 2, 2);
        // The condition number is below 200; elimination and conjugate gradients to 1e-13 both keep eleven digits.
        assertArrayEquals(expected, found, 1e-10);
        double squares = 0;
        double total = 0;
        double[] x = new double[COLUMNS];
        double[] z = new double[map.outputDimension()];
        for (int i = 0; i < ROWS; i++) {
            x[0] = values[2 * i];
            x[1] = values[2 * i + 1];
            map.apply(x, z);
            total += weights[i];
            for (int o = 0; o < 2; o++) {
                double score = model.intercept(o);
                for (int j = 0; j < z.length; j++) {
                    score += z[j] * model.weight(j, o);
                }
                squares += weights[i] * (score - targets[2 * i + o]) * (score - targets[2 * i + o]);
            }
        }
        assertEquals(squares / (2 * total), fit.chosen().trainingLoss(), 1e-9);
        double objective = (squares + LAMBDA * model.squaredNorm()) / 2;
        assertEquals(objective, fit.convergence().objective(), 1e-8);
    }

    @Test
    void moreCellsThanRows() {
        FeatureMap map = map(0.3, 20, ROWS);
        assertTrue(map.outputDimension() > ROWS);
        assertSolves(map, rows(map, Long.MAX_VALUE, 2));
    }

    @Test
    void fewerCellsThanRows() {
        FeatureMap map = map(3, 4, ROWS);
        assertTrue(map.outputDimension() + 4 < ROWS);
        assertSolves(map, rows(map, Long.MAX_VALUE, 2));
    }

    @Test
    void rowsThatAreReadInEveryPass() {
        FeatureMap map = map(0.3, 20, ROWS);
        CellRows rows = rows(map, 0, 2);
        assertEquals(0, rows.heldRows());
        assertSolves(map, rows);
    }

    @Test
    void rowsInUnknownCells() {
        FeatureMap map = map(0.3, 20, ROWS / 2);
        assertSolves(map, rows(map, Long.MAX_VALUE, 1));
        assertSolves(map, rows(map, 0, 1));
    }

    @Test
    void memoryAndThreadsDoNotChangeBits() {
        FeatureMap map = map(3, 4, ROWS);
        double[] expected = fit(rows(map, Long.MAX_VALUE, 1)).model().weights();
        assertArrayEquals(expected, fit(rows(map, Long.MAX_VALUE, 3)).model().weights());
        assertArrayEquals(expected, fit(rows(map, 0, 2)).model().weights());
    }

    /** Squares of these row weights are no numbers, or 0. A model of them would be a constant, or not a number. */
    @Test
    void extremeRowWeightsAreRefused() {
        FeatureMap map = map(0.5, 4, ROWS);
        for (double factor : new double[] {1e300, 1e200, 1e-300}) {
            for (String learner : List.of("ridge(lambda=1e-10)", "ridge")) {
                double[] extreme =
                        Arrays.stream(weights).map(weight -> factor * weight).toArray();
                MappedSource mapped = new MappedSource(
                        source().withRowWeights(extreme),
                        Scalings.none().fit(source(), new Workers(1)),
                        map,
                        ClassWeights.none(),
                        Precision.FLOAT32,
                        new Workers(1));
                CellRows rows = CellRows.read(mapped, Long.MAX_VALUE, (done, fraction) -> {});
                CellRidge ridge = new CellRidge(Learner.parse(learner), unused -> Monitor.NONE);
                BochnerException e = assertThrows(
                        BochnerException.class,
                        () -> {
                            LinearFit unused = learner.equals("ridge")
                                    ? ridge.fit(List.of(new CellRidge.Split(rows, rows)), "rows")
                                    : ridge.fit(rows);
                        },
                        factor + " " + learner);
                assertTrue(e.problem().contains("row weights"), e.problem());
            }
        }
    }

    @Test
    void joinedRowsAreAllRows() {
        FeatureMap map = map(0.3, 20, ROWS);
        CellRows rows = rows(map, Long.MAX_VALUE, 2);
        // Twice the rows and twice the penalty have the same solution.
        Learner learner = Learner.parse("ridge(lambda=" + 2 * LAMBDA + ", tolerance=1e-13)");
        LinearFit twice = new CellRidge(learner, unused -> Monitor.NONE).fit(rows.and(rows));
        assertArrayEquals(fit(rows).model().weights(), twice.model().weights(), 1e-10);
        CellRows read = rows.readOther(mapped(map, 2), 0, (count, fraction) -> {});
        LinearFit again = new CellRidge(learner, unused -> Monitor.NONE).fit(rows.and(read));
        assertArrayEquals(twice.model().weights(), again.model().weights(), 1e-10);
    }

    @Test
    void automaticPenaltyIsTheBestOfThePath() {
        FeatureMap map = map(0.3, 20, ROWS);
        CellRows rows = rows(map, Long.MAX_VALUE, 2);
        LinearFit fit = new CellRidge(Learner.parse("ridge(tolerance=1e-13)"), unused -> Monitor.NONE)
                .fit(List.of(new CellRidge.Split(rows, rows)), "rows");
        assertTrue(fit.path().size() > 3, "penalties tried");
        // On its own training rows, the least penalty has the least error.
        assertEquals(fit.path().get(0).lambda(), fit.chosen().lambda() / 2, 1e-12);
        fit.path().forEach(point -> assertEquals(point.trainingLoss(), point.validationError(), 1e-9));
    }

    /** One run of conjugate gradients gives the errors of all penalties; here each penalty is solved on its own. */
    @Test
    void errorsOfAllPenaltiesAreThoseOfTheirSolutions() {
        for (FeatureMap map : List.of(map(0.3, 20, ROWS / 2), map(3, 4, ROWS))) {
            CellRows rows = rows(map, Long.MAX_VALUE, 2);
            MemorySource others = others();
            CellRows heldOut = rows.readOther(mapped(others, map, 2), Long.MAX_VALUE, (count, fraction) -> {});
            LinearFit fit = new CellRidge(Learner.parse("ridge(tolerance=1e-13)"), unused -> Monitor.NONE)
                    .fit(List.of(new CellRidge.Split(rows, heldOut)), "rows");
            assertTrue(fit.path().size() > 1, "penalties tried");
            for (PathPoint point : fit.path()) {
                Learner learner = Learner.parse("ridge(lambda=" + point.lambda() + ", tolerance=1e-13)");
                LinearFit own = new CellRidge(learner, unused -> Monitor.NONE).fit(rows);
                // The condition numbers are below 10⁵, and the search solves up to residuals of 10⁻¹².
                assertEquals(own.chosen().trainingLoss(), point.trainingLoss(), 1e-7);
                assertEquals(meanSquare(own.model(), map), point.validationError(), 1e-7);
            }
        }
    }

    /** Constant targets have right-hand sides of 0, whose solution is 0. */
    @Test
    void constantTargetsHaveWeightsOfZero() {
        FeatureMap map = map(0.3, 20, ROWS);
        Arrays.fill(targets, 7);
        // Means with these weights are not rounded.
        Arrays.fill(weights, 1);
        CellRows rows = rows(map, Long.MAX_VALUE, 1);
        CellRows others = rows.readOther(mapped(others(), map, 1), Long.MAX_VALUE, (count, fraction) -> {});
        CellRidge ridge = new CellRidge(Learner.ridge(), unused -> Monitor.NONE);
        for (List<CellRidge.Split> splits :
                List.of(List.of(new CellRidge.Split(rows, others)), CellRidge.Split.of(List.of(rows, others)))) {
            LinearFit fit = ridge.fit(splits, "rows");
            assertArrayEquals(new double[2 * map.outputDimension()], fit.model().weights());
            assertArrayEquals(new double[] {7, 7}, fit.model().intercepts());
            assertEquals(0, fit.chosen().validationError());
        }
    }

    /** Only the rows of one fold differ; the error of the others is 0 without this fold, and their mean elsewhere. */
    @Test
    void aFoldMayHaveConstantTrainingTargets() {
        FeatureMap map = map(0.3, 20, ROWS);
        CellRows varied = rows(map, Long.MAX_VALUE, 1);
        Arrays.fill(targets, 7);
        CellRows constant = varied.readOther(mapped(others(), map, 1), Long.MAX_VALUE, (count, fraction) -> {});
        LinearFit fit = new CellRidge(Learner.parse("ridge(tolerance=1e-13)"), unused -> Monitor.NONE)
                .fit(CellRidge.Split.of(List.of(varied, constant)), "rows");
        LinearFit alone = new CellRidge(
                        Learner.parse("ridge(lambda=" + fit.path().get(0).lambda() + ", tolerance=1e-13)"),
                        unused -> Monitor.NONE)
                .fit(varied);
        assertTrue(Double.isFinite(fit.chosen().validationError()));
        assertEquals(Convergence.End.CONVERGED, fit.convergence().end());
        // The constant rows train a model without errors, so all errors of training are those of the varied rows.
        double share = varied.totalRowWeight() / (varied.totalRowWeight() + constant.totalRowWeight());
        assertEquals(share * alone.chosen().trainingLoss(), fit.path().get(0).trainingLoss(), 1e-9);
    }

    /** Rows for validation: those of the test, with the columns exchanged and other weights. */
    private MemorySource others() {
        float[] exchanged = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            exchanged[i] = values[i ^ 1];
        }
        double[] otherWeights =
                IntStream.range(0, ROWS).mapToDouble(i -> 1 + i % 3).toArray();
        return MemorySource.of(COLUMNS, exchanged)
                .withTargets(List.of("u", "v"), targets)
                .withRowWeights(otherWeights);
    }

    private double meanSquare(LinearModel model, FeatureMap map) {
        double[] x = new double[COLUMNS];
        double[] z = new double[map.outputDimension()];
        double squares = 0;
        double total = 0;
        for (int i = 0; i < ROWS; i++) {
            x[0] = values[2 * i + 1];
            x[1] = values[2 * i];
            map.apply(x, z);
            double weight = 1 + i % 3;
            total += weight;
            for (int o = 0; o < 2; o++) {
                double score = model.intercept(o);
                for (int j = 0; j < z.length; j++) {
                    score += z[j] * model.weight(j, o);
                }
                squares += weight * (score - targets[2 * i + o]) * (score - targets[2 * i + o]);
            }
        }
        return squares / (2 * total);
    }
}
