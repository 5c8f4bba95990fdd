package org.bochner.map.fourier;

import java.util.OptionalInt;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Haar;
import org.bochner.random.law.Samplers;

/**
 * Orthogonal random features: {@code orthogonal}. Frequencies come in blocks of as many as there are columns; within a
 * block they are orthogonal, in uniform directions, each as long as an independent one would be. Unbiased, and of lower
 * variance than {@code fourier}, for kernels of the distance |x − y|.
 *
 * <p>Cost: building is O(D d²) at most, mapping as for {@code fourier}.
 *
 * <p>Reference: Yu and others, Orthogonal random features, 2016.
 */
public record Orthogonal(FourierForm form, OptionalInt features) implements FourierRecipe {
    public static final String NAME = "orthogonal";

    /** In pairs, as many as are asked for. */
    public Orthogonal() {
        this(FourierForm.PAIRS);
    }

    /** As many as are asked for. */
    public Orthogonal(FourierForm form) {
        this(form, OptionalInt.empty());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
        Frequencies.requireRotationInvariant(NAME, kernel);
        double[] unit = Frequencies.allocate(NAME, kernel, columns, frequencies);
        RandomStream radii = seed.derive("radii").stream();
        for (int first = 0; first < frequencies; first += columns) {
            int count = Math.min(columns, frequencies - first);
            double[] directions = Haar.rows(seed.derive(first / columns).stream(), columns, count);
            for (int i = 0; i < count; i++) {
                double radius = Frequencies.commonScale(kernel, radii) * Samplers.chi(radii, columns);
                for (int l = 0; l < columns; l++) {
                    unit[(first + i) * columns + l] = radius * directions[i * columns + l];
                }
            }
        }
        return Frequencies.dense(unit, kernel, columns);
    }

    @Override
    public String toString() {
        return spelling();
    }
}
