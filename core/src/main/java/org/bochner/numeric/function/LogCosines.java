package org.bochner.numeric.function;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;

/**
 * Cosines and sines of the logarithm, the features of a homogeneous kernel's map. With frequencies ω and amplitudes a,
 * each frequency gives the features
 *
 * <pre>
 *   a·√(x^degree)·cos(ω·log x),   a·√(x^degree)·sin(ω·log x)
 * </pre>
 *
 * <p>The frequency 0, which is optional, gives the first feature only, a·√(x^degree). Inner products are {@code
 * (x·y)^(degree/2)·Σ a²·cos(ω·log(y/x))}.
 *
 * <p>Accuracy, relative to {@code a·√(x^degree)}, for x of every magnitude: 9e-16 + 2.9e-16·ω in float64, and (6.1e-7 +
 * 1.8e-7·min(ω, 32))·h + 3e-7 in float32. h is 1, except for a frequency that is computed by rotations from a lower
 * frequency: for the h-th multiple of ω, the formula takes this h and this ω.
 *
 * <p>Cost at degree 1 in float32, on one core with 512-bit vectors: 4, 5 and 6 ns per value with the frequencies 0, L,
 * …, nL for n of 1, 2 and 3; 6, 8 and 10 ns with 0 and two, three and four others that are no multiples. Another degree
 * up to 4 adds 2 ns. A degree above 4 adds 25 ns, and so does a frequency above 32. In float64: 12 ns per frequency,
 * and 12 ns once.
 *
 * <p>Threads: safe, immutable.
 *
 * @see <a href="https://doi.org/10.1109/TPAMI.2011.153">Vedaldi and Zisserman, Efficient additive kernels via explicit
 *     feature maps, 2012</a>
 */
public final class LogCosines extends ValueFeatures {
    private static final String OWNER = "LogCosines";

    /** The largest frequency, far beyond useful ones; the leading digits of turns, a float, must not overflow. */
    private static final double LARGEST_FREQUENCY = 1e30;

    /** The number of rotations that take as long as one cosine and sine. */
    private static final int MOST_ROTATIONS = 4;

    /** The exponents themselves, shared by several angles. */
    private static final float[] EXPONENTS = Exponents.table(e -> e);

    private final double[] amplitudes;
    private final boolean constant;
    private final LogTurns[] angles;
    private final List<Family> families;

    /**
     * Creates the features of given frequencies.
     *
     * @param frequencies ω, ascending, between 0 and 1e30
     * @param amplitudes a, one per frequency
     */
    public LogCosines(double[] frequencies, double[] amplitudes, double degree) {
        super(featuresPerColumn(frequencies), degree);
        Require.sameSize(OWNER, "amplitudes", amplitudes.length, frequencies.length);
        for (int j = 0; j < frequencies.length; j++) {
            Require.notNegative(OWNER, "amplitude " + j, amplitudes[j]);
            Require.that(
                    frequencies[j] <= LARGEST_FREQUENCY
                            && (j == 0 ? frequencies[0] >= 0 : frequencies[j] > frequencies[j - 1]),
                    OWNER + ": frequencies must ascend from 0 or above to " + LARGEST_FREQUENCY + " at most, got "
                            + frequencies[j]);
        }
        this.amplitudes = amplitudes.clone();
        constant = frequencies[0] == 0;
        angles = Arrays.stream(frequencies).mapToObj(LogTurns::new).toArray(LogTurns[]::new);
        families = families(frequencies);
    }

    private static int featuresPerColumn(double[] frequencies) {
        int count = Require.atLeast(OWNER, "number of frequencies", frequencies.length, 1);
        return frequencies[0] == 0 ? 2 * count - 1 : 2 * count;
    }

    private static List<Family> families(double[] frequencies) {
        List<Family> families = new ArrayList<>();
        for (int j = frequencies[0] == 0 ? 1 : 0; j < frequencies.length; j++) {
            double frequency = frequencies[j];
            Family family = families.stream()
                    .filter(lower -> lower.reaches(frequency))
                    .findFirst()
                    .orElseGet(() -> {
                        Family own = new Family(frequency);
                        families.add(own);
                        return own;
                    });
            family.add(j, frequency);
        }
        return List.copyOf(families);
    }

