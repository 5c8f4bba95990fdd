package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Fixtures.Table;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.stats.PiecewiseLinear;
import org.junit.jupiter.api.Test;

/** Ridge regression with a penalty of the features' own is the plain one on whitened features. */
class PenaltyTest {
    private static final Workers WORKERS = new Workers(1);
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final Labels CLASSES = new Labels.Classes(List.of("red", "green", "blue"));
    private static final FeatureMap CODES = new PiecewiseLinear(3, 6, false);
    private static final FeatureMap WHITENED = new PiecewiseLinear(3, 6, true);

    /** Values in [0, 1], with targets that no linear function meets. */
    private static Table table(Labels labels) {
        Table table = new Table(200, 3, 2, 0, new Seed(1));
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 3; j++) {
                table.x[i][j] = (float) Math.abs(table.x[i][j]);
            }
            table.y[i][0] = Math.abs(table.x[i][0] - 0.5) + table.x[i][1] + 0.1 * table.y[i][0];
            table.weights[i] = 0.5 + i % 2;
        }
        return labels instanceof Labels.Classes ? table.withClasses(3, new Seed(2)) : table;
    }

    private static GramStatistics statistics(FeatureMap map, Labels labels) {
        Table table = table(labels);
        GramAccumulator total = new GramAccumulator(map.outputDimension(), labels);
        BlockGram block = new BlockGram(map.outputDimension(), labels, ClassWeights.none());
        for (int from = 0; from < 200; from += 50) {
            block.clear();
            block.add(new MappedRows(map, Precision.FLOAT64).take(table.block(from, from + 50)), 0);
            total.add(block);
        }
        return total.freeze(Penalty.of(map));
    }

    @Test
    void statisticsAreThoseOfTheWhitenedFeatures() {
        GramStatistics expected = statistics(WHITENED, NUMBERS);
        GramStatistics got = statistics(CODES, NUMBERS);
        for (int i = 0; i < expected.features(); i++) {
            for (int j = 0; j < expected.features(); j++) {
                // Sums of 200 products below 1, of which whitening adds 36.
                assertEquals(expected.scatter(i, j), got.scatter(i, j), 36 * 200 * 0x1p-52, i + "," + j);
            }
            assertEquals(expected.mean()[i], got.mean()[i], 1e-14);
            assertEquals(expected.cross(1)[i], got.cross(1)[i], 6 * 200 * 0x1p-52);
        }
    }

    @Test
    void theModelIsTheSameFunctionOfTheRows() {
        for (Labels labels : List.of(NUMBERS, CLASSES)) {
            for (Ridge ridge : List.of(Ridge.of(0.1), Ridge.auto())) {
                LinearFit expected = ridge.fit(statistics(WHITENED, labels), Precision.FLOAT64, WORKERS);
                LinearFit got = ridge.fit(statistics(CODES, labels), Precision.FLOAT64, WORKERS);
                assertEquals(expected.chosen().lambda(), got.chosen().lambda(), 1e-12);
                double[] whitened = new double[18];
                double[] codes = new double[18];
                for (double[] row : table(labels).x) {
                    WHITENED.apply(row, whitened);
                    CODES.apply(row, codes);
                    double[] wanted = expected.model().apply(whitened);
                    double[] found = got.model().apply(codes);
                    for (int o = 0; o < wanted.length; o++) {
                        // The condition number is below tr(H)/λ < 1e5, and values are of size 1.
                        assertEquals(wanted[o], found[o], 1e-10);
                    }
                }
            }
        }
    }

    /** With as strong a penalty on the codes themselves the function would be another one. */
    @Test
    void thePenaltyMatters() {
        GramStatistics whitened = statistics(CODES, NUMBERS);
        Table table = table(NUMBERS);
        GramAccumulator total = new GramAccumulator(18, NUMBERS);
        BlockGram block = new BlockGram(18, NUMBERS, ClassWeights.none());
        block.add(new MappedRows(CODES, Precision.FLOAT64).take(table.block(0, 200)), 0);
        total.add(block);
        LinearModel with = Ridge.of(1).fit(whitened, Precision.FLOAT64, WORKERS).model();
        LinearModel without =
                Ridge.of(1).fit(total.freeze(), Precision.FLOAT64, WORKERS).model();
        assertTrue(Math.abs(with.weight(0, 0) - without.weight(0, 0)) > 1e-3);
    }
}
