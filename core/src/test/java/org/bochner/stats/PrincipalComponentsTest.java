package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures.Table;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PrincipalComponentsTest {
    private static final Workers WORKERS = new Workers(2);
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final Labels NONE = Labels.none();

    private static GramStatistics statistics(Table table, int from, int to, Labels labels) {
        return Fixtures.accumulate(table, from, to, 16, labels, Precision.FLOAT64)
                .freeze();
    }

    /** Rows with unequal columns, so that components are apart. */
    private static Table table(int rows, int columns, Seed seed) {
        Table table = new Table(rows, columns, 2, 1, seed);
        for (double[] x : table.x) {
            for (int j = 0; j < columns; j++) {
                x[j] = (float) (x[j] * (1 + j) + (j > 0 ? 0.3 * x[j - 1] : 0));
            }
        }
        return table;
    }

    private static double vector(PrincipalComponents components, int feature, int component) {
        PrincipalComponents.Part part = components.parts().get(0);
        return part.vectors()[feature * part.kept() + component];
    }

    @Nested
    class Golden {
        private double[] numbers(String name) {
            return GoldenTable.read("pca_ridge.csv").stream()
                    .filter(row -> GoldenTable.text(row, "name").equals(name))
                    .map(row -> GoldenTable.numbers(row, "values"))
                    .findFirst()
                    .orElseThrow();
        }

        /** The features are given to three decimals: rows hold thousandths, which float32 holds exactly. */
        private final FeatureMap thousandths = new FeatureMap() {
            @Override
            public int inputDimension() {
                return 4;
            }

            @Override
            public int outputDimension() {
                return 4;
            }

            @Override
            public Kernel kernel() {
                return new Gaussian(1);
            }

            @Override
            public void apply(double[] x, double[] out) {
                for (int j = 0; j < 4; j++) {
                    out[j] = x[j] / 1000;
                }
            }

            @Override
            public State state() {
                return State.of("thousandths");
            }
        };

        private RowBlock rows(int from, int to) {
            double[] z = numbers("Z");
            float[] values = new float[(to - from) * 4];
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.round(1000 * z[from * 4 + i]);
            }
            RowBlockBuilder builder = new RowBlockBuilder();
            MemorySource.of(4, values)
                    .withTargets(Arrays.copyOfRange(numbers("y"), from, to))
                    .open()
                    .next(builder, to - from);
            return builder.build();
        }

        /** Each chunk in an accumulator of its own, as files or machines would have. */
        private GramStatistics merged() {
            Labels labels = new Labels.Numbers(List.of("y"));
            GramAccumulator total = new GramAccumulator(4, labels);
            int from = 0;
            for (double chunk : numbers("chunks")) {
                BlockGram block = new BlockGram(4, labels, ClassWeights.none());
                block.add(new MappedRows(thousandths, Precision.FLOAT64).take(rows(from, from + (int) chunk)), 0);
                GramAccumulator own = new GramAccumulator(4, labels);
                own.add(block);
                total.combine(own);
                from += (int) chunk;
            }
            assertEquals(7, from);
            return total.freeze();
        }

        @Test
        void theDecompositionIsTheReference() {
            GramStatistics statistics = merged();
            PrincipalComponents all = PrincipalComponents.of(List.of(statistics), List.of(), Components.of(4));
            double[] u = numbers("U");
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) {
                    assertEquals(numbers("scatter")[i * 4 + j], statistics.scatter(i, j), 1e-10);
                    assertEquals(u[i * 4 + j], vector(all, i, j), 1e-10);
                }
            }
            assertArrayEquals(numbers("eigenvalues"), all.parts().get(0).eigenvalues(), 1e-10);
        }

        @Test
        void ridgeOnTheComponentsIsTheReference() {
            PrincipalComponents components =
                    PrincipalComponents.of(List.of(merged()), List.of(), Components.of((int) numbers("k")[0]));
            GramStatistics projected = components.project(WORKERS);
            assertArrayEquals(numbers("v_prime"), projected.cross(0), 1e-10);
            assertTrue(projected.diagonal(), "the solution is no division");
            LinearModel model = Ridge.of(numbers("lambda")[0])
                    .fit(projected, Precision.FLOAT64, WORKERS)
                    .model();
            double[] weights = {model.weight(0, 0), model.weight(1, 0)};
            assertArrayEquals(numbers("w_pca"), weights, 1e-10);
            ComponentMap reduced = components.reduce(thousandths);
            double[] unfolded = reduced.unfold(weights, 1);
            double intercept = model.intercept(0) + reduced.shifts(weights, 1)[0];
            assertArrayEquals(numbers("w_full"), unfolded, 1e-10);
            assertEquals(numbers("intercept")[0], intercept, 1e-10);
            double[] z = numbers("Z");
            for (int i = 0; i < 7; i++) {
                double value = intercept;
                for (int j = 0; j < 4; j++) {
                    value += unfolded[j] * z[i * 4 + j];
                }
                assertEquals(numbers("predictions")[i], value, 1e-10);
            }
        }
    }

    @Nested
    class AllComponents {
        @Test
        void giveTheRidgeRegressionOfTheFeatures() {
            Table table = table(100, 6, new Seed(1));
            GramStatistics statistics = statistics(table, 0, 100, NUMBERS);
            LinearModel plain =
                    Ridge.of(0.7).fit(statistics, Precision.FLOAT64, WORKERS).model();
            PrincipalComponents components =
                    PrincipalComponents.of(List.of(statistics), List.of(), Components.ofShare(1));
            assertEquals(6, components.count());
            assertEquals(1, components.share(), 1e-12);
            LinearModel reduced = Ridge.of(0.7)
                    .fit(components.project(WORKERS), Precision.FLOAT64, WORKERS)
                    .model();
            double[] weights = new double[12];
            Arrays.setAll(weights, i -> reduced.weight(i / 2, i % 2));
            ComponentMap map = components.reduce(Fixtures.identity(6));
            double[] unfolded = map.unfold(weights, 2);
            for (int o = 0; o < 2; o++) {
                for (int j = 0; j < 6; j++) {
                    assertEquals(plain.weight(j, o), unfolded[j * 2 + o], 1e-12);
                }
                assertEquals(plain.intercept(o), reduced.intercept(o) + map.shifts(weights, 2)[o], 1e-12);
            }
        }
    }

    @Test
    void projectedStatisticsAreThoseOfTheReducedRows() {
        Table table = table(90, 6, new Seed(2));
        GramStatistics training = statistics(table, 0, 60, NUMBERS);
        GramStatistics others = statistics(table, 60, 90, NONE);
        for (List<GramStatistics> more : List.of(List.<GramStatistics>of(), List.of(others))) {
            PrincipalComponents components = PrincipalComponents.of(List.of(training), more, Components.of(4));
            GramStatistics projected = components.project(WORKERS);
            ComponentMap map = components.reduce(Fixtures.identity(6));
            BlockGram block = new BlockGram(4, NUMBERS, ClassWeights.none());
            block.add(new MappedRows(map, Precision.FLOAT64).take(table.block(0, 60)), 0);
            GramAccumulator total = new GramAccumulator(4, NUMBERS);
            total.add(block);
            GramStatistics mapped = total.freeze();
            // Sums of 60 products of numbers up to 20.
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) {
                    assertEquals(mapped.scatter(i, j), projected.scatter(i, j), 1e-10);
                }
            }
            assertArrayEquals(mapped.mean(), projected.mean(), 1e-12);
            assertArrayEquals(mapped.cross(1), projected.cross(1), 1e-11);
            assertEquals(mapped.targetScatter(1), projected.targetScatter(1), 1e-12);
            assertEquals(mapped.targetMean(1), projected.targetMean(1), 1e-14);
            assertEquals(mapped.rows(), projected.rows());
            assertEquals(mapped.weighedRows(), projected.weighedRows());
        }
    }

    @Nested
    class WithUnlabelledRows {
        @Test
        void componentsAreThoseOfAllRows() {
            Table table = table(90, 5, new Seed(3));
            PrincipalComponents joint = PrincipalComponents.of(
                    List.of(statistics(table, 0, 40, NUMBERS)),
                    List.of(statistics(table, 40, 90, NONE)),
                    Components.of(3));
            PrincipalComponents whole =
                    PrincipalComponents.of(List.of(statistics(table, 0, 90, NUMBERS)), List.of(), Components.of(3));
            assertArrayEquals(
                    whole.parts().get(0).eigenvalues(), joint.parts().get(0).eigenvalues(), 1e-10);
            for (int j = 0; j < 5; j++) {
                for (int c = 0; c < 3; c++) {
                    assertEquals(vector(whole, j, c), vector(joint, j, c), 1e-10);
                }
            }
        }

        @Test
        void noneOfThemChangesNothing() {
            Table table = table(40, 5, new Seed(4));
            GramStatistics training = statistics(table, 0, 40, NUMBERS);
            GramStatistics none = statistics(table, 0, 0, NONE);
            PrincipalComponents plain = PrincipalComponents.of(List.of(training), List.of(), Components.of(2));
            PrincipalComponents joint = PrincipalComponents.of(List.of(training), List.of(none), Components.of(2));
            assertArrayEquals(
                    plain.parts().get(0).eigenvalues(), joint.parts().get(0).eigenvalues());
            assertArrayEquals(
                    plain.project(WORKERS).cross(0), joint.project(WORKERS).cross(0));
        }

        @Test
        void projectionsDoNotDependOnTheNumberOfThreads() {
            Table table = table(400, 150, new Seed(5));
            PrincipalComponents joint = PrincipalComponents.of(
                    List.of(statistics(table, 0, 200, NUMBERS)),
                    List.of(statistics(table, 200, 400, NONE)),
                    Components.of(140));
            GramStatistics one = joint.project(new Workers(1));
            GramStatistics three = joint.project(new Workers(3));
            for (int i = 0; i < 140; i++) {
                for (int j = 0; j < 140; j++) {
                    assertEquals(one.scatter(i, j), three.scatter(i, j));
                }
            }
        }
    }

    @Nested
    class SeveralParts {
        @Test
        void keepTheLargestEigenvaluesOfAll() {
            Table small = new Table(200, 3, 2, 0, new Seed(6));
            Table large = new Table(200, 4, 2, 0, new Seed(7));
            for (double[] x : large.x) {
                for (int j = 0; j < 4; j++) {
                    x[j] *= j < 2 ? 10 : 0.1;
                }
            }
            PrincipalComponents components = PrincipalComponents.of(
                    List.of(statistics(small, 0, 200, NUMBERS), statistics(large, 0, 200, NUMBERS)),
                    List.of(),
                    Components.of(4));
            // Two columns of the second are 10 times as large as those of the first, two a tenth.
            assertEquals(2, components.parts().get(0).kept());
            assertEquals(2, components.parts().get(1).kept());
            double[] first = components.parts().get(0).eigenvalues();
            double[] second = components.parts().get(1).eigenvalues();
            double all = Arrays.stream(first).sum() + Arrays.stream(second).sum();
            assertEquals((first[0] + first[1] + second[0] + second[1]) / all, components.share(), 1e-12);
            assertThrows(IllegalArgumentException.class, () -> components.project(WORKERS));
        }
    }

    @Nested
    class HowMany {
        private final GramStatistics statistics = statistics(table(100, 6, new Seed(8)), 0, 100, NUMBERS);

        @Test
        void asFewAsHaveTheShare() {
            double[] values = PrincipalComponents.of(List.of(statistics), List.of(), Components.of(1))
                    .parts()
                    .get(0)
                    .eigenvalues();
            double total = Arrays.stream(values).sum();
            double share = (values[0] + values[1] + values[2] / 2) / total;
            PrincipalComponents kept =
                    PrincipalComponents.of(List.of(statistics), List.of(), Components.ofShare(share));
            assertEquals(3, kept.count());
            assertTrue(kept.share() >= share);
            assertTrue(kept.share() - values[2] / total < share);
        }

        @Test
        void moreThanThereAreFeaturesAreRefusedWithTheirNumber() {
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> PrincipalComponents.of(List.of(statistics), List.of(), Components.of(7)));
            assertTrue(String.valueOf(e.getMessage()).contains("7 components"), e.getMessage());
            assertTrue(String.valueOf(e.getMessage()).contains("6 features"), e.getMessage());
        }

        @Test
        void featuresThatDoNotVaryAreRefused() {
            Table table = new Table(10, 3, 2, 0, new Seed(9));
            for (double[] x : table.x) {
                Arrays.fill(x, 2);
            }
            assertThrows(
                    BochnerException.class,
                    () -> PrincipalComponents.of(
                            List.of(statistics(table, 0, 10, NUMBERS)), List.of(), Components.of(2)));
        }

        @Test
        void parsesAndPrintsBack() {
            assertEquals(Components.of(500), Components.parse("500"));
            assertEquals(Components.of(1), Components.parse(" 1 "));
            assertEquals(Components.ofShare(0.99), Components.parse("0.99"));
            assertEquals(Components.ofShare(1), Components.parse("1.0"));
            for (String text : List.of("500", "1", "0.99", "1.0")) {
                assertEquals(text, Components.parse(text).toString());
            }
        }

        @Test
        void whatIsNoNumberOfComponentsIsRefused() {
            for (String text : List.of("0", "-3", "0.0", "-0.5", "1.5", "NaN", "Infinity", "many", "", "1e12")) {
                assertThrows(SpellingException.class, () -> Components.parse(text), text);
            }
            assertThrows(IllegalArgumentException.class, () -> Components.ofShare(Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> Components.of(0));
        }
    }
}
