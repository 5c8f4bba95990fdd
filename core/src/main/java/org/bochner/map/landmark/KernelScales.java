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
import org.bochner.kernel.gram.CrossGradient;
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

    /** Derivatives of Σᵢⱼ cᵢⱼ·k(xᵢ, xⱼ) over all pairs of rows, with a symmetric c. Threads: safe. */
    @FunctionalInterface
    public interface Slopes {
        /**
         * Adds the derivatives by the scales of the part of the sum with j from (inclusive) to (exclusive). Only the
         * sum over all j is meaningful. Values on the diagonal of c do not count.
         *
         * @param c the columns from … to−1 of the matrix c, n×(to − from), row-major
         * @param sums receives the derivatives, from an index on
         */
        void add(int from, int to, double[] c, double[] sums, int at);
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
            return (from, to, c, sums, at) -> {};
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

        /**
         * With rows u = s∘x in units of the length-scales and κ at unit length-scale, ∂k/∂sₗ = (xᵢₗ − xⱼₗ)·κₗ′(uᵢ − uⱼ).
         * Because κ′ is odd and c symmetric, the sum over all pairs is twice Σⱼ xⱼₗ·Σᵢ cᵢⱼ·∂κ/∂uⱼₗ. It does not change if
         * all rows are shifted, so they are centred.
         */
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
            double[] u = new double[x.length];
            for (int k = 0; k < x.length; k++) {
                x[k] -= mean[k % columns];
                u[k] = scales[k % columns] * x[k];
            }
            CrossGradient unit =
                    CrossGradient.of(kernel.withSigma(Bandwidth.of(1))).orElseThrow();
            Matrix<double[]> all = Matrix.of(u, n, columns);
            return (from, to, c, sums, at) -> {
                double[] byRow = new double[(to - from) * columns];
                unit.add(
                        all,
                        Matrix.of(u, from * columns, to - from, columns, columns),
                        Matrix.of(c, n, to - from),
                        Matrix.of(byRow, to - from, columns));
                for (int k = 0; k < byRow.length; k++) {
                    sums[at + k % columns] += 2 * x[from * columns + k] * byRow[k];
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
            int n = rows.rows();
            double scale = values()[0];
            return (from, to, c, sums, at) -> {
                int count = to - from;
                Matrix<double[]> distances = Matrix.of(new double[n * count], n, count);
                Matrix<double[]> own = Matrix.of(
                        rows.values(), rows.offset() + from * rows.stride(), count, rows.columns(), rows.stride());
                SquaredDistances.of(kernel.additive(), rows, own, distances);
                double sum = 0;
                for (int k = 0; k < distances.values().length; k++) {
                    double squared = distances.values()[k];
                    sum += c[k] * squared * kernel.slopeAtSquaredDistance(squared);
                }
                sums[at] += 2 * sum / scale;
            };
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
            return (from, to, c, sums, at) -> {
                double[] slopes = new double[part.count()];
                own.add(from, to, c, slopes, 0);
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
            return (from, to, c, sums, at) -> {
                int start = at;
                for (int t = 0; t < own.size(); t++) {
                    own.get(t).add(from, to, c, sums, start);
                    start += terms.get(t).count();
                }
            };
        }
    }
}
