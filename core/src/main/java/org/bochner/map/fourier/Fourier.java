package org.bochner.map.fourier;

import java.util.OptionalInt;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Random Fourier features: {@code fourier}. Frequencies are independent draws from the kernel's spectrum, for any
 * shift-invariant kernel; the error falls like 1/√D.
 *
 * <p>Reference: Rahimi and Recht, Random features for large-scale kernel machines, 2007.
 */
public record Fourier(FourierForm form, OptionalInt features) implements FourierRecipe {
    public static final String NAME = "fourier";

    /** In pairs, as many as are asked for. */
    public Fourier() {
        this(FourierForm.PAIRS);
    }

    /** As many as are asked for. */
    public Fourier(FourierForm form) {
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
        RandomStream stream = seed.stream();
        double[] scales = new double[columns];
        for (int j = 0; j < frequencies; j++) {
            spectrum.scales(stream, scales);
            for (int l = 0; l < columns; l++) {
                unit[j * columns + l] = scales[l] * spectrum.quantile(l, stream.nextUniform());
            }
        }
        return Frequencies.dense(unit, kernel, columns);
    }

    @Override
    public String toString() {
        return spelling();
    }
}
