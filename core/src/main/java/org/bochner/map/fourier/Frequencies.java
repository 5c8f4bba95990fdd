package org.bochner.map.fourier;

import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.random.RandomStream;

/** What the recipes for Fourier maps share; they differ in how they choose the frequencies. */
public final class Frequencies {
    private Frequencies() {}

    /** Room for unit frequencies, one after the other, after a check that they fit the memory. */
    public static double[] allocate(String owner, ShiftInvariantKernel kernel, int columns, int frequencies) {
        int size = MapMemory.size(owner, columns, frequencies);
        MapMemory.checkFrequencies(
                owner,
                columns,
                frequencies,
                DenseProjection.bytes(columns, frequencies, kernel.spectrum().heavyTailed()));
        return new double[size];
    }

    /** The projection onto unit frequencies, with the kernel's length-scales. */
    public static Projection dense(double[] unit, ShiftInvariantKernel kernel, int columns) {
        return new DenseProjection(
                unit, FourierMap.sigma(kernel, columns), kernel.spectrum().heavyTailed());
    }

    /** Draws the factor that all columns of one frequency share, of a law that is the same in every direction. */
    public static double commonScale(ShiftInvariantKernel kernel, RandomStream stream) {
        double[] scale = new double[1];
        kernel.spectrum().scales(stream, scale);
        return scale[0];
    }

    /** Fails unless the kernel's frequencies have the same law in every direction. */
    public static void requireRotationInvariant(String owner, ShiftInvariantKernel kernel) {
        if (!kernel.spectrum().rotationInvariant()) {
            throw new IllegalArgumentException(owner + ": the frequencies of " + kernel + " do not have the same law in"
                    + " every direction, as orthogonal ones need; take fourier or quasi, or a kernel of the distance"
                    + " such as gaussian or matern(nu=1.5)");
        }
    }
}
