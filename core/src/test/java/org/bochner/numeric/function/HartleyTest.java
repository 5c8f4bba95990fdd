package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HartleyTest {
    /** Sums of up to 512 numbers of size 1, in another order: 512·√512·2⁻⁵³ at most is 1.3e-12. */
    private static final double ROUNDING = 2e-12;

    private static double[] random(int length, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[] x = new double[length];
        for (int i = 0; i < length; i++) {
            x[i] = stream.nextGaussian();
        }
        return x;
    }

    private static double[] transformed(double[] x) {
        double[] copy = x.clone();
        new Hartley(x.length).transform(copy);
        return copy;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 64, 512})
    void isTheSumOfItsDefinition(int length) {
        double[] x = random(length, 1);
        double[] expected = new double[length];
        for (int k = 0; k < length; k++) {
            for (int n = 0; n < length; n++) {
                double angle = 2 * Math.PI * (n * k % length) / length;
                expected[k] += x[n] * (Math.cos(angle) + Math.sin(angle));
            }
        }
        assertArrayEquals(expected, transformed(x), ROUNDING);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 32, 256})
    void multipliedTransformsAreThatOfTheConvolution(int length) {
        double[] x = random(length, 1);
        double[] y = random(length, 2);
        double[] convolution = new double[length];
        for (int i = 0; i < length; i++) {
            for (int j = 0; j < length; j++) {
                convolution[(i + j) % length] += x[i] * y[j];
            }
        }
        double[] product = transformed(x);
        new Hartley(length).convolve(product, transformed(y));
        assertArrayEquals(transformed(convolution), product, length * ROUNDING);
    }

    @Test
    void twiceItIsTheInputTimesTheLength() {
        double[] x = random(128, 3);
        double[] twice = transformed(transformed(x));
        for (int i = 0; i < x.length; i++) {
            assertEquals(x[i], twice[i] / 128, ROUNDING);
        }
    }

    @Test
    void leavesWhatFollowsAlone() {
        double[] x = random(8, 4);
        double last = x[4];
        new Hartley(4).transform(x);
        assertEquals(last, x[4]);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, 12, Integer.MIN_VALUE})
    void refusesLengthsThatAreNoPowersOfTwo(int length) {
        assertThrows(IllegalArgumentException.class, () -> new Hartley(length));
    }
}
