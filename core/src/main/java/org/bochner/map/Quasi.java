package org.bochner.map;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.random.Halton;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Quasi-random Fourier features: {@code quasi}. Scrambled Halton points, which fill the unit cube more evenly than random
 * ones, go through the spectrum's quantile; the scale that a mixture's columns share is drawn at random. Works for any
 * shift-invariant kernel, and pays off for few columns: with 8 columns and 1024 frequencies a third of the error of
 * {@code fourier}.
 *
 * <p>Reference: Avron and others, Quasi-Monte Carlo feature maps for shift-invariant kernels, 2016.
 */
public record Quasi(FourierForm form) implements MapRecipe {
    static final String NAME = "quasi";

    /** In pairs. */
    public Quasi() {
        this(FourierForm.PAIRS);
    }

    @Override
    public FeatureMap build(Kernel kernel, int columns, int features, Seed seed) {
        return Frequencies.build(NAME, form, kernel, columns, features, seed, Quasi::choose);
    }

    private static Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
        double[] unit = Frequencies.allocate(NAME, kernel, columns, frequencies);
        Spectrum spectrum = kernel.spectrum();
        double[] points = Halton.points(seed.derive("points"), frequencies, columns);
        RandomStream scales = seed.derive("scales").stream();
        for (int j = 0; j < frequencies; j++) {
            double scale = spectrum.scale(scales);
            for (int l = 0; l < columns; l++) {
                unit[j * columns + l] = scale * spectrum.quantile(points[j * columns + l]);
            }
        }
        return Frequencies.dense(unit, kernel, columns);
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return DenseProjection.bytes(columns, features / form.featuresPerFrequency(), false);
    }

    @Override
    public void requireFeatures(int features) {
        form.frequencies(NAME, features);
    }

    @Override
    public String toString() {
        return NAME + form.suffix();
    }
}
