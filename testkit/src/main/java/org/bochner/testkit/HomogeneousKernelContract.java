package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.base.BochnerException;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/**
 * What every additive kernel of histograms keeps beyond {@link AdditiveKernelContract}: its degree, its signature, the
 * spectrum of that, its distance and its domain.
 */
public interface HomogeneousKernelContract extends AdditiveKernelContract {
    @Override
    HomogeneousKernel kernel();

    /** Non-negative numbers from 1e-6 to 1e3, a third of them zeros. */
    @Override
    default double[] row(RandomStream stream) {
        return histogram(stream, columns());
    }

    /** A row of non-negative numbers from 1e-6 to 1e3, a third of them zeros. */
    static double[] histogram(RandomStream stream, int columns) {
        double[] row = new double[columns];
        for (int l = 0; l < columns; l++) {
            row[l] = stream.nextInt(3) == 0 ? 0 : Math.pow(10, 9 * stream.nextUniform() - 6);
        }
        return row;
    }

    /** Σₗ xₗ^degree. */
    @Override
    default double diagonal(double[] x) {
        double sum = 0;
        for (double value : x) {
            sum += value == 0 ? 0 : Math.pow(value, kernel().degree());
        }
        return sum;
    }

    @Test
    default void scalesWithItsDegree() {
        RandomStream stream = new Seed(20).stream();
        for (double factor : new double[] {1e-30, 0.3, 7, 1e30}) {
            double[] x = row(stream);
            double[] y = row(stream);
            double power = Math.pow(factor, kernel().degree());
            for (int l = 0; l < x.length; l++) {
                double value = kernel().scalar(x[l], y[l]);
                assertEquals(power * value, kernel().scalar(factor * x[l], factor * y[l]), 1e-13 * power * value);
            }
        }
    }

    @Test
    default void isItsSignatureOfTheLogarithmOfTheRatio() {
        RandomStream stream = new Seed(21).stream();
        for (int repeat = 0; repeat < 50; repeat++) {
            double x = Math.pow(10, 9 * stream.nextUniform() - 6);
            double y = Math.pow(10, 9 * stream.nextUniform() - 6);
            double size = Math.pow(x * y, kernel().degree() / 2);
            assertEquals(
                    size * kernel().signature(Math.log(y / x)), kernel().scalar(x, y), 1e-13 * size, x + " and " + y);
        }
    }

    @Test
    default void signatureIsOneAtZeroAndEvenAndBounded() {
        assertEquals(1, kernel().signature(0), 1e-15);
        for (double lambda = 1e-9; lambda < 1e4; lambda *= 1.7) {
            double value = kernel().signature(lambda);
            assertEquals(value, kernel().signature(-lambda));
            assertTrue(Math.abs(value) <= 1 + 1e-14, "K(" + lambda + ") is " + value);
        }
    }

    /**
     * K(λ) = ∫ density(ω) cos(ωλ) dω, by the trapezoidal rule with the step h = 0.05 up to ω = 400. The rule adds K(λ + 2πm/h)
     * for all whole m ≠ 0, less than 1e-12 for signatures that fall like exp(−|λ|/2) or faster. What lies beyond 400 adds at
     * most its mass, which is what is missing to 1 at λ = 0.
     */
    @Test
    default void signatureIsTheFourierTransformOfItsDensity() {
        if (kernel().density(0) == Double.POSITIVE_INFINITY) {
            // All frequencies are 0.
            assertEquals(1, kernel().signature(3), 1e-15);
            assertEquals(0, kernel().density(1));
            return;
        }
        double step = 0.05;
        int steps = 8000;
        double[] density = new double[steps + 1];
        for (int i = 0; i <= steps; i++) {
            density[i] = kernel().density(i * step);
            assertTrue(density[i] >= 0, "the density is " + density[i]);
            assertEquals(density[i], kernel().density(-i * step));
        }
        double missing = 1 - transform(density, step, 0);
        assertTrue(missing > -1e-12 && missing < 0.01, "the density has the mass " + (1 - missing));
        for (double lambda : new double[] {0.01, 0.3, 1, 2.5, 6, 15}) {
            double bound = Math.max(0, missing) + 1e-11;
            assertEquals(kernel().signature(lambda), transform(density, step, lambda), bound, "at " + lambda);
        }
    }

    private static double transform(double[] density, double step, double lambda) {
        double sum = density[0] / 2;
        for (int i = 1; i < density.length; i++) {
            sum += density[i] * Math.cos(i * step * lambda);
        }
        return 2 * step * sum;
    }

