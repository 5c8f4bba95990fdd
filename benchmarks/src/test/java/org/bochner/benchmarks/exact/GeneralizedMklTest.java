package org.bochner.benchmarks.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.linear.Loss;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GeneralizedMklTest {
    private static final Workers WORKERS = new Workers(2);

    /** The Gram matrix of some columns of rows. */
    private static double[] gram(double[][] rows, int from, int to) {
        int n = rows.length;
        double[] gram = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int l = from; l < to; l++) {
                    gram[i * n + j] += rows[i][l] * rows[j][l];
                }
            }
        }
        return gram;
    }

    /** The rows of a reference table, each from column name to text. */
    private static List<Map<String, String>> golden(String name) {
        try (InputStream in =
                Objects.requireNonNull(GeneralizedMklTest.class.getResourceAsStream("/golden/" + name), name)) {
            List<String[]> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(",", -1))
                    .toList();
            List<Map<String, String>> rows = new ArrayList<>();
            for (String[] cells : lines.subList(1, lines.size())) {
                Map<String, String> row = new HashMap<>();
                for (int j = 0; j < cells.length; j++) {
                    row.put(lines.get(0)[j], cells[j]);
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<String, String> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(text(row, column));
    }

    private static double[] numbers(Map<String, String> row, String column) {
        return Arrays.stream(text(row, column).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Nested
    class AgreesWithGroupLasso {
        private final int[] starts = {0, 2, 5, 7};

        /** (18) is C times (19) with λ = √2/C; there wⱼ = dⱼ·Φⱼa, and dⱼ = |wⱼ|/√2. */
        @Test
        void onTheReferenceProblems() {
            List<Map<String, String>> table = golden("mkl_rows.csv");
            double[][] rows = new double[table.size()][7];
            double[] targets = new double[rows.length];
            for (int i = 0; i < rows.length; i++) {
                double[] thousandths = numbers(table.get(i), "features");
                for (int l = 0; l < 7; l++) {
                    rows[i][l] = thousandths[l] / 1000;
                }
                targets[i] = number(table.get(i), "target");
            }
            List<double[]> grams = new ArrayList<>();
            for (int g = 0; g < 3; g++) {
                grams.add(gram(rows, starts[g], starts[g + 1]));
            }
            for (Map<String, String> row : golden("mkl_group_lasso.csv")) {
                Loss.PerScore loss = text(row, "loss").equals("half_square")
                        ? new Loss.HalfSquare()
                        : new Loss.SmoothInsensitive(number(row, "epsilon"), number(row, "gamma"));
                double c = Math.sqrt(2) / number(row, "lambda");
                MklSolution solution =
                        GeneralizedMkl.of(c, loss).withWorkers(WORKERS).fit(3, grams::get, targets);
                double expected = number(row, "objective");
                assertEquals(
                        expected,
                        solution.objective() / c,
                        1e-9 * expected,
                        solution.minimum().toString());
                assertWeights(rows, solution, numbers(row, "w"));
            }
        }

        private void assertWeights(double[][] rows, MklSolution solution, double[] expected) {
            double[] d = solution.weights();
            double[] a = solution.coefficients();
            for (int g = 0; g < 3; g++) {
                double squares = 0;
                for (int l = starts[g]; l < starts[g + 1]; l++) {
                    double w = 0;
                    for (int i = 0; i < rows.length; i++) {
                        w += d[g] * rows[i][l] * a[i];
                    }
                    assertEquals(expected[l], w, 1e-8);
                    squares += expected[l] * expected[l];
                }
                assertEquals(Math.sqrt(squares / 2), d[g], 1e-8);
                if (squares == 0) {
                    assertEquals(0.0, d[g], 0.0);
                }
            }
        }
    }

    @Nested
    class OnKernels {
        private static final int ROWS = 80;

        /** Of three columns the first alone says which class a row has. */
        private final MemorySource rows = rows();

        private final List<Kernel> kernels = List.of(
                Kernels.parse("gaussian(sigma=0.1)[0:1]"),
                Kernels.parse("gaussian(sigma=0.1)[1:2]"),
                Kernels.parse("laplacian(sigma=0.1)[2:3]"));

        private MemorySource rows() {
            RandomStream stream = new Seed(3).stream();
            float[] values = new float[ROWS * 3];
            int[] classes = new int[ROWS];
            for (int i = 0; i < ROWS; i++) {
                for (int l = 0; l < 3; l++) {
                    values[3 * i + l] = (float) stream.nextUniform();
                }
                classes[i] = Math.abs(values[3 * i] - 0.5) < 0.25 ? 1 : 0;
            }
            return MemorySource.of(3, values).withClasses(List.of("outside", "inside"), classes);
        }

        private MklSolution solution(Loss.PerScore loss, double c) {
            List<double[]> grams = kernels.stream()
                    .map(kernel -> GeneralizedMkl.gram(kernel, rows, WORKERS))
                    .toList();
            return GeneralizedMkl.of(c, loss)
                    .withWorkers(WORKERS)
                    .fit(3, grams::get, ExactRows.read(rows).targets());
        }

        /** Where dⱼ > 0 the derivative 1 − ½aᵀKⱼa is 0, elsewhere it is not negative. */
        @Test
        void meetsTheConditionsOfTheMinimumWithEveryLoss() {
            for (Loss.PerScore loss : List.of(new Loss.HalfSquare(), new Loss.Logistic(), new Loss.SquaredHinge())) {
                for (double c : new double[] {0.1, 1, 10}) {
                    MklSolution solution = solution(loss, c);
                    assertTrue(solution.minimum().converged(), loss + ": " + solution.minimum());
                    double[] d = solution.weights();
                    double[] a = solution.coefficients();
                    for (int j = 0; j < 3; j++) {
                        double[] gram = GeneralizedMkl.gram(kernels.get(j), rows, WORKERS);
                        double slope = 1;
                        for (int at = 0; at < gram.length; at++) {
                            slope -= 0.5 * a[at / ROWS] * gram[at] * a[at % ROWS];
                        }
                        assertEquals(d[j] == 0 ? Math.max(0, slope) : 0, slope, 1e-6, loss + " " + c);
                    }
                }
            }
        }

        /**
         * At d = 0 squared hinges have a = 2Cy, so that the derivatives 1 − 2C²·yᵀKⱼy are all positive up to
         * C = 1/√(2·max yᵀKⱼy), and beyond that the kernel of the largest is the first to get weight.
         */
        @Test
        void startsWithTheKernelThatMatters() {
            double[] targets = ExactRows.read(rows).targets();
            double[] gram = GeneralizedMkl.gram(kernels.get(0), rows, WORKERS);
            double product = 0;
            for (int at = 0; at < gram.length; at++) {
                product += targets[at / ROWS] * gram[at] * targets[at % ROWS];
            }
            double first = 1 / Math.sqrt(2 * product);
            assertArrayEquals(
                    new double[3],
                    solution(new Loss.SquaredHinge(), 0.99 * first).weights());
            MklSolution solution = solution(new Loss.SquaredHinge(), 1.05 * first);
            double[] d = solution.weights();
            assertTrue(d[0] > 0 && d[1] == 0 && d[2] == 0);
            assertTrue(solution.kernel(kernels).toString().endsWith("*gaussian(sigma=0.1)[0:1]"));
        }

        @Test
        void predictsByTheWeightedKernels() {
            MklSolution solution = solution(new Loss.HalfSquare(), 20);
            ExactModel model = solution.model(kernels, rows);
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = rows.open()) {
                assertTrue(cursor.next(builder, ROWS));
            }
            double[] scores = model.predict(builder.build(), WORKERS);
            double[] a = solution.coefficients();
            double[] targets = ExactRows.read(rows).targets();
            // (K + I/C)a = y.
            for (int i = 0; i < ROWS; i++) {
                assertEquals(targets[i] - a[i] / 20, scores[i], 1e-9);
                assertTrue(scores[i] * targets[i] > 0);
            }
        }

        @Test
        void givesAllWeightZeroWhereLossesCostNothing() {
            MklSolution solution = solution(new Loss.Logistic(), 1e-4);
            assertArrayEquals(new double[3], solution.weights());
            // C·n·log 2.
            assertEquals(1e-4 * ROWS * Math.log(2), solution.objective(), 1e-14);
            assertThrows(BochnerException.class, () -> solution.kernel(kernels));
        }

        @Test
        void keepsTheBestWhereItIsStopped() {
            double[] targets = ExactRows.read(rows).targets();
            List<Double> values = new ArrayList<>();
            MklSolution solution = GeneralizedMkl.of(1, new Loss.Logistic())
                    .fit(
                            3,
                            j -> GeneralizedMkl.gram(kernels.get(j), rows, new Workers(1)),
                            targets,
                            (i, value, point, norm) -> {
                                values.add(value);
                                return i < 2;
                            });
            assertEquals(Minimum.End.STOPPED, solution.minimum().end());
            assertEquals(values.stream().mapToDouble(v -> v).min().orElseThrow(), solution.objective());
        }
    }

    @Nested
    class Refuses {
        @Test
        void lossesWithKinks() {
            assertThrows(IllegalArgumentException.class, () -> GeneralizedMkl.of(1, new Loss.Hinge()));
            assertThrows(IllegalArgumentException.class, () -> GeneralizedMkl.of(1, new Loss.EpsilonInsensitive(0.1)));
        }

        @Test
        void parametersThatAreNone() {
            assertThrows(IllegalArgumentException.class, () -> GeneralizedMkl.of(Double.NaN, new Loss.Logistic()));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> GeneralizedMkl.of(1, new Loss.Logistic()).fit(1, j -> new double[3], new double[2]));
        }

        @Test
        void moreRowsThanFit() {
            MemoryException e = assertThrows(
                    MemoryException.class,
                    () -> GeneralizedMkl.of(1, new Loss.Logistic()).fit(1, j -> new double[0], new double[112_000]));
            assertEquals(201.16e9, e.needed(), 0.005e9);
        }
    }
}
