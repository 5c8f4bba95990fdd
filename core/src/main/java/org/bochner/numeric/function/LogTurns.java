package org.bochner.numeric.function;

/**
 * The angle {@code ω·log x}, in turns, of values of every magnitude: with x = 2ᵉ·m and 1/√2 ≤ m &lt; √2 it is that of 2ᵉ,
 * without its whole turns, and that of m, which is less than 0.056·ω turns. The logarithm is never that of a large or
 * small number.
 *
 * <p>Accuracy, in radians: in float64 3.5e-16 + 2.9e-16·ω, in float32 2.9e-7 + 1.8e-7·ω up to ω = {@value #LARGEST_IN_FLOAT},
 * and 9.4e-8 beyond, where it is computed in float64. Cost in float32: 1.4 ns a value of one angle alone; of several, 0.2 ns
 * each, and 1.4 once for exponents and logarithms; 25 ns beyond.
 */
public final class LogTurns {
    // ln 2/(2π) = HIGH + LOW, to twice the precision of float64.
    private static final double HIGH = 0.1103178000763258;
    private static final double LOW = -3.730860769706703e-18;

    // Without them a float has 16 bits, so that its products with exponents, which have 8, are exact.
    private static final int LOW_BITS = 0xff;

    /** Beyond it float32 would lose more than 6e-6 of an angle; maps of kernels hardly need such frequencies. */
    private static final double LARGEST_IN_FLOAT = 32;

    private final boolean inFloat;
    private final double perNat;
    private final double perOctaveHigh;
    private final double perOctaveLow;
    private final float floatPerOctaveHigh;
    private final float floatPerOctaveLow;
    private final ScaledLog alone;

    LogTurns(double frequency) {
        inFloat = frequency <= LARGEST_IN_FLOAT;
        perNat = frequency / (2 * Math.PI);
        // A few leading digits, whose product with an exponent is exact, and the rest.
        double product = frequency * HIGH;
        perOctaveHigh = (float) product;
        perOctaveLow = product - perOctaveHigh + (Math.fma(frequency, HIGH, -product) + frequency * LOW);
        double perOctave = perOctaveHigh + perOctaveLow;
        floatPerOctaveHigh = Float.intBitsToFloat(Float.floatToRawIntBits((float) perOctave) & ~LOW_BITS);
        floatPerOctaveLow = (float) (perOctave - floatPerOctaveHigh);
        alone = new ScaledLog(perNat, this::ofExponent);
    }

    /** The angle of 2ᵉ without its whole turns, to 1e-16. */
    private double ofExponent(int e) {
        double leading = e * perOctaveHigh;
        double turns = leading - Math.rint(leading) + e * perOctaveLow;
        return turns - Math.rint(turns);
    }

    /** The angle of a positive x in float64. */
    private double of(double x) {
        return of(Exponents.exponent(x), ScaledLog.ofMantissa(Exponents.mantissa(x)));
    }

    /** The angle of 2ᵉ·m from log m, in float64. */
    double of(int e, double logOfMantissa) {
        double leading = e * perOctaveHigh;
        return leading - Math.rint(leading) + (e * perOctaveLow + perNat * logOfMantissa);
    }

    /** {@code to[i]} ← the angle of {@code x[from + i]}, by a table of exponents; scratch is overwritten. */
    void ofValues(float[] x, int from, int size, float[] to, float[] scratch) {
        if (inFloat) {
            alone.apply(x, from, size, to, scratch);
        } else {
            inDouble(x, from, size, to);
        }
    }

    /** The same from {@code exponents[i] = e} and {@code logs[i] = log m} of the values, which several angles share. */
    void ofValues(float[] x, int from, int size, float[] exponents, float[] logs, float[] to) {
        if (inFloat) {
            combine(exponents, logs, size, floatPerOctaveHigh, floatPerOctaveLow, (float) perNat, to);
        } else {
            inDouble(x, from, size, to);
        }
    }

    private void inDouble(float[] x, int from, int size, float[] to) {
        for (int i = 0; i < size; i++) {
            double turns = x[from + i] == 0 ? 0 : of(x[from + i]);
            to[i] = (float) (turns - Math.rint(turns));
        }
    }

    private static void combine(
            float[] exponents, float[] logs, int size, float high, float low, float perNat, float[] to) {
        for (int i = 0; i < size; i++) {
            float e = exponents[i];
            float leading = Turns.fraction(e * high);
            to[i] = leading + (e * low + perNat * logs[i]);
        }
    }
}
