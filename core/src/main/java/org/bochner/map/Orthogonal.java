package org.bochner.map;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.random.Haar;
import org.bochner.random.RandomStream;
import org.bochner.random.Samplers;
import org.bochner.random.Seed;

/**
 * Orthogonal random features: {@code orthogonal}. Frequencies come in blocks of as many as there are columns; within a
 * block they are orthogonal, in uniform directions, each as long as an independent one would be. Unbiased, and of lower
 * variance than {@code fourier}, for kernels of the distance |x − y|.
 *
 * <p>Cost: building is O(D d²) at most, mapping as for {@code fourier}.
 *
 * <p>Reference: Yu and others, Orthogonal random features, 2016.
 */
public record Orthogonal(FourierForm form) implements MapRecipe {
    static final String NAME = "orthogonal";

    /** In pairs. */
    public Orthogonal() {
        this(FourierForm.PAIRS);
    }

    @Override
    public FeatureMap build(Kernel kernel, int columns, int features, Seed seed) {
        return Frequencies.build(NAME, form, kernel, columns, features, seed, Orthogonal::choose);
    }

    private static Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
        Frequencies.requireRotationInvariant(NAME, kernel);
        double[] unit = Frequencies.allocate(NAME, kernel, columns, frequencies);
        RandomStream radii = seed.derive("radii").stream();
        for (int first = 0; first < frequencies; first += columns) {
            int count = Math.min(columns, frequencies - first);
            double[] directions = Haar.rows(seed.derive(first / columns).stream(), columns, count);
            for (int i = 0; i < count; i++) {
                double radius = kernel.spectrum().scale(radii) * Samplers.chi(radii, columns);
                for (int l = 0; l < columns; l++) {
                    unit[(first + i) * columns + l] = radius * directions[i * columns + l];
                }
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
