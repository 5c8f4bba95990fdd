package org.bochner.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.numeric.Workers;
import org.bochner.numeric.function.Erf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scalings from quantiles, against scikit-learn 1.2.1:
 *
 * <pre>
 * import numpy as np
 * from sklearn.preprocessing import QuantileTransformer, RobustScaler
 * x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9.5, 7, -9.25, 3, 2, 3, 84.5, 6])
 * RobustScaler().fit(x[:, None]).transform([[v] for v in (-9.25, 2, 3, 5, 84.5)])
 * np.percentile(x, [10, 90])
 * QuantileTransformer(n_quantiles=20, output_distribution="uniform").fit(x[:, None]).transform(
 *     [[v] for v in (1, 2, 3, 4, 5, 7, 8, 9, 9.5)])
 * n = 20000
 * y = np.sinh(4 * np.sin(np.arange(n) * 0.7351)).astype(np.float32).astype(float)
 * QuantileTransformer(n_quantiles=n, subsample=n, output_distribution="uniform").fit(y[:, None]).transform(
 *     [[v] for v in (-20., -5., -1., -0.1, 0., 0.3, 2., 10., 25.)])
 * RobustScaler().fit(y[:, None]).center_, RobustScaler().fit(y[:, None]).scale_
 * </pre>
 */
