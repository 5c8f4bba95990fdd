package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.SpellingException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelMachine;
import org.bochner.model.Transformer;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;

/** Kernels with a matrix of average gradient outer products. */
class MatrixMetricTest {
    private static final int COLUMNS = SmallProblem.COLUMNS;

    private static Transformer start(String map, String kernel) {
        return new Transformer(Scalings.identity(COLUMNS), SmallProblem.map(map, kernel));
    }

    /** A positive definite matrix. */
    private static double[] product() {
        double[] root = {1, 0.5, 0, 0, 0.2, 2, -0.3, 0, 0, 0, 0.7, 0, 0.1, 0, 0, 0.4};
        double[] product = new double[16];
        for (int at = 0; at < 16; at++) {
            for (int k = 0; k < 4; k++) {
                product[at] += root[4 * k + at / 4] * root[4 * k + at % 4];
            }
        }
        return product;
    }

    @Test
    void isTheRootOfTheProductWithTraceOfTheColumns() {
        MatrixMetric metric = new MatrixMetric(start("fourier", "gaussian(sigma=0.7)"), 1);
        double[] product = product();
        double trace = metric.trace(product);
        double[][] rows = new double[4][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(product, 4 * i, 4 * i + 4));
        double floor = 1e-4 * LinearAlgebra.eigenvalues(rows)[3];
        double[] root = metric.of(product.clone());
        for (int at = 0; at < 16; at++) {
            int i = at / 4;
            int l = at % 4;
            double square = IntStream.range(0, 4)
                    .mapToDouble(k -> root[4 * i + k] * root[4 * k + l])
                    .sum();
            double expected = (product[at] + (i == l ? floor : 0)) * 4 / (trace + 4 * floor);
            assertEquals(expected, square, 1e-12);
            assertEquals(root[4 * l + i], root[at]);
        }
    }

    @Test
    void turnedFrequenciesMakeTheFeaturesOfMultipliedRows() {
        Transformer start = start("fourier", "gaussian(sigma=0.7)");
        MatrixMetric metric = new MatrixMetric(start, 1);
        double[] root = metric.of(product());
        FeatureMap turned = metric.map(start.map(), root, 1.5);
        Transformer found = metric.transformer(root, 1.5);
        RowBlock rows = SmallProblem.block(SmallProblem.numbers());
        RowBlock multiplied = found.scaler().forBlocks().apply(rows);
        double[] x = new double[COLUMNS];
        double[] expected = new double[turned.outputDimension()];
        double[] features = new double[turned.outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, x);
            turned.apply(x, expected);
            multiplied.copyRow(i, x);
            found.map().apply(x, features);
            // Rows are rounded to float32, and angles are at most some dozens.
            assertArrayEquals(expected, features, 1e-5);
        }
    }

    @Test
    void columnsWithoutGradientsAreIgnored() {
        MatrixMetric metric = new MatrixMetric(start("fourier", "gaussian(sigma=0.7)"), 1);
        double[] product = product();
        product[5] = 0;
        double[] root = metric.of(product);
        for (int l = 0; l < 4; l++) {
            assertEquals(0, root[4 + l], 1e-15);
            assertTrue(l == 1 || root[5 * l] > 0);
        }
    }

    @Test
    void mapsThatCannotBeTurnedAreRefused() {
        for (Transformer wrong : List.of(
                start("structured", "gaussian(sigma=0.7)"),
                start("fourier", "gaussian(sigma=[0:2=0.9, 2:4=0.6])"),
                start("fourier", "gaussian(sigma=0.7)[0:2] + laplacian(sigma=2)[2:4]"),
                new Transformer(
                        Scalings.multiplied(Scalings.identity(4), new double[4][4]),
                        SmallProblem.map("fourier", "gaussian(sigma=0.7)")),
                new Transformer(
                        Scalings.parse("standard[0:2]").fit(SmallProblem.numbers(), new Workers(1)),
                        SmallProblem.map("fourier", "gaussian(sigma=0.7)")))) {
            assertThrows(SpellingException.class, () -> new MatrixMetric(wrong, 1));
        }
    }

    @Test
    void findsTheDirectionOfAFunction() {
        RandomStream stream = new Seed(2).stream();
        int n = 300;
        float[] values = new float[n * 3];
        double[] targets = new double[n];
        for (int i = 0; i < n; i++) {
            for (int l = 0; l < 3; l++) {
                values[3 * i + l] = (float) (2 * stream.nextUniform() - 1);
            }
            targets[i] = Math.sin(3 * (values[3 * i] - values[3 * i + 1]));
        }
        MemorySource rows = MemorySource.of(3, values).withTargets(List.of("height"), targets);
        KernelLearning learning = KernelLearning.of(KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(120)
                .withScaling(Scalings.standard())
                .withSeed(new Seed(4)));
        LearnedKernel learned = learning.withMethod("agop(full)").learn(rows);
        LearnedKernel diagonal = learning.withMethod("agop").learn(rows);
        assertTrue(learned.after() < 0.5 * diagonal.after(), learned.after() + ", diagonal " + diagonal.after());
        LearnedKernel.Gradients gradients = learned.gradients(rows, new Workers(2));
        LearnedKernel.Direction first = gradients.directions().get(0);
        double cosine = Math.abs(first.weights().get(0) - first.weights().get(1)) / Math.sqrt(2);
        assertTrue(cosine > 0.99, "cosine " + cosine);
        assertTrue(first.share() > 0.95, gradients.toString());
        // The trace is the sum of the diagonal and that of the eigenvalues; those of less than 1% are left out.
        assertEquals(1, gradients.shares().stream().mapToDouble(share -> share).sum(), 1e-12);
        double largest = first.weights().stream().mapToDouble(Math::abs).max().orElseThrow();
        assertTrue(first.weights().contains(largest), first.toString());
        // The scaling knows its matrix, so that a machine with it makes the same model.
        assertTrue(learned.reproducible());
        assertEquals(
                "standard then linear",
                learned.trained().model().scaler().scaling().toString());
    }
}
