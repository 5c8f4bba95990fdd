package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/**
 * Tests the distribution of the errors of a random map: over many seeds, the mean of ⟨φ(x), φ(y)⟩ is the kernel, and its
 * variance is the one that theory states. A single map proves little, because its error is random; this contract builds
 * {@value #MAPS} maps and finds a bandwidth that is wrong by 5%, a missing phase, a wrong factor, and frequencies that are not
 * independent.
 *
 * <pre>{@code
 * class MyRandomMapTest implements RandomMapContract {
 *     public FeatureMap map(Seed seed) { return new MyMap(64, seed); }
 *     public double variance(double[] x, double[] y) {
 *         return RandomMapContract.varianceWithPhases(new MyKernel(1), x, y, 64);
 *     }
 * }
 * }</pre>
 *
 * <p><b>False alarms.</b> The tests compare the mean and the variance for n pairs of rows, 2n numbers in all. Each is within z
 * standard errors of its expectation except with probability exp(−z²/2), by the central limit theorem and the tail bound of the
 * Gaussian distribution. With z = √(2·ln(2n/p)), all 2n comparisons hold with probability 1 − p, where p is
 * {@link FeatureMapContract#FAILURE_PROBABILITY}. For the 4 rows of {@link #samples}, n = 10 and z = 5.8.
 *
 * <p><b>Power.</b> A Gaussian kernel k(r) with a bandwidth that is wrong by 5% is wrong by 0.05·r²·k, which is at least 0.025
 * for k between 0.2 and 0.7. With 64 random features per map, the standard error of the mean is at most
 * √(1.5/(64·{@value #MAPS})) = 0.0034, and near 0.0026 for such k: the test allows 0.015.
 */
public interface RandomMapContract {
    /** Number of maps, with as many seeds. The standard error of a variance is about √(2/2000) = 3% of the variance. */
    int MAPS = 2000;

    /**
     * Returns the map of a seed. Maps of different seeds are independent, and all have the same kernel and dimensions. About
     * 64 features are enough: more features need more time and do not make the tests sharper than more maps do.
     */
    FeatureMap map(Seed seed);

    /** Returns the variance of ⟨φ(x), φ(y)⟩ over the seeds, or an upper bound of it if {@link #varianceIsAnUpperBound}. */
    double variance(double[] x, double[] y);

    /** Returns true if the frequencies are chosen so that the variance is below the stated one, as in quasi-Monte Carlo. */
    default boolean varianceIsAnUpperBound() {
        return false;
    }

    /**
     * Returns four rows; all pairs of them are tested, and each row with itself. At least one pair must have a normalized
     * kernel value between 0.2 and 0.7, where errors of the bandwidth show.
     */
    default double[][] samples(int columns) {
        RandomStream stream = new Seed(5).stream();
        double[][] rows = new double[4][columns];
        for (double[] row : rows) {
            Arrays.setAll(row, l -> (float) (2 * stream.nextUniform() - 1));
        }
        return rows;
    }

    /**
     * Returns the variance of ⟨φ(x), φ(y)⟩ for φ = √(2/D)·[cos(ωⱼ·x + bⱼ)] with independent frequencies ωⱼ and phases bⱼ:
     * (1 + k(2δ)/2 − k(δ)²)/D, where δ = x − y.
     */
    static double varianceWithPhases(ShiftInvariantKernel kernel, double[] x, double[] y, int features) {
        double k = kernel.value(x, y);
        return (1 + atTwice(kernel, x, y) / 2 - k * k) / features;
    }

    /**
     * Returns the variance of ⟨φ(x), φ(y)⟩ for the pairs φ = √(2/D)·[cos ωⱼ·x, sin ωⱼ·x] with D/2 independent frequencies:
     * (1 + k(2δ) − 2k(δ)²)/D, where δ = x − y.
     */
    static double varianceOfPairs(ShiftInvariantKernel kernel, double[] x, double[] y, int features) {
        double k = kernel.value(x, y);
        return Math.max(0, 1 + atTwice(kernel, x, y) - 2 * k * k) / features;
    }

    private static double atTwice(ShiftInvariantKernel kernel, double[] x, double[] y) {
        double[] twice = new double[x.length];
        Arrays.setAll(twice, l -> 2 * (x[l] - y[l]));
        return kernel.atOffset(twice);
    }

    @Test
    default void someRowsShowErrorsOfTheBandwidth() {
        Kernel kernel = map(new Seed(0)).kernel();
        double[][] rows = samples(map(new Seed(0)).inputDimension());
        assertTrue(
                Arrays.stream(rows)
                        .anyMatch(x -> Arrays.stream(rows).anyMatch(y -> {
                            double correlation =
                                    kernel.value(x, y) / Math.sqrt(kernel.value(x, x) * kernel.value(y, y));
                            return correlation > 0.2 && correlation < 0.7;
                        })),
                "no pair of samples has a normalized kernel value between 0.2 and 0.7");
    }

    @Test
    default void errorsHaveTheMeanAndTheVarianceOfTheory() {
        Kernel kernel = map(new Seed(0)).kernel();
        double[][] rows = samples(map(new Seed(0)).inputDimension());
        int pairs = rows.length * (rows.length + 1) / 2;
        double[][] errors = new double[pairs][MAPS];
        for (int s = 0; s < MAPS; s++) {
            double[][] features = ContractRows.features(map(new Seed(s)), rows);
            int pair = 0;
            for (int i = 0; i < rows.length; i++) {
                for (int j = 0; j <= i; j++) {
                    errors[pair++][s] = ContractRows.dot(features[i], features[j]) - kernel.value(rows[i], rows[j]);
                }
            }
        }
        double z = Math.sqrt(2 * Math.log(2 * pairs / FeatureMapContract.FAILURE_PROBABILITY));
        int pair = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j <= i; j++) {
                Moments moments = Moments.of(errors[pair++]);
                double rounding = 1e-12 * Math.sqrt(kernel.value(rows[i], rows[i]) * kernel.value(rows[j], rows[j]));
                String place = "rows " + i + " and " + j;
                assertEquals(0, moments.mean(), z * moments.errorOfMean() + rounding, "mean of the error, " + place);
                double expected = variance(rows[i], rows[j]);
                double tolerance = z * moments.errorOfVariance() + rounding * rounding;
                if (!varianceIsAnUpperBound() || moments.variance() > expected) {
                    assertEquals(expected, moments.variance(), tolerance, "variance of the error, " + place);
                }
            }
        }
    }
}
