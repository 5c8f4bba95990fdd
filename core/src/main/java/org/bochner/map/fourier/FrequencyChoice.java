package org.bochner.map.fourier;

import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.map.layout.MapMemory;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.random.law.Haar;
import org.bochner.random.law.Halton;
import org.bochner.random.law.Samplers;

/** How the frequencies of a Fourier map are chosen from the spectrum of a kernel. */
public enum FrequencyChoice {
    /**
     * Random Fourier features, {@code fourier}: independent draws from the spectrum, for any shift-invariant kernel.
     * The error falls like 1/√D.
     *
     * <p>Reference: Rahimi and Recht, Random features for large-scale kernel machines, 2007.
     */
    FOURIER {
        @Override
        public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
            RandomStream stream = seed.stream();
            return byQuantiles(kernel, columns, frequencies, stream, i -> stream.nextUniform());
        }
    },

    /**
     * Orthogonal random features, {@code orthogonal}: frequencies come in groups of as many as there are columns.
     * Within a group they are orthogonal, in uniform directions, each as long as an independent one would be. Unbiased,
     * and of lower variance than {@code fourier}; for kernels of the distance |x − y|.
     *
     * <p>Cost: choosing takes O(D d²) at most, mapping as much as {@code fourier}.
     *
     * <p>Reference: Yu and others, Orthogonal random features, 2016.
     */
    ORTHOGONAL {
        @Override
        public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
            requireRotationInvariant(kernel);
            double[] unit = new double[requireMemory(kernel, columns, frequencies)];
            RandomStream radii = seed.derive("radii").stream();
            for (int first = 0; first < frequencies; first += columns) {
                int count = Math.min(columns, frequencies - first);
                double[] directions = Haar.rows(seed.derive(first / columns).stream(), columns, count);
                for (int i = 0; i < count; i++) {
                    double radius = commonScale(kernel, radii) * Samplers.chi(radii, columns);
                    for (int l = 0; l < columns; l++) {
                        unit[(first + i) * columns + l] = radius * directions[i * columns + l];
                    }
                }
            }
            return DenseProjection.of(unit, kernel, columns);
        }
    },

    /**
     * Quasi-random Fourier features, {@code quasi}: scrambled Halton points, which fill the unit cube more evenly than
     * random ones, go through the quantile function of the spectrum. The scale that the columns of a mixture share is
     * drawn at random. Works for any shift-invariant kernel, and pays off for few columns: with 8 columns and 1024
     * frequencies the error is a third of that of {@code fourier}.
     *
     * <p>Reference: Avron and others, Quasi-Monte Carlo feature maps for shift-invariant kernels, 2016.
     */
    QUASI {
        @Override
        public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
            requireMemory(kernel, columns, frequencies);
            double[] points = Halton.points(seed.derive("points"), frequencies, columns);
            RandomStream scales = seed.derive("scales").stream();
            return byQuantiles(kernel, columns, frequencies, scales, i -> points[i]);
        }
    },

    /**
     * Structured orthogonal features, {@code structured}: products √p · H D₁ H D₂ H D₃, with H the Hadamard matrix over
     * √p, D random signs and p a power of two above the number of columns, stand in for random rotations. For kernels
     * of the distance |x − y|.
     *
     * <p>Accuracy: lower variance than {@code orthogonal}, because all frequencies are equally long, and for the same
     * reason a bias: for the Gaussian kernel about −k·r⁴/(4p) at distance r·σ, which is 0.54/p at most. Rows are padded
     * to at least 64 columns, so the bias stays below 0.009.
     *
     * <p>Cost: O(D log d) per row instead of O(D d), and no matrix to store. Processors multiply dense matrices fast,
     * so at 128 columns it is about as fast as {@code fourier}; at 784 columns and 4096 features it takes a third of
     * the time.
     *
     * <p>Reference: Yu and others, Orthogonal random features, 2016, section 4.
     */
    STRUCTURED {
        @Override
        public Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed) {
            requireRotationInvariant(kernel);
            MapMemory.checkFrequencies(toString(), columns, frequencies, bytes(columns, frequencies, false));
            int[] signs = new int[HadamardProjection.signs(columns, frequencies)];
            Samplers.signs(seed.derive("signs").stream(), signs);
            double[] scales = new double[frequencies];
            RandomStream scaleStream = seed.derive("scales").stream();
            for (int j = 0; j < frequencies; j++) {
                scales[j] = commonScale(kernel, scaleStream);
            }
            boolean heavyTailed = kernel.spectrum().heavyTailed();
            return new HadamardProjection(signs, scales, FourierMap.sigma(kernel, columns), heavyTailed);
        }

        @Override
        double bytes(int columns, int frequencies, boolean heavyTailed) {
            return HadamardProjection.bytes(columns, frequencies);
        }
    };

    /** Chooses the frequencies of a kernel. More frequencies, for the same seed, begin with the same ones. */
    public abstract Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed);

    /** Returns the bytes that the projection takes. */
    double bytes(int columns, int frequencies, boolean heavyTailed) {
        return DenseProjection.bytes(columns, frequencies, heavyTailed);
    }

    /** Fails if the memory cannot hold the frequencies; otherwise returns how many numbers they are. */
    int requireMemory(ShiftInvariantKernel kernel, int columns, int frequencies) {
        int size = MapMemory.size(toString(), columns, frequencies);
        double bytes = bytes(columns, frequencies, kernel.spectrum().heavyTailed());
        MapMemory.checkFrequencies(toString(), columns, frequencies, bytes);
        return size;
    }

    /**
     * Returns the frequencies whose numbers are quantiles of the spectrum.
     *
     * @param scales draws the factors that columns share
     * @param points the probability of each number, asked for in order
     */
    Projection byQuantiles(
            ShiftInvariantKernel kernel,
            int columns,
            int frequencies,
            RandomStream scales,
            IntToDoubleFunction points) {
        double[] unit = new double[requireMemory(kernel, columns, frequencies)];
        Spectrum spectrum = kernel.spectrum();
        double[] factors = new double[columns];
        for (int i = 0; i < unit.length; i++) {
            int column = i % columns;
            if (column == 0) {
                spectrum.scales(scales, factors);
            }
            unit[i] = factors[column] * spectrum.quantile(column, points.applyAsDouble(i));
        }
        return DenseProjection.of(unit, kernel, columns);
    }

    /** Draws the factor that all columns of one frequency share, of a rotation-invariant distribution. */
    private static double commonScale(ShiftInvariantKernel kernel, RandomStream stream) {
        double[] scale = new double[1];
        kernel.spectrum().scales(stream, scale);
        return scale[0];
    }

    void requireRotationInvariant(ShiftInvariantKernel kernel) {
        if (!kernel.spectrum().rotationInvariant()) {
            throw new IllegalArgumentException(this + ": the frequencies of " + kernel + " do not have the same"
                    + " distribution in every direction, as orthogonal ones need; take fourier or quasi, or a kernel of"
                    + " the distance such as gaussian or matern(nu=1.5)");
        }
    }

    /** Returns the name in spellings. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
