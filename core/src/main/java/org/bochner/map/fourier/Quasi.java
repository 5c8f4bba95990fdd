package org.bochner.map.fourier;

import java.util.OptionalInt;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Halton;

/**
 * Quasi-random Fourier features: {@code quasi}. Scrambled Halton points, which fill the unit cube more evenly than random
 * ones, go through the spectrum's quantile; the scale that a mixture's columns share is drawn at random. Works for any
 * shift-invariant kernel, and pays off for few columns: with 8 columns and 1024 frequencies a third of the error of
 * {@code fourier}.
 *
 * <p>Reference: Avron and others, Quasi-Monte Carlo feature maps for shift-invariant kernels, 2016.
 */
public record Quasi(FourierForm form, OptionalInt features) implements FourierRecipe {
    public static final String NAME = "quasi";

    /** In pairs, as many as are asked for. */
    public Quasi() {
        this(FourierForm.PAIRS);
    }

    /** As many as are asked for. */
    public Quasi(FourierForm form) {
        this(form, OptionalInt.empty());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
        double[] unit = Frequencies.allocate(NAME, kernel, columns, frequencies);
        Spectrum spectrum = kernel.spectrum();
        double[] points = Halton.points(seed.derive("points"), frequencies, columns);
        RandomStream stream = seed.derive("scales").stream();
        double[] scales = new double[columns];
        for (int j = 0; j < frequencies; j++) {
            spectrum.scales(stream, scales);
            for (int l = 0; l < columns; l++) {
                unit[j * columns + l] = scales[l] * spectrum.quantile(l, points[j * columns + l]);
            }
        }
        return Frequencies.dense(unit, kernel, columns);
    }

    @Override
    public String toString() {
        return spelling();
    }
}
