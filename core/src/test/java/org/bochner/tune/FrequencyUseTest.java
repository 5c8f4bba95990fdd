package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.model.KernelMachine;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frequencies weighted by the weights that a model gives them. */
class FrequencyUseTest {
    private static final double BAND = 5;
    private static final double RANGE = 20;

    /** cos(5x) on [-10, 10], beside a column that says nothing. */
    private static RowSource wave() {
        RandomStream stream = new Seed(5).stream();
        float[] values = new float[800];
        double[] targets = new double[400];
        for (int i = 0; i < targets.length; i++) {
            values[2 * i] = (float) (RANGE * (stream.nextUniform() - 0.5));
            values[2 * i + 1] = (float) stream.nextUniform();
            targets[i] = Math.cos(BAND * values[2 * i]);
        }
        return MemorySource.of(2, values).withTargets(targets);
    }

    private static LearnedKernel learn(String kernel, String map, Sharing sharing) {
        KernelMachine machine =
                Problems.machine(kernel, 200, "ridge(lambda=0.01)").withMap(map);
        return KernelLearning.of(machine)
                .withSharing(sharing)
                .withIterations(1)
                .withCriterion("gcv")
                .learn(wave());
    }

    /** The sum of the shares of the frequencies near the band. */
    private static double near(double[] frequencies, double[] shares) {
        double sum = 0;
        for (int i = 0; i < frequencies.length; i++) {
            // On a range of 20, waves whose frequencies differ by less than 2π/20 are hard to tell apart.
            sum += Math.abs(frequencies[i] - BAND) < 2 * 2 * Math.PI / RANGE ? shares[i] : 0;
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void liesInTheBandOfTheTarget(Sharing sharing) {
        LearnedKernel learned = learn("gaussian(sigma=0.2)[0:1]", "fourier", sharing);
        double[] frequencies = learned.learnedFrequencies(0);
        double[] use = learned.frequencyUse(0);
        assertEquals(1, Arrays.stream(use).sum(), 1e-12);
        double[] equal = new double[frequencies.length];
        Arrays.fill(equal, 1.0 / equal.length);
        assertTrue(near(frequencies, equal) < 0.5, "learned frequencies are spread: " + near(frequencies, equal));
        assertTrue(near(frequencies, use) > 0.9, () -> sharing + ": " + near(frequencies, use));
        assertArrayEquals(frequencies, learned.learnedFrequencyLengths());
        assertArrayEquals(use, learned.frequencyLengthUse(), 1e-15);
    }

    /** The size of features counts: a term with the factor 4 has features of twice the size, and half the weights. */
    @ParameterizedTest
    @ValueSource(strings = {"fourier", "fourier(phase)"})
    void countsTheFactorsOfTerms(String map) {
        LearnedKernel learned = learn("4*gaussian(sigma=0.2)[0:1] + gaussian(sigma=0.2)[1:2]", map, Sharing.ONE);
        double[] lengths = learned.learnedFrequencyLengths();
        assertTrue(near(lengths, learned.frequencyLengthUse()) > 0.85, "the wave is in the first term");
        assertEquals(1, Arrays.stream(learned.frequencyUse(1)).sum(), 1e-12);
    }

    @Test
    void isOrderedAsTheFrequencies() {
        LearnedKernel learned = learn("gaussian(sigma=0.2)[0:1]", "fourier", Sharing.ONE);
        double[] frequencies = learned.learnedFrequencies(0);
        double[] use = learned.frequencyUse(0);
        assertEquals(frequencies.length, use.length);
        int most = 0;
        for (int i = 0; i < use.length; i++) {
            assertTrue(i == 0 || frequencies[i - 1] <= frequencies[i]);
            most = use[i] > use[most] ? i : most;
        }
        assertEquals(BAND, frequencies[most], 2 * Math.PI / RANGE);
    }
}