    @Test
    default void distanceIsThatOfItsFeatures() {
        RandomStream stream = new Seed(22).stream();
        for (int repeat = 0; repeat < 50; repeat++) {
            double[] x = row(stream);
            double[] y = row(stream);
            double sum = diagonal(x) + diagonal(y);
            double distance = kernel().squaredDistance(x, y);
            assertTrue(distance >= 0, "the squared distance is " + distance);
            assertEquals(sum - 2 * kernel().value(x, y), distance, 8 * accuracy() * sum);
            assertEquals(distance, kernel().squaredDistance(y, x));
            assertEquals(0, kernel().squaredDistance(x, x.clone()));
            assertEquals(diagonal(x), kernel().squaredDistance(x, new double[x.length]), accuracy() * diagonal(x));
        }
    }

    @Test
    default void distanceAtARatioIsThatOfDegreeOne() {
        for (double ratio = 1e-12; ratio < 1; ratio = Math.min(1, 1.3 * ratio)) {
            assertEquals(1 + ratio - 2 * kernel().atRatio(ratio), kernel().distanceAtRatio(ratio), 1e-15 * 8);
        }
        assertEquals(0, kernel().distanceAtRatio(1));
    }

    /**
     * D is a distance of features that scale, so D(x, xq²) ≤ D(x, xq) + D(xq, xq²) = D(x, xq)·(1 + q^(degree/2)), and for smooth
     * signatures both sides are equal up to a share of log q. The difference of kernel values would err by 2⁻⁵²/log²q, many
     * percent at the smallest ratio here; rounding of the ratios errs by 2⁻⁵²/log q.
     */
    @Test
    default void distanceOfNeighboursDoesNotCancel() {
        for (int k = 3; k <= 24; k++) {
            double q = 1 + Math.pow(2, -k);
            double x = 3;
            double once = kernel().squaredDistance(x, x * q);
            double twice = kernel().squaredDistance(x, x * q * q);
            double bound = Math.pow(1 + Math.pow(q, kernel().degree() / 2), 2) * once * (1 + 1e-7);
            assertTrue(once > 0 && twice >= once, "at the ratio " + q + ": " + once + ", then " + twice);
            assertTrue(twice <= bound, "at the ratio " + q + ": " + once + ", then " + twice + " instead of " + bound);
        }
    }

    @Test
    default void valuesOfAnyMagnitudeHaveAKernelAndADistance() {
        double[] values = {Double.MIN_VALUE, 1e-300, 1e-30, 1, 1e30, 1e60};
        for (double x : values) {
            for (double y : values) {
                double value = kernel().scalar(x, y);
                double bound = Math.pow(x, kernel().degree() / 2) * Math.pow(y, kernel().degree() / 2);
                assertTrue(
                        value >= 0 && value <= bound * (1 + 1e-13) + Double.MIN_VALUE, x + " and " + y + ": " + value);
                double distance = kernel().squaredDistance(x, y);
                assertTrue(distance >= 0 && distance < Double.POSITIVE_INFINITY, x + " and " + y + ": " + distance);
            }
        }
    }

    @Test
    default void hasAnyDegree() {
        HomogeneousKernel same = kernel().withDegree(kernel().degree());
        assertEquals(kernel(), same);
        HomogeneousKernel one = kernel().withDegree(1);
        assertEquals(1, one.degree());
        for (double degree : new double[] {0.25, 0.5, 2, 3}) {
            HomogeneousKernel other = kernel().withDegree(degree);
            assertEquals(degree, other.degree());
            double expected = Math.pow(0.7 * 2.5, (degree - 1) / 2) * one.scalar(0.7, 2.5);
            assertEquals(expected, other.scalar(0.7, 2.5), 1e-14 * expected);
            assertEquals(kernel().signature(1.5), other.signature(1.5));
        }
        assertThrows(IllegalArgumentException.class, () -> kernel().withDegree(0));
        assertThrows(IllegalArgumentException.class, () -> kernel().withDegree(Double.NaN));
    }

    @Test
    default void refusesWhatIsNoHistogramAndSaysWhatToDo() {
        assertFalse(kernel().takesAnyValue());
        for (double value : new double[] {0, -0.0, Double.MIN_VALUE, Double.MAX_VALUE}) {
            kernel().requireValue(value, 0);
        }
        for (double value :
                new double[] {-1e-300, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertRefused(value, () -> kernel().requireValue(value, 0));
            assertRefused(value, () -> kernel().scalar(value, 1));
            assertRefused(value, () -> kernel().scalar(0, value));
            assertRefused(value, () -> kernel().squaredDistance(value, 1));
            assertRefused(value, () -> kernel().squaredDistance(0, value));
            double[] row = {1, value};
            assertTrue(assertRefused(value, () -> kernel().value(row, new double[2]))
                    .contains("column 1"));
            assertTrue(assertRefused(value, () -> kernel().squaredDistance(row, new double[2]))
                    .contains("column 1"));
        }
    }

    private static String assertRefused(double value, Runnable use) {
        String message = String.valueOf(
                assertThrows(BochnerException.class, use::run, "takes " + value).getMessage());
        assertTrue(message.contains("at least 0") && message.contains("; "), "no range and no remedy: " + message);
        return message;
    }
}
