package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.LinearAlgebra;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** What every kernel keeps: symmetry, positive semi-definiteness, its diagonal, its spelling, and no side effects. */
public interface KernelContract {
    /** The kernel under test. */
    Kernel kernel();

    /** The value k(x, x) that the kernel must have at every row; 1 unless it says otherwise. */
    default double diagonal() {
        return 1;
    }

    /** The value k(x, x) that the kernel must have at one row, for kernels that have no other at every row. */
    default double diagonal(double[] x) {
        return diagonal();
    }

    /** The relative error that the kernel promises for its values. */
    default double accuracy() {
        return 1e-14;
    }

    /** Width of the rows it is tested on: what it needs, or 3. */
    default int columns() {
        return kernel().minimumColumns() > 1 ? kernel().minimumColumns() : 3;
    }

    /** A random row of its domain: Gaussian numbers unless it says otherwise. */
    default double[] row(RandomStream stream) {
        double[] row = new double[columns()];
        for (int l = 0; l < row.length; l++) {
            row[l] = stream.nextGaussian();
        }
        return row;
    }

    /** √(k(x, x)·k(y, y)), which no value of the two rows exceeds. */
    private double size(double[] x, double[] y) {
        return Math.sqrt(diagonal(x)) * Math.sqrt(diagonal(y));
    }

    /** The same rows in every run. */
    private double[][] rows(int count) {
        RandomStream stream = new Seed(17).stream();
        double[][] rows = new double[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = row(stream);
        }
        return rows;
    }

    @Test
    default void isSymmetric() {
        for (double[] x : rows(20)) {
            for (double[] y : rows(20)) {
                assertEquals(kernel().value(x, y), kernel().value(y, x), accuracy() * size(x, y));
            }
        }
    }

    @Test
    default void isPositiveSemiDefiniteOnRandomRows() {
        int n = 60;
        double[][] rows = rows(n);
        double[][] gram = new double[n][n];
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, diagonal(rows[i]));
            for (int j = 0; j < n; j++) {
                gram[i][j] = kernel().value(rows[i], rows[j]);
            }
        }
        double smallest = LinearAlgebra.eigenvalues(gram)[0];
        // Errors of the values move eigenvalues by at most n times the largest of them; computing eigenvalues errs by a
        // small multiple of n·2⁻⁵² times the norm, which is at most n times the diagonal.
        double bound = n * largest * (accuracy() + 8 * n * 0x1p-52);
        assertTrue(smallest >= -bound, kernel() + " has the eigenvalue " + smallest + ", allowed is " + -bound);
    }

    @Test
    default void hasItsValueOnTheDiagonal() {
        for (double[] x : rows(20)) {
            assertEquals(diagonal(x), kernel().value(x, x.clone()), accuracy() * diagonal(x));
        }
    }

    @Test
    default void isFiniteAndBoundedByItsDiagonal() {
        double[][] rows = rows(30);
        for (double[] x : rows) {
            for (double[] y : rows) {
                double value = kernel().value(x, y);
                // Both roots of the diagonal are rounded, and their product.
                double bound = size(x, y) * (1 + accuracy() + 0x1p-51);
                assertTrue(Math.abs(value) <= bound, kernel() + " has the value " + value);
            }
        }
    }

    @Test
    default void printsAndParsesBackToAnEqualKernel() {
        Kernel read = Kernels.parse(kernel().toString());
        assertEquals(kernel(), read);
        assertEquals(kernel().hashCode(), read.hashCode());
        assertEquals(kernel().toString(), read.toString());
    }

    @Test
    default void leavesItsInputUntouched() {
        double[][] rows = rows(2);
        double[][] copies = rows(2);
        double unused = kernel().value(rows[0], rows[1]);
        assertArrayEquals(copies[0], rows[0]);
        assertArrayEquals(copies[1], rows[1]);
        assertEquals(unused, kernel().value(rows[0], rows[1]), "the same rows give the same value");
    }

    @Test
    default void givesTheSameValuesToManyThreads() {
        Kernel shared = kernel();
        int n = 40;
        double[][] rows = rows(n);
        double[] alone = IntStream.range(0, n * n)
                .mapToDouble(i -> shared.value(rows[i / n], rows[i % n]))
                .toArray();
        double[] together = IntStream.range(0, n * n)
                .parallel()
                .mapToDouble(i -> shared.value(rows[i / n], rows[i % n]))
                .toArray();
        assertArrayEquals(alone, together);
    }
}
