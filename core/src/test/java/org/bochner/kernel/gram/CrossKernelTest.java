package org.bochner.kernel.gram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.memory.MemoryException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrossKernelTest {
    private static final int COLUMNS = 6;

    /** All families, and each way to compose kernels. */
    static Stream<String> kernels() {
        return Stream.of(
                "gaussian(sigma=0.8)",
                "gaussian(sigma=[0:2=0.5, 2:5=Infinity, 5:6=3])",
                "laplacian(sigma=2)",
                "cauchy(sigma=1)",
                "sech(sigma=1)",
                "matern(nu=0.5, sigma=1)",
                "matern(nu=1.5, sigma=[0:3=1, 3:6=2])",
                "matern(nu=0.8, sigma=1)",
                "rational-quadratic(alpha=1.3, sigma=1)",
                "stable(p=2, q=0.7, sigma=1)",
                "stable(p=0.5, q=0.3, sigma=[0:5=1, 5:6=Infinity])",
                "stable(p=1.2, q=1.2, sigma=2)@log(c=0.1)",
                "stable(p=1.5, q=1, sigma=[0:3=1, 3:6=2])",
                "periodic(period=2, width=0.7)",
                "wavelet(frequency=1.75, sigma=2)",
                "arc-sine(gamma=0.7, c=0.5)",
                "linear",
                "hellinger",
                "chi2",
                "chi2(degree=0.5)",
                "intersection",
                "jensen-shannon",
                "exp-chi2(gamma=1.5)",
                "laplace-intersection(beta=0.7)",
                "matern-chi2(nu=2.5, sigma=0.7)",
                "rational-quadratic-hellinger(alpha=2, sigma=0.7)",
                "skewed-chi2(c=0.1, power=0.5)",
                "skewed-intersection(c=0.3, power=[0:1=0.25, 1:6=0.5])",
                "gaussian(sigma=2)@log(c=0.1)",
                "matern(nu=1.5, sigma=1)@sqrt",
                "polynomial(gamma=0.7, degree=3)",
                "arc-cosine(order=0)",
                "arc-cosine(order=1)",
                "2.5*gaussian(sigma=1)[1:4]",
                "gaussian(sigma=1)[0:4] * periodic(width=0.5)[4:6]",
                "gaussian(sigma=1)[0:2] + 0.25*chi2[2:6] + matern(nu=0.5, sigma=2)@log(c=0.5)");
    }

    /** Dense copies of 2⁴¹ values would take more than 10 terabytes. */
    @ParameterizedTest
    @ValueSource(strings = {"matern(nu=0.5, sigma=1)", "laplacian(sigma=1)", "gaussian(sigma=1)@log(c=1)"})
    void wideSparseRowsAreRefusedBeforeTheyBecomeDense(String spelling) {
        int rows = 1 << 20;
        SparseRows wide = SparseRows.of(rows, 1 << 21, new int[rows + 1], new int[0], new float[0]);
        Kernel kernel = Kernels.parse(spelling);
        MemoryException refused = assertThrows(MemoryException.class, () -> CrossKernel.of(kernel, wide));
        assertTrue(String.valueOf(refused.getMessage()).contains("gaussian"), refused.getMessage());
        assertEquals(rows, CrossKernel.of(Kernels.gaussian(1), wide).size());
    }

    /** The values themselves are the reference. Inner products of six columns have an error of a few units of 10⁻¹⁶. */
    @ParameterizedTest
    @MethodSource("kernels")
    void valuesAreThoseOfTheKernel(String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        double[][] fixed = rows(17, 1);
        double[][] rows = rows(300, 2);
        for (RowBlock landmarks : blocks(fixed)) {
            CrossKernel cross = CrossKernel.of(kernel, landmarks);
            assertEquals(fixed.length, cross.size());
            for (RowBlock block : blocks(rows)) {
                double[] exact = new double[3 + rows.length * 20];
                float[] single = new float[3 + rows.length * 20];
                cross.values(block, exact, 3, 20);
                cross.values(block, single, 3, 20);
                for (int i = 0; i < rows.length; i++) {
                    for (int j = 0; j < fixed.length; j++) {
                        double expected = kernel.value(rows[i], fixed[j]);
                        // An angle near 0 is resolved to the root of the rounding of its cosine.
                        double tolerance = spelling.startsWith("arc-cosine(order=0") ? 2e-8 : 1e-13;
                        double scale = 1 + Math.abs(expected);
                        assertEquals(expected, exact[3 + i * 20 + j], tolerance * scale, i + ", " + j);
                        assertEquals(expected, single[3 + i * 20 + j], 4e-6 * scale, i + ", " + j);
                    }
                    assertEquals(0, exact[3 + i * 20 + 17], "nothing is written beside the values");
                }
            }
        }
    }

    /** Sums of kernels of differences grow in blocks of 512 fixed rows. */
    @Test
    void manyFixedRowsAreComputedInBlocks() {
        double[][] fixed = rows(1100, 6);
        double[][] rows = rows(3, 7);
        Kernel kernel = Kernels.parse("laplacian(sigma=[0:2=1, 2:6=3])");
        double[] values = new double[3 * 1100];
        CrossKernel.of(kernel, dense(fixed)).values(dense(rows), values, 0, 1100);
        for (int k = 0; k < values.length; k++) {
            assertEquals(kernel.value(rows[k / 1100], fixed[k % 1100]), values[k], 1e-15, "value " + k);
        }
    }

    /** Rows of length 10⁴ and differences of 1: without centring, float32 would lose all digits of the distance. */
    @Test
    void rowsFarFromTheOriginKeepTheirDistances() {
        Kernel kernel = Kernels.parse("gaussian(sigma=1)");
        double[][] rows = rows(40, 3);
        for (double[] row : rows) {
            for (int l = 0; l < row.length; l++) {
                row[l] = (float) (10_000 + row[l]);
            }
        }
        RowBlock block = dense(rows);
        float[] values = new float[40 * 40];
        CrossKernel.of(kernel, block).values(block, values, 0, 40);
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 40; j++) {
                assertEquals(kernel.value(rows[i], rows[j]), values[i * 40 + j], 1e-5);
            }
        }
    }

    @Test
    void valuesOutsideTheDomainNameTheirRowAndColumn() {
        double[][] rows = rows(4, 5);
        rows[2][3] = -1;
        for (String spelling : List.of("chi2", "hellinger", "exp-chi2(gamma=1)", "gaussian(sigma=1)@log(c=0.1)")) {
            CrossKernel cross = CrossKernel.of(Kernels.parse(spelling), dense(rows(3, 1)));
            for (RowBlock block : blocks(rows)) {
                RowException failure =
                        assertThrows(RowException.class, () -> cross.values(block, new double[12], 0, 3), spelling);
                assertEquals(2, failure.row(), spelling);
                assertEquals(3, failure.column(), spelling);
            }
        }
        CrossKernel channel = CrossKernel.of(Kernels.parse("chi2[2:5]"), dense(rows(3, 1)));
        RowException failure =
                assertThrows(RowException.class, () -> channel.values(dense(rows), new double[12], 0, 3));
        assertEquals(3, failure.column(), "the column of the whole row");
    }

    @Test
    void rowsMustHaveTheColumnsOfTheFixedRows() {
        CrossKernel cross = CrossKernel.of(Kernels.parse("gaussian(sigma=1)"), dense(rows(3, 1)));
        RowBlock narrow = dense(rows(2, 1)).columns(0, 4);
        assertThrows(IllegalArgumentException.class, () -> cross.values(narrow, new double[6], 0, 3));
    }

    /** Non-negative rows with a third of zeros, one of them all zero, whose values float32 holds exactly. */
    private static double[][] rows(int count, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[][] rows = new double[count][COLUMNS];
        for (int i = 1; i < count; i++) {
            for (int l = 0; l < COLUMNS; l++) {
                rows[i][l] = stream.nextInt(3) == 0 ? 0 : (float) stream.nextUniform();
            }
        }
        return rows;
    }

    private static List<RowBlock> blocks(double[][] rows) {
        return List.of(dense(rows), sparse(rows));
    }

    private static DenseRows dense(double[][] rows) {
        float[] values = new float[rows.length * COLUMNS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) rows[k / COLUMNS][k % COLUMNS];
        }
        return DenseRows.of(rows.length, COLUMNS, values);
    }

    private static SparseRows sparse(double[][] rows) {
        int[] starts = new int[rows.length + 1];
        List<Integer> columns = new ArrayList<>();
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            for (int l = 0; l < COLUMNS; l++) {
                if (rows[i][l] != 0) {
                    columns.add(l);
                    values.add((float) rows[i][l]);
                }
            }
            starts[i + 1] = columns.size();
        }
        assertTrue(columns.size() < rows.length * COLUMNS);
        float[] array = new float[values.size()];
        for (int e = 0; e < array.length; e++) {
            array[e] = values.get(e);
        }
        return SparseRows.of(
                rows.length, COLUMNS, starts, columns.stream().mapToInt(l -> l).toArray(), array);
    }
}