class QuantileTest {
    private static final float[] FEW = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9.5f, 7, -9.25f, 3, 2, 3, 84.5f, 6};
    private static final int MANY = 20_000;

    private static Scaler fit(String spelling, float... column) {
        return Scalings.parse(spelling).fit(column(column), new Workers(2));
    }

    private static TableSource column(float... values) {
        float[][] rows = new float[values.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new float[] {values[i]};
        }
        return TableSource.dense(rows);
    }

    private static double[] scaled(Scaler scaler, float... values) {
        double[] scaled = new double[values.length];
        double[] row = new double[1];
        for (int i = 0; i < values.length; i++) {
            scaler.forBlocks().apply(column(values[i]).block()).copyRow(0, row);
            scaled[i] = row[0];
        }
        return scaled;
    }

    private static float[] many() {
        float[] values = new float[MANY];
        for (int i = 0; i < MANY; i++) {
            values[i] = (float) StrictMath.sinh(4 * StrictMath.sin(i * 0.7351));
        }
        return values;
    }

    @Test
    void robustScalingIsThatOfScikitLearn() {
        double[] expected = {
            -3.9285714285714284, -0.7142857142857143, -0.42857142857142855, 0.14285714285714285, 22.857142857142858
        };
        assertArrayEquals(expected, scaled(fit("robust", FEW), -9.25f, 2, 3, 5, 84.5f), 1e-6);
    }

    @Test
    void clippingTakesThePercentilesOfNumPy() {
        assertArrayEquals(
                new double[] {1, 1, 9.05, 9.05}, scaled(fit("clip(share=10%)", FEW), -9.25f, 1, 9.5f, 84.5f), 1e-6);
    }

    /** Zeros that sparse rows do not store count as values. */
    @ParameterizedTest
    @ValueSource(strings = {"clip(share=10%)", "clip(share=40%)", "clip(deviations=0.5)"})
    void sparseColumnsAreClippedAsDenseOnes(String spelling) {
        float[][] table = {{0, -1}, {3, 0}, {0, 0}, {0, 5}, {8, 0}, {0, -4}, {1, 0}, {0, 0}, {0, 7}, {2, 0}};
        Scaler dense = Scalings.parse(spelling).fit(TableSource.dense(table), new Workers(2));
        TableSource rows = TableSource.sparse(table);
        Scaler sparse = Scalings.parse(spelling).fit(rows, new Workers(2));
        // Sums of the same few numbers in another order.
        assertArrayEquals(dense.state().array("lower", 2), sparse.state().array("lower", 2), 1e-14);
        assertArrayEquals(dense.state().array("upper", 2), sparse.state().array("upper", 2), 1e-14);
        RowBlock scaled = sparse.forBlocks().apply(rows.block());
        double[] row = new double[2];
        for (int i = 0; i < table.length; i++) {
            scaled.copyRow(i, row);
            for (int l = 0; l < 2; l++) {
                double lower = sparse.state().array("lower", 2)[l];
                double upper = sparse.state().array("upper", 2)[l];
                assertEquals((float) Math.max(lower, Math.min(upper, table[i][l])), row[l]);
            }
        }
    }

    /** Mean 1 and deviation √2 of 0, 0, 0, 2, 3. */
    @Test
    void clippingToDeviationsTakesMeanAndDeviation() {
        double deviation = Math.sqrt((3 + 1 + 4) / 5.0);
        assertArrayEquals(
                new double[] {1 - 1.5 * deviation, 0, 1 + 1.5 * deviation},
                scaled(fit("clip(deviations=1.5)", 0, 0, 0, 2, 3), -5, 0, 9),
                1e-6);
    }

    /**
     * A value of the ranks r to r + c − 1 of n has the level (r + c/2)/n here and (r + (c − 1)/2)/(n − 1) in scikit-learn: a
     * difference of at most 1/(2n). The smallest and the largest value, which become ∓5.2 there, are left out, and so is 6, whose
     * tie is broken there by rounding.
     */
    @Test
    void quantilesAreThoseOfScikitLearn() {
        double[] levels = {
            0.07894736842105263,
            0.18421052631578946,
            0.3421052631578947,
            0.47368421052631576,
            0.5789473684210527,
            0.7894736842105263,
            0.8421052631578947,
            0.8947368421052634,
            0.9473684210526315
        };
        double[] scaled = scaled(fit("quantile", FEW), 1, 2, 3, 4, 5, 7, 8, 9, 9.5f);
        for (int i = 0; i < levels.length; i++) {
            assertEquals(levels[i], Erf.gaussianProbability(scaled[i]), 0.5 / FEW.length + 1e-7);
        }
    }

    /** Entries have at most the share π/δ of the rows, and a level is off by at most one and a half entries. */
    @Test
    void sketchedQuantilesAreWithinTheirBound() {
        double[] levels = {
            0.126156179603852,
            0.3038641506099732,
            0.42929511826895883,
            0.4921729589746453,
            0.49987499374968747,
            0.5234294951376297,
            0.6175519195348673,
            0.7696833119066904,
            0.9333520961762373
        };
        double bound = 1.5 * Math.PI / Quantile.KNOTS + 1.5 * Math.PI / 1000 + 0.5 / MANY;
        Scaler scaler = fit("quantile", many());
        double[] scaled = scaled(scaler, -20, -5, -1, -0.1f, 0, 0.3f, 2, 10, 25);
        for (int i = 0; i < levels.length; i++) {
            assertEquals(levels[i], Erf.gaussianProbability(scaled[i]), bound);
        }
        assertTrue(scaler.state().integers("knotCounts", 1)[0] <= Quantile.KNOTS);
        // The slope of the quantile function of sinh(4 sin θ) is 4π at the median and 76 at the quartiles.
        State robust = fit("robust", many()).state();
        double level = 1.5 * Math.PI / 1000;
        assertEquals(0.00096188, robust.array("shift", 1)[0], 4 * Math.PI * level);
        assertEquals(16.86128473, 1 / robust.array("factor", 1)[0], 2 * 76 * level);
    }

    /** Blocks have the same rows wherever the rows come from, so sketches have the same bits. */
    @ParameterizedTest
    @ValueSource(strings = {"quantile", "robust", "clip", "log1p then quantile"})
    void streamedRowsGiveTheScalerOfRowsInMemory(String spelling, @TempDir Path folder) throws IOException {
        StringBuilder text = new StringBuilder("a,b,y\n");
        float[] values = many();
        for (int i = 0; i < 10_000; i++) {
            text.append(values[i])
                    .append(',')
                    .append(values[i + 5000])
                    .append(',')
                    .append(i % 2)
                    .append('\n');
        }
        String file = Files.writeString(folder.resolve("t.csv"), text).toString();
        FileSource streamed = FileSource.open(DataOptions.of(file));
        MemorySource kept = MemorySource.load(streamed);
        Scaling scaling = Scalings.parse(spelling);
        assertEquals(
                scaling.fit(kept, new Workers(2)).state(),
                scaling.fit(streamed, new Workers(2)).state());
    }

    /** Rows of weight w count as w rows, and half the rows at 0 stay at 0. */
    @Test
    void tiesAndWeightsCount() {
        float[][] weighted = {{0, 6}, {1, 3}, {50, 0}, {7, 1}};
        Scaler expected = fit("quantile", 0, 0, 0, 0, 0, 0, 1, 1, 1, 7);
        Scaler got = Scalings.parse("quantile").fit(new TableSource(1, false, true, weighted), new Workers(1));
        assertEquals(expected.state(), got.state());
        double[] scaled = scaled(got, -3, 0, 1, 7, 1000);
        assertEquals(0.3, Erf.gaussianProbability(scaled[0]), 1e-7);
        assertEquals(0.3, Erf.gaussianProbability(scaled[1]), 1e-7);
        assertEquals(0.75, Erf.gaussianProbability(scaled[2]), 1e-7);
        assertEquals(0.95, Erf.gaussianProbability(scaled[3]), 1e-7);
        assertEquals(scaled[3], scaled[4]);
        Scaler robust = Scalings.parse("robust").fit(new TableSource(1, false, true, weighted), new Workers(1));
        assertEquals(fit("robust", 0, 0, 0, 0, 0, 0, 1, 1, 1, 7).state(), robust.state());
    }

    @Test
    void constantColumnsBecomeZero() {
        assertArrayEquals(new double[] {0, 0, 0}, scaled(fit("quantile", 4, 4, 4), 3, 4, 5));
        assertArrayEquals(new double[] {-1, 0, 1}, scaled(fit("robust", 4, 4, 4), 3, 4, 5));
    }

    /** Quartiles 0 and 0, variance 16 around the mean 2. */
    @Test
    void aColumnWithoutInterquartileRangeIsDividedByItsDeviation() {
        assertArrayEquals(new double[] {0, 2.5}, scaled(fit("robust", 0, 0, 0, 0, 10), 0, 10), 1e-6);
    }

    @Test
    void scaledValuesLeadBack() {
        for (String spelling : new String[] {"quantile", "robust", "log1p", "log1p then robust"}) {
            Scaler scaler = fit(spelling, FEW);
            assertEquals(6, scaler.unscaled(0, scaled(scaler, 6)[0]), 1e-5, spelling);
        }
    }

    @Test
    void log1pKeepsSigns() {
        assertArrayEquals(
                new double[] {-Math.log(8), 0, Math.log(2)},
                scaled(Scalings.log1p().fit(column(0), new Workers(1)), -7, 0, 1),
                1e-6);
    }

    /** Milliseconds around 1.7e12, of which float32 tells only multiples of 131,072 apart. */
    @Test
    void columnsFarFromZeroKeepTheirResolution() {
        double[][] rows = new double[101][1];
        for (int i = 0; i < rows.length; i++) {
            rows[i][0] = 1.7e12 + i;
        }
        Scaler scaler = Scalings.quantile().fit(MemorySource.of(rows), new Workers(1));
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = MemorySource.of(rows).open()) {
            cursor.next(builder, 200);
        }
        double[] row = new double[1];
        double last = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < rows.length; i++) {
            scaler.forBlocks().apply(builder.build()).copyRow(i, row);
            assertTrue(row[0] > last, "row " + i);
            last = row[0];
        }
        assertNotNull(scaler.origin());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clip(share=0.5)",
                "clip(share=0)",
                "clip(deviations=0)",
                "clip(share=0.1, deviations=2)",
                "quantile(knots=5)",
                "log1p then",
                "then log1p",
                "log1p then then standard",
                "log1p + standard",
                "standard[0:1] then log1p"
            })
    void badSpellingsAreRefused(String spelling) {
        assertThrows(SpellingException.class, () -> Scalings.parse(spelling));
    }

    @Test
    void damagedScalersAreRefused() {
        State quantile = fit("quantile", 1, 2, 3).state();
        for (State bad : new State[] {
            copy(quantile).with("knots", new double[] {1, 1, 2}),
            copy(quantile).with("scores", new double[] {0, -1, 2}),
            copy(quantile).with("scores", new double[] {0, 1, 9}),
            copy(quantile).with("knotCounts", new int[] {0}),
            copy(quantile).with("knotCounts", new int[] {Integer.MAX_VALUE}),
            copy(fit("clip", 1, 2, 3).state()).with("lower", new double[] {5})
        }) {
            assertThrows(BochnerException.class, () -> Scalings.load(bad));
        }
    }

    private static State copy(State state) {
        State copy = State.of(state.type());
        state.texts().forEach(copy::with);
        for (String name : state.arrayNames()) {
            if (state.rawArray(name) instanceof double[] numbers) {
                copy.with(name, numbers.clone());
            } else {
                copy.with(name, ((int[]) state.rawArray(name)).clone());
            }
        }
        return copy;
    }
}
