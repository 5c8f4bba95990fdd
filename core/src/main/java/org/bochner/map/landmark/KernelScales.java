package org.bochner.map.landmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.gram.ScaleGradient;
import org.bochner.kernel.gram.SquaredDistances;
import org.bochner.map.MapParameters;
import org.bochner.map.layout.LengthScale;
import org.bochner.numeric.matrix.Matrix;
import org.jspecify.annotations.Nullable;

/**
 * The frequency scales of an exact kernel, which are those of its Fourier map: one per column of a shift-invariant
 * kernel, and one for a kernel of a distance. Other kernels have none. Computes derivatives of weighted sums of kernel
 * values with respect to the scales.
 *
 * <p>Threads: safe; immutable.
 */
public abstract class KernelScales {
    KernelScales() {}

    /** Returns the scales of a kernel of rows with a number of columns. */
    public static KernelScales of(Kernel kernel, int columns) {
        if (kernel instanceof SumKernel sum) {
            return new Sum(sum.terms().stream().map(term -> of(term, columns)).toList());
        }
        if (kernel instanceof ScaledKernel scaled) {
            return new Scaled(scaled, of(scaled.kernel(), columns));
        }
        if (kernel instanceof ChannelKernel channel) {
            return new Channel(channel, of(channel.kernel(), channel.to() - channel.from()));
        }
        if (kernel instanceof WarpedKernel warped) {
            return new OfColumns(warped.kernel(), warped, columns);
        }
        if (kernel instanceof RadialKernel radial) {
            return new OfDistance(radial, columns);
        }
        return kernel instanceof ShiftInvariantKernel shiftInvariant
                ? new OfColumns(shiftInvariant, null, columns)
                : new None(kernel);
    }

    /** Returns the number of scales. */
    public abstract int count();

    /** Returns the scales in a new array. */
    public abstract double[] values();

    /** Returns the term and the columns that a scale acts on. */
    public abstract MapParameters.Scope scope(int scale);

    /** Returns the kernel with other scales. */
    public abstract Kernel with(double... values);

    /** Prepares the derivatives for rows, n×columns, in the domain of the kernel. */
    public abstract Slopes slopes(Matrix<double[]> rows);

    /** Derivatives of weighted sums of the kernel values between rows. Threads: safe. */
    @FunctionalInterface
    public interface Slopes {
        /**
         * Adds the derivatives of Σᵢⱼ cᵢⱼ·k(xᵢ, xⱼ) by the scales, for some rows i and j.
         *
         * @param first the first of the rows i
         * @param second the first of the rows j
         * @param c one row per row i, and one column per row j
         * @param sums receives the derivatives, from an index on
         */
        void add(int first, int second, Matrix<double[]> c, double[] sums, int at);
    }

    private static double[] part(double[] values, int from, int count) {
        return Arrays.copyOfRange(values, from, from + count);
    }

    /** A kernel without scales. */
    private static final class None extends KernelScales {
        private final Kernel kernel;

        None(Kernel kernel) {
            this.kernel = kernel;
        }

        @Override
        public int count() {
            return 0;
        }

        @Override
        public double[] values() {
            return new double[0];
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            throw new IndexOutOfBoundsException(kernel + " has no scales");
        }