    /** A frequency with the multiples of it that a few rotations reach, one from the other. */
    private static final class Family {
        private final double lowest;
        /** The indices of the members among all frequencies, ascending. */
        private final List<Integer> members = new ArrayList<>();

        private final List<Integer> harmonics = new ArrayList<>();

        Family(double lowest) {
            this.lowest = lowest;
        }

        private double harmonic(double frequency) {
            return Math.rint(frequency / lowest);
        }

        /** Returns true if a frequency above all members is a multiple and near enough to the last member. */
        boolean reaches(double frequency) {
            double harmonic = harmonic(frequency);
            return Math.abs(frequency - harmonic * lowest) <= 4e-16 * frequency
                    && harmonic - harmonics.get(harmonics.size() - 1) <= MOST_ROTATIONS;
        }

        void add(int index, double frequency) {
            members.add(index);
            harmonics.add((int) harmonic(frequency));
        }

        /** Returns the number of rotations from the member before k to member k. */
        int rotations(int k) {
            return k == 0 ? 0 : harmonics.get(k) - harmonics.get(k - 1);
        }
    }

    /** Returns the index of the cosine of frequency j among the features. */
    private int cosine(int j) {
        return constant ? 2 * j - 1 : 2 * j;
    }

    @Override
    public void apply(double x, double[] out, int at) {
        if (x == 0) {
            Arrays.fill(out, at, at + featuresPerColumn(), 0);
            return;
        }
        double magnitude = magnitude(x);
        int e = Exponents.exponent(x);
        double log = ScaledLog.ofMantissa(Exponents.mantissa(x));
        if (constant) {
            out[at] = amplitudes[0] * magnitude;
        }
        for (int j = constant ? 1 : 0; j < angles.length; j++) {
            Turns.cosSin(angles[j].of(e, log), amplitudes[j] * magnitude, out, at + cosine(j));
        }
    }

    @Override
    int planes() {
        return families.size() > 1 ? 7 : 5;
    }

    @Override
    void applyChunk(float[] x, int from, int size, float[][] scratch, float[] out, int at) {
        float[] magnitudes = scratch[0];
        float[] c = scratch[1];
        float[] s = scratch[2];
        magnitudes(x, from, size, magnitudes, c, s);
        if (constant) {
            store(magnitudes, size, (float) amplitudes[0], out, at);
        }
        if (families.size() == 1) {
            Family family = families.get(0);
            angles[family.members.get(0)].ofValues(x, from, size, c, s);
            applyFamily(family, size, scratch, out, at);
        } else if (families.size() > 1) {
            float[] exponents = scratch[5];
            float[] logs = scratch[6];
            Exponents.split(x, from, size, EXPONENTS, exponents, logs);
            ScaledLog.ofMantissas(logs, size);
            for (Family family : families) {
                angles[family.members.get(0)].ofValues(x, from, size, exponents, logs, c);
                applyFamily(family, size, scratch, out, at);
            }
        }
    }

    /** Computes the features of a family. The angles of its first member are in the second scratch array. */
    private void applyFamily(Family family, int size, float[][] scratch, float[] out, int at) {
        float[] magnitudes = scratch[0];
        float[] c1 = scratch[1];
        float[] s1 = scratch[2];
        float[] c = scratch[3];
        float[] s = scratch[4];
        Turns.cosSin(c1, s1, size);
        multiply(magnitudes, c1, size, c);
        multiply(magnitudes, s1, size, s);
        for (int k = 0; k < family.members.size(); k++) {
            for (int r = family.rotations(k); r > 0; r--) {
                rotate(c, s, c1, s1, size);
            }
            int j = family.members.get(k);
            float amplitude = (float) amplitudes[j];
            store(c, size, amplitude, out, at + cosine(j));
            store(s, size, amplitude, out, at + cosine(j) + 1);
        }
    }

    /** Rotates from one harmonic to the next: a third of the time of cosines and sines, with one more rounding. */
    private static void rotate(float[] c, float[] s, float[] c1, float[] s1, int size) {
        for (int i = 0; i < size; i++) {
            float cosine = c[i];
            float sine = s[i];
            float cosine1 = c1[i];
            float sine1 = s1[i];
            c[i] = cosine * cosine1 - sine * sine1;
            s[i] = cosine * sine1 + sine * cosine1;
        }
    }
}
