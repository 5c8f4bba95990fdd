package org.bochner.map;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** What the recipes for Fourier maps share; they differ in how they choose the frequencies. */
final class Frequencies {
    private Frequencies() {}

    /** A way to choose the frequencies of a kernel. More of them, for the same seed, begin with the same ones. */
    interface Choice {
        Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed);
    }

    /** Builds the map of any kernel, with frequencies so chosen for each shift-invariant part of it. */
    static FeatureMap build(
            String owner, FourierForm form, Kernel kernel, int columns, int features, Seed seed, Choice choice) {
        int frequencies = form.frequencies(owner, features);
        return MapAlgebra.build(kernel, columns, frequencies, seed, (part, width, count, partSeed) -> {
            Projection projection = choice.choose(part, width, count, partSeed.derive("frequencies"));
            return new FourierMap(part, projection, form, phases(form, count, partSeed.derive("phases")));
        });
    }

    private static double[] phases(FourierForm form, int frequencies, Seed seed) {
        double[] phases = new double[form == FourierForm.PHASE ? frequencies : 0];
        RandomStream stream = seed.stream();
        for (int j = 0; j < phases.length; j++) {
            phases[j] = stream.nextUniform();
        }
        return phases;
    }

    /** Room for unit frequencies, one after the other, after a check that they fit the memory. */
    static double[] allocate(String owner, ShiftInvariantKernel kernel, int columns, int frequencies) {
        int size = MapMemory.size(owner, columns, frequencies);
        MapMemory.check(
                owner,
                frequencies + " frequencies of " + columns + " columns",
                DenseProjection.bytes(columns, frequencies, kernel.spectrum().heavyTailed()));
        return new double[size];
    }

    /** The projection onto unit frequencies, with the kernel's length-scales. */
    static Projection dense(double[] unit, ShiftInvariantKernel kernel, int columns) {
        return new DenseProjection(
                unit, FourierMap.sigma(kernel, columns), kernel.spectrum().heavyTailed());
    }

    /** Fails unless the kernel's frequencies have the same law in every direction. */
    static void requireRotationInvariant(String owner, ShiftInvariantKernel kernel) {
        if (!kernel.spectrum().rotationInvariant()) {
            throw new IllegalArgumentException(owner + ": the frequencies of " + kernel + " do not have the same law in"
                    + " every direction, as orthogonal ones need; take fourier or quasi, or a kernel of the distance"
                    + " such as gaussian or matern(nu=1.5)");
        }
    }
}
