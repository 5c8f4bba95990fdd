package org.bochner.kernel.shift;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.family.DeclaredFamily;

/**
 * The periodic kernel of angles and other cyclic values, {@code ∏ₗ exp((cos(2πδₗ/Pₗ) − 1)/width²)} with δ = x − y and
 * the period P. Values that differ by a whole period are equal. It is also called the von Mises kernel. Near the
 * diagonal it is the Gaussian kernel with σ = width·P/(2π).
 *
 * <p>Its frequencies are independent harmonics of the period, 2πj/P for whole j, with the probability e^−κ·I_|j|(κ),
 * where κ = 1/width² and I is the modified Bessel function: see {@link #harmonics}.
 *
 * <p>Accuracy: 1e-14·max(1, κ) relative.
 *
 * @param sigma the length-scales of the unit frequencies, which are whole numbers: {@code P/(2π)}; 1 for angles in
 *     radians
 * @param width the distance over which values are similar, in radians of the full period; at least 1e-4
 */
public record Periodic(Bandwidth sigma, double width) implements ShiftInvariantKernel {
    private static final String NAME = "periodic";
    private static final double TURN = 2 * Math.PI;

    /** The smallest width. Narrower kernels have more harmonics than a map could use and equal the Gaussian to 1e-9. */
    private static final double NARROWEST = 1e-4;

    public static final KernelFamily FAMILY =
            DeclaredFamily.withoutScale(NAME, Periodic::ofSpelling, "period", "width", "sigma");

    public Periodic {
        Require.positive(NAME, "width", width);
        Require.that(
                width >= NARROWEST,
                NAME + ": width must be at least " + NARROWEST + ", got " + width
                        + "; take gaussian(sigma=S) with S = width*period/6.2832 for values that near each other");
    }

    /** Returns the kernel of values with one period for all columns. */
    public static Periodic ofPeriod(double period, double width) {
        return ofPeriod(Bandwidth.of(Require.positive(NAME, "period", period)), width);
    }

    /** Returns the kernel of values with the given periods. */
    public static Periodic ofPeriod(Bandwidth period, double width) {
        return new Periodic(period.map(NAME, "period", value -> value / TURN), width);
    }

    private static Periodic ofSpelling(Spelling spelling) {
        double width = spelling.number("width", 1);
        String sigma = spelling.text("sigma");
        if (sigma == null) {
            String period = spelling.text("period");
            return period == null
                    ? new Periodic(Bandwidth.of(1), width)
                    : ofPeriod(Bandwidth.parse(NAME, "period", period), width);
        }
        if (spelling.has("period")) {
            throw new SpellingException(NAME + ": give the period, or sigma = period/(2π), not both");
        }
        return new Periodic(Bandwidth.parse(NAME, "sigma", sigma), width);
    }

    /** Returns the periods of the columns, 2π·sigma. */
    public Bandwidth period() {
        return sigma.map(NAME, "period", Periodic::period);
    }

    @Override
    public double period(int column) {
        return period().at(column);
    }

    /**
     * Returns the period that gives the length-scale when divided by 2π; among several the one with the shortest
     * decimal: 1 and not 0.9999999999999999. If there is none, the nearest period.
     */
    private static double period(double sigma) {
        double nearest = Math.min(Double.MAX_VALUE, sigma * TURN);
        double best = nearest;
        // Dividing by 2π and rounding moves a period by less than a unit in the last place, multiplying by half of one.
        double candidate = Math.nextDown(Math.nextDown(nearest));
        for (int i = 0; i < 5; i++) {
            boolean shorter =
                    Spelling.print(candidate).length() < Spelling.print(best).length();
            if (candidate / TURN == sigma && (shorter || best / TURN != sigma)) {
                best = candidate;
            }
            candidate = Math.nextUp(candidate);
        }
        return best;
    }

    @Override
    public double atOffset(double[] delta) {
        double sum = 0;
        for (int l = 0; l < delta.length; l++) {
            // (1 − cos t) = 2 sin²(t/2), which does not cancel near the diagonal.
            double half = Math.sin(delta[l] / (2 * sigma.at(l))) / width;
            sum += half * half;
        }
        return Math.exp(-2 * sum);
    }

    @Override
    public double slope(double[] delta, double[] out) {
        double value = atOffset(delta);
        for (int l = 0; l < delta.length; l++) {
            out[l] = -Math.sin(delta[l] / sigma.at(l)) * value / (width * width * sigma.at(l));
        }
        return value;
    }

    @Override
    public Spectrum spectrum() {
        return Spectrum.ofColumns(new HarmonicLaw(width)::quantile, false);
    }

    /**
     * Returns the probabilities of the harmonics 0, 1, 2, …, until they vanish in rounding; harmonic −j has that of j.
     * The kernel of a column is p₀ + 2·Σⱼ pⱼ·cos(2πjδ/P).
     *
     * @return a new array
     */
    public double[] harmonics() {
        return new HarmonicLaw(width).probabilities();
    }

    @Override
    public Periodic withSigma(Bandwidth sigma) {
        return new Periodic(sigma, width);
    }

    @Override
    public boolean takesAnyUnit() {
        return false;
    }

    @Override
    public String toString() {
        Bandwidth period = period();
        boolean exact = period.map(NAME, "sigma", value -> value / TURN).equals(sigma);
        return NAME + "(" + (exact ? "period=" + period : "sigma=" + sigma) + ", width=" + Spelling.print(width) + ")";
    }
}