        @Override
        public Kernel with(double... values) {
            return kernel;
        }

        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            return (first, second, c, sums, at) -> {};
        }
    }

    /** One scale per column. */
    private static final class OfColumns extends KernelScales {
        private final ShiftInvariantKernel kernel;
        private final @Nullable WarpedKernel warped;
        private final int columns;

        OfColumns(ShiftInvariantKernel kernel, @Nullable WarpedKernel warped, int columns) {
            this.kernel = kernel;
            this.warped = warped;
            // A product ignores the columns after its last one.
            this.columns = kernel instanceof ProductKernel product ? Math.min(columns, product.columns()) : columns;
        }

        @Override
        public int count() {
            return columns;
        }

        @Override
        public double[] values() {
            double[] scales = kernel.sigma().toArray(columns);
            Arrays.setAll(scales, l -> 1 / scales[l]);
            return scales;
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            return new MapParameters.Scope(0, scale, scale + 1);
        }

        @Override
        public Kernel with(double... values) {
            double[] sigma = new double[columns];
            Arrays.setAll(sigma, l -> LengthScale.of(Require.notNegative("kernel", "scale of column " + l, values[l])));
            Bandwidth bandwidth = Bandwidth.ofColumns(sigma);
            return warped == null ? kernel.withSigma(bandwidth) : warped.withSigma(bandwidth);
        }

        /** The rows are centred, which changes no difference. */
        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            int n = rows.rows();
            double[] x = new double[n * columns];
            double[] mean = new double[columns];
            for (int i = 0; i < n; i++) {
                for (int l = 0; l < columns; l++) {
                    double value = rows.values()[rows.offset() + i * rows.stride() + l];
                    x[i * columns + l] = warped == null ? value : warped.warp().apply(value, l);
                    mean[l] += x[i * columns + l] / n;
                }
            }
            double[] scales = values();
            for (int i = 0; i < n; i++) {
                for (int l = 0; l < columns; l++) {
                    x[i * columns + l] = scales[l] * (x[i * columns + l] - mean[l]);
                }
            }
            ScaleGradient gradient = ScaleGradient.of(kernel);
            return (first, second, c, sums, at) -> {
                double[] byLogarithm = new double[columns];
                gradient.add(
                        Matrix.of(x, first * columns, c.rows(), columns, columns),
                        Matrix.of(x, second * columns, c.columns(), columns, columns),
                        c,
                        byLogarithm);
                for (int l = 0; l < columns; l++) {
                    // The derivative of a dropped column; a subgradient if the kernel has a kink.
                    sums[at + l] += scales[l] == 0 ? 0 : byLogarithm[l] / scales[l];
                }
            };
        }
    }

    /** One scale, which is one over the length-scale of the outer kernel: dk/d log s = 2D²·dk/dD². */
    private static final class OfDistance extends KernelScales {
        private final RadialKernel kernel;
        private final int columns;

        OfDistance(RadialKernel kernel, int columns) {
            this.kernel = kernel;
            this.columns = columns;
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public double[] values() {
            return new double[] {1 / kernel.outer().sigma().at(0)};
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            return new MapParameters.Scope(0, 0, columns);
        }

        @Override
        public Kernel with(double... values) {
            return kernel.withOuterSigma(1 / Require.positive("kernel", "scale", values[0]));
        }

        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            double scale = values()[0];
            return (first, second, c, sums, at) -> {
                Matrix<double[]> distances = Matrix.of(new double[c.rows() * c.columns()], c.rows(), c.columns());
                SquaredDistances.of(
                        kernel.additive(), part(rows, first, c.rows()), part(rows, second, c.columns()), distances);
                double sum = 0;
                for (int i = 0; i < c.rows(); i++) {
                    for (int j = 0; j < c.columns(); j++) {
                        double squared = distances.values()[i * distances.stride() + j];
                        double weight = c.values()[c.offset() + i * c.stride() + j];
                        sum += weight * squared * kernel.slopeAtSquaredDistance(squared);
                    }
                }
                sums[at] += 2 * sum / scale;
            };
        }

        private static Matrix<double[]> part(Matrix<double[]> rows, int from, int count) {
            return Matrix.of(rows.values(), rows.offset() + from * rows.stride(), count, rows.columns(), rows.stride());
        }
    }

    /** The scales of a multiple of a kernel. */
    private static final class Scaled extends KernelScales {
        private final ScaledKernel kernel;
        private final KernelScales part;

        Scaled(ScaledKernel kernel, KernelScales part) {
            this.kernel = kernel;
            this.part = part;
        }

        @Override
        public int count() {
            return part.count();
        }

        @Override
        public double[] values() {
            return part.values();
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            return part.scope(scale);
        }

        @Override
        public Kernel with(double... values) {
            return new ScaledKernel(kernel.factor(), part.with(values));
        }

        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            Slopes own = part.slopes(rows);
            return (first, second, c, sums, at) -> {
                double[] slopes = new double[part.count()];
                own.add(first, second, c, slopes, 0);
                for (int p = 0; p < slopes.length; p++) {
                    sums[at + p] += kernel.factor() * slopes[p];
                }
            };
        }
    }

    /** The scales of a kernel of consecutive columns. */
    private static final class Channel extends KernelScales {
        private final ChannelKernel kernel;
        private final KernelScales part;

        Channel(ChannelKernel kernel, KernelScales part) {
            this.kernel = kernel;
            this.part = part;
        }

        @Override
        public int count() {
            return part.count();
        }

        @Override
        public double[] values() {
            return part.values();
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            MapParameters.Scope own = part.scope(scale);
            return new MapParameters.Scope(own.term(), own.from() + kernel.from(), own.to() + kernel.from());
        }

        @Override
        public Kernel with(double... values) {
            return new ChannelKernel(part.with(values), kernel.from(), kernel.to());
        }

        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            return part.slopes(Matrix.of(
                    rows.values(),
                    rows.offset() + kernel.from(),
                    rows.rows(),
                    kernel.to() - kernel.from(),
                    rows.stride()));
        }
    }

    /** The scales of all terms, one term after the other. */
    private static final class Sum extends KernelScales {
        private final List<KernelScales> terms;

        Sum(List<KernelScales> terms) {
            this.terms = terms;
        }

        @Override
        public int count() {
            return terms.stream().mapToInt(KernelScales::count).sum();
        }

        @Override
        public double[] values() {
            return terms.stream()
                    .flatMapToDouble(term -> Arrays.stream(term.values()))
                    .toArray();
        }

        @Override
        public MapParameters.Scope scope(int scale) {
            int left = scale;
            for (int t = 0; t < terms.size(); t++) {
                int count = terms.get(t).count();
                if (left < count) {
                    MapParameters.Scope own = terms.get(t).scope(left);
                    return new MapParameters.Scope(t, own.from(), own.to());
                }
                left -= count;
            }
            throw new IndexOutOfBoundsException("there are " + count() + " scales, asked for number " + scale);
        }

        @Override
        public Kernel with(double... values) {
            List<Kernel> moved = new ArrayList<>();
            int start = 0;
            for (KernelScales term : terms) {
                moved.add(term.with(part(values, start, term.count())));
                start += term.count();
            }
            return new SumKernel(moved);
        }

        @Override
        public Slopes slopes(Matrix<double[]> rows) {
            List<Slopes> own = terms.stream().map(term -> term.slopes(rows)).toList();
            return (first, second, c, sums, at) -> {
                int start = at;
                for (int t = 0; t < own.size(); t++) {
                    own.get(t).add(first, second, c, sums, start);
                    start += terms.get(t).count();
                }
            };
        }
    }
}
