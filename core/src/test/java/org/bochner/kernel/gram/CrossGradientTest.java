package org.bochner.kernel.gram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrossGradientTest {
    private static final int COLUMNS = 6;
    private static final int ROWS = 7;
    private static final int MOVABLE = 4;

    /** Rows in [0.1, 1); those of x have some zeros. No value of x is equal to one of h, where kernels may have kinks. */
    private static double[] random(int rows, boolean zeros, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[] values = new double[rows * COLUMNS];
        for (int k = 0; k < values.length; k++) {
            values[k] = zeros && stream.nextInt(5) == 0 ? 0 : 0.1 + 0.9 * stream.nextUniform();
        }
        return values;
    }

    private final double[] x = random(ROWS, true, 1);
    private final double[] h = random(MOVABLE, false, 2);

    private static double[] row(double[] rows, int i) {
        double[] row = new double[COLUMNS];
        System.arraycopy(rows, i * COLUMNS, row, 0, COLUMNS);
        return row;
    }

    private static Matrix<double[]> matrix(double[] rows) {
        return Matrix.of(rows, rows.length / COLUMNS, COLUMNS);
    }

    /** Distances from inner products have an error of about 1e-15; square roots of them, at equal rows only, 3e-8. */
    @ParameterizedTest
    @MethodSource("org.bochner.kernel.gram.CrossKernelTest#kernels")
    void valuesAreThoseOfTheKernel(String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        double[] out = new double[3 + ROWS * 9];
        CrossGradient.of(kernel).orElseThrow().values(matrix(x), matrix(h), Matrix.of(out, 3, ROWS, MOVABLE, 9));
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < MOVABLE; j++) {
                assertEquals(kernel.value(row(x, i), row(h, j)), out[3 + 9 * i + j], 1e-13, spelling);
            }
        }
    }

    /**
     * Central differences over 2s have a truncation error of s²f‴/6 and more: over 4s, it is four times as large. The gap between
     * the two is three times the error of the first, here taken as its bound. It is less than 1e-7 unless values of x and h are
     * near each other and the kernel is rough: |x − h|^p has no second derivative at equal values. Rounding errs by 1e-15/s.
     */
    @ParameterizedTest
    @MethodSource("org.bochner.kernel.gram.CrossKernelTest#kernels")
    void gradientsAreDifferencesOfValues(String spelling) {
        Kernel kernel = Kernels.parse(spelling);
        double[] c = new double[ROWS * MOVABLE];
        RandomStream stream = new Seed(3).stream();
        for (int k = 0; k < c.length; k++) {
            c[k] = stream.nextGaussian();
        }
        double[] out = new double[h.length];
        out[5] = 100;
        CrossGradient.of(kernel).orElseThrow().add(matrix(x), matrix(h), Matrix.of(c, ROWS, MOVABLE), matrix(out));
        out[5] -= 100;
        for (int at = 0; at < h.length; at++) {
            double step = 1e-5;
            double expected = difference(kernel, c, at, step);
            double gap = Math.abs(difference(kernel, c, at, 2 * step) - expected);
            assertEquals(expected, out[at], 1e-9 + gap, spelling + " value " + at);
        }
    }

    private double difference(Kernel kernel, double[] c, int at, double step) {
        double[] moved = h.clone();
        moved[at] = h[at] + step;
        double after = sum(kernel, c, moved);
        moved[at] = h[at] - step;
        return (after - sum(kernel, c, moved)) / (2 * step);
    }

    private double sum(Kernel kernel, double[] c, double[] landmarks) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < MOVABLE; j++) {
                sum += c[i * MOVABLE + j] * kernel.value(row(x, i), row(landmarks, j));
            }
        }
        return sum;
    }

    /** Equal rows, and zeros at which a derivative is infinite, give finite gradients. */
    @ParameterizedTest
    @MethodSource("org.bochner.kernel.gram.CrossKernelTest#kernels")
    void gradientsAreFiniteAtEqualRowsAndAtZeros(String spelling) {
        double[] zeros = random(ROWS, true, 1);
        double[] out = new double[zeros.length];
        double[] c = new double[ROWS * ROWS];
        Arrays.fill(c, 1);
        CrossGradient.of(Kernels.parse(spelling))
                .orElseThrow()
                .add(matrix(zeros), matrix(zeros), Matrix.of(c, ROWS, ROWS), matrix(out));
        for (double value : out) {
            assertTrue(Double.isFinite(value), spelling);
        }
    }

    @Test
    void kernelsOfUnknownTypesHaveNone() {
        Kernel unknown = new ComposedKernel() {
            @Override
            public double value(double[] x, double[] y) {
                return 1;
            }

            @Override
            public List<Kernel> parts() {
                return List.of();
            }
        };
        assertTrue(CrossGradient.of(unknown).isEmpty());
    }
}
