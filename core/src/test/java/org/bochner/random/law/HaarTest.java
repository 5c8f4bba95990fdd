package org.bochner.random.law;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HaarTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 33, 129})
    void rowsAreOrthonormal(int d) {
        double[] q = Haar.rows(new Seed(d).stream(), d, d);
        // Each of d reflections errs by a small multiple of 2⁻⁵³ (Higham, 2002, lemma 19.3).
        double bound = 8 * d * 0x1p-53;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int l = 0; l < d; l++) {
                    sum += q[i * d + l] * q[j * d + l];
                }
                assertEquals(i == j ? 1 : 0, sum, bound, i + "," + j);
            }
        }
    }

    @Test
    void fewerRowsAreTheSameRows() {
        double[] all = Haar.rows(new Seed(1).stream(), 23, 23);
        for (int rows = 1; rows < 23; rows++) {
            assertArrayEquals(Arrays.copyOf(all, rows * 23), Haar.rows(new Seed(1).stream(), 23, rows));
        }
    }

    @Test
    void firstRowIsTheGaussianVectorAtUnitLength() {
        RandomStream stream = new Seed(8).stream();
        double[] x = new double[50];
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            x[i] = stream.nextGaussian();
            square += x[i] * x[i];
        }
        double[] row = Haar.rows(new Seed(8).stream(), 50, 1);
        for (int i = 0; i < x.length; i++) {
            assertEquals(x[i] / Math.sqrt(square), row[i], 8 * 0x1p-53);
        }
    }

    /**
     * Every entry of a Haar matrix has mean 0, mean square 1/d and mean fourth power 3/(d(d+2)), and two entries of one
     * column, or of one row, have uncorrelated signs. Without the fixed sign of R's diagonal the means fail.
     */
    @Test
    void entriesHaveTheMomentsOfTheUniformLaw() {
        int d = 4;
        int n = 20_000;
        double[] first = new double[d * d];
        double[] second = new double[d * d];
        double[] fourth = new double[d * d];
        double[] withDiagonal = new double[d * d];
        RandomStream stream = new Seed(6).stream();
        for (int repeat = 0; repeat < n; repeat++) {
            double[] q = Haar.rows(stream, d, d);
            for (int e = 0; e < d * d; e++) {
                first[e] += q[e];
                second[e] += q[e] * q[e];
                fourth[e] += q[e] * q[e] * q[e] * q[e];
                withDiagonal[e] += q[e] * q[0];
            }
        }
        for (int e = 0; e < d * d; e++) {
            // Powers of entries lie in [−1, 1], so their variances are below E[q²] = 1/d; six standard deviations.
            double bound = 6 / Math.sqrt((double) d * n);
            assertEquals(0, first[e] / n, bound);
            assertEquals(1.0 / d, second[e] / n, bound);
            assertEquals(3.0 / (d * (d + 2)), fourth[e] / n, bound);
            assertEquals(e == 0 ? 1.0 / d : 0, withDiagonal[e] / n, bound);
        }
    }

    @Test
    void rotationsAndReflectionsAreEquallyLikely() {
        int n = 10_000;
        int positive = 0;
        RandomStream stream = new Seed(10).stream();
        for (int repeat = 0; repeat < n; repeat++) {
            double[] q = Haar.rows(stream, 2, 2);
            positive += q[0] * q[3] - q[1] * q[2] > 0 ? 1 : 0;
        }
        assertEquals(n / 2.0, positive, 6 * Math.sqrt(n) / 2);
    }

    @Test
    void refusesMoreRowsThanTheDimension() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Haar.rows(new Seed(1).stream(), 3, 4));
        assertEquals("Haar: at most 3 rows are orthogonal, asked for 4", e.getMessage());
    }
}
