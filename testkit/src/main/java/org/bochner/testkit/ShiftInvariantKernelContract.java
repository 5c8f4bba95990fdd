package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** What every kernel of the difference alone keeps beyond {@link KernelContract}: its bandwidth and its spectrum. */
public interface ShiftInvariantKernelContract extends KernelContract {
    @Override
    ShiftInvariantKernel kernel();

    @Test
    default void dependsOnTheDifferenceAlone() {
        RandomStream stream = new Seed(5).stream();
        for (int repeat = 0; repeat < 20; repeat++) {
            // Quarters, so that sums and differences are exact.
            double[] x = new double[columns()];
            double[] y = new double[columns()];
            double[] delta = new double[columns()];
            for (int l = 0; l < x.length; l++) {
                x[l] = 0.25 * stream.nextInt(20);
                y[l] = 0.25 * stream.nextInt(20);
                delta[l] = x[l] - y[l];
            }
            assertEquals(kernel().atOffset(delta), kernel().value(x, y), accuracy());
        }
    }

    @Test
    default void bandwidthIsALengthScale() {
        RandomStream stream = new Seed(6).stream();
        ShiftInvariantKernel narrow = kernel().withSigma(Bandwidth.of(0.5));
        ShiftInvariantKernel wide = kernel().withSigma(Bandwidth.of(4));
        for (int repeat = 0; repeat < 20; repeat++) {
            double[] delta = row(stream);
            double[] eightfold = delta.clone();
            for (int l = 0; l < delta.length; l++) {
                eightfold[l] *= 8;
            }
            assertEquals(narrow.atOffset(delta), wide.atOffset(eightfold), accuracy());
        }
    }

    @Test
    default void keepsItsNewBandwidth() {
        Bandwidth sigma = Bandwidth.of(7);
        assertEquals(sigma, kernel().withSigma(sigma).sigma());
        assertEquals(kernel(), kernel().withSigma(kernel().sigma()));
    }

    /**
     * Central differences of width 2h err by h²/6 of the third derivative and ε/h of rounding; h = 1e-5 length-scales, so
     * that 1e-8 is a wide bound where the kernel is smooth: rows and their differences stay off its kinks at 0.
     */
    @Test
    default void slopeIsItsDerivative() {
        RandomStream stream = new Seed(8).stream();
        double[] slope = new double[columns()];
        for (int repeat = 0; repeat < 20; repeat++) {
            double[] delta = row(stream);
            assertEquals(kernel().atOffset(delta), kernel().slope(delta, slope), accuracy());
            for (int l = 0; l < delta.length; l++) {
                double sigma = kernel().sigma().at(l);
                double[] moved = delta.clone();
                moved[l] += 1e-5 * sigma;
                double after = kernel().atOffset(moved);
                moved[l] = delta[l] - 1e-5 * sigma;
                double difference = (after - kernel().atOffset(moved)) / 2e-5;
                assertEquals(difference, sigma * slope[l], 1e-8, kernel() + " by column " + l);
            }
        }
    }

    /** The slope along one column at the difference d is 2d·f′(d²), if the kernel is f at the squared distance. */
    @Test
    default void slopeByTheScaledSquareIsThatOfOneColumn() {
        ShiftInvariantKernel unit = kernel().withSigma(Bandwidth.of(1));
        if (unit.ofScaledSquare().isEmpty()) {
            return;
        }
        DoubleUnaryOperator bySquare = kernel().slopeByScaledSquare();
        double[] slope = new double[1];
        for (double delta : new double[] {1e-3, 0.2, 1, 3, 40}) {
            unit.slope(new double[] {delta}, slope);
            assertEquals(slope[0], 2 * delta * bySquare.applyAsDouble(delta * delta), 100 * accuracy());
        }
        assertTrue(Double.isFinite(bySquare.applyAsDouble(0)));
    }

    @Test
    default void slopeVanishesOnTheDiagonal() {
        double[] slope = new double[columns()];
        assertEquals(1, kernel().slope(new double[columns()], slope), accuracy());
        for (double by : slope) {
            assertEquals(0, by, 1e-9);
        }
    }

    /**
     * Bochner's theorem: the mean of cos(ω·δ) over the spectrum is the kernel. By Hoeffding's inequality the mean of n
     * numbers in [−1, 1] errs by more than √(2 log(2/p)/n) with probability p; p is 1e-9 here, n is 50000.
     */
    @Test
    default void isTheCharacteristicFunctionOfItsSpectrum() {
        int n = 50_000;
        double bound = Math.sqrt(2 * Math.log(2e9) / n);
        RandomStream stream = new Seed(7).stream();
        double[][] offsets = new double[6][];
        for (int k = 0; k < offsets.length; k++) {
            // One long offset, then ever shorter ones, so that values from near 0 to near 1 are compared.
            offsets[k] = row(stream);
            for (int l = 0; l < offsets[k].length; l++) {
                offsets[k][l] *= Math.pow(0.5, k);
            }
        }
        double[] sums = new double[offsets.length];
        double[] sigma = kernel().sigma().toArray(columns());
        double[] frequency = new double[columns()];
        double[] scales = new double[columns()];
        Spectrum spectrum = kernel().spectrum();
        for (int i = 0; i < n; i++) {
            spectrum.scales(stream, scales);
            for (int l = 0; l < frequency.length; l++) {
                frequency[l] = scales[l] * spectrum.quantile(l, stream.nextUniform()) / sigma[l];
            }
            for (int k = 0; k < offsets.length; k++) {
                double phase = 0;
                for (int l = 0; l < frequency.length; l++) {
                    phase += frequency[l] * offsets[k][l];
                }
                sums[k] += Math.cos(phase);
            }
        }
        for (int k = 0; k < offsets.length; k++) {
            assertEquals(kernel().atOffset(offsets[k]), sums[k] / n, bound, kernel() + " at offset " + k);
        }
    }
}
