package org.bochner.map.dot;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.function.Hartley;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Tensor sketch of a polynomial kernel. (γ·x·y + c)^g is the inner product of all products of g of the numbers (√γ·x,
 * √c). The sketch adds them up with random signs in p places. The place is the sum of g hashes of one column each, so
 * the sketch is the circular convolution of g sketches of the row, and the products are never computed.
 *
 * <p>The convolution is left in the frequency domain, as a {@link Hartley} transform: inner products are equal there,
 * and no transform back is needed. Any number D of features is a sum of powers of two, and the map has one sketch per
 * power p, with the weight p/D. The sum is unbiased and has variance V/D, as one sketch of D places would have.
 *
 * <p>Accuracy: unbiased, with V ≤ (3^g − 1)·((γ|x|² + c)(γ|y|² + c))^g. Cost: g times the non-zeros per binary digit 1
 * of D, and g·D·log₂D. Memory: 4 bytes per column, factor and digit.
 *
 * <p>Threads: safe; immutable.
 *
 * <p>Reference: Pham and Pagh, Fast and scalable polynomial kernels via explicit feature maps, 2013,
 * doi:10.1145/2487575.2487591; the variance after Avron, Nguyen and Woodruff, 2014.
 */
public final class TensorSketchMap implements FeatureMap {
    public static final String TYPE = "tensor-sketch";

    /** The most features, because the statistics of more do not fit in memory. */
    private static final int MOST_FEATURES = 1 << 24;

    private final Polynomial kernel;
    private final int columns;
    private final int features;
    private final Hartley[] transforms;
    /** 2·place + sign: for every transform, factor and column, of which the last is the constant. */
    private final int[] hashes;

    /** Takes over the hashes. */
    private TensorSketchMap(Polynomial kernel, int columns, int features, int[] hashes) {
        this.kernel = kernel;
        this.columns = columns;
        this.features = features;
        this.hashes = hashes;
        this.transforms = Arrays.stream(places(features)).mapToObj(Hartley::new).toArray(Hartley[]::new);
    }

    public static TensorSketchMap draw(Polynomial kernel, int columns, int features, Seed seed) {
        int[] hashes = new int[hashCount(kernel, columns, features)];
        int next = 0;
        for (int p : places(features)) {
            for (int factor = 0; factor < kernel.degree(); factor++) {
                RandomStream stream = seed.derive(p).derive(factor).stream();
                for (int column = 0; column <= columns; column++) {
                    hashes[next++] = stream.nextInt(2 * p);
                }
            }
        }
        return new TensorSketchMap(kernel, columns, features, hashes);
    }

    public static TensorSketchMap load(State state) {
        Polynomial kernel = MapTypes.kernel(state, Polynomial.class);
        int columns = state.count("columns");
        int features = state.count("features");
        int[] hashes = state.integers("hashes", hashCount(kernel, columns, features));
        int next = 0;
        for (int p : places(features)) {
            for (int end = next + kernel.degree() * (columns + 1); next < end; next++) {
                Require.that(
                        hashes[next] >= 0 && hashes[next] < 2 * p,
                        TYPE + ": a hash must be at least 0 and below " + 2 * p + ", got " + hashes[next]);
            }
        }
        return new TensorSketchMap(kernel, columns, features, hashes);
    }

    /** Returns the powers of two that add up to a number, from the largest down. */
    private static int[] places(int features) {
        int[] places = new int[Integer.bitCount(features)];
        int left = features;
        for (int i = 0; i < places.length; i++) {
            places[i] = Integer.highestOneBit(left);
            left -= places[i];
        }
        return places;
    }

    /** Returns the number of hashes; fails where sizes are not positive or too large for memory. */
    private static int hashCount(Polynomial kernel, int columns, int features) {
        Require.atLeast(TYPE, "columns", columns, 1);
        Require.that(
                features >= 1 && features <= MOST_FEATURES,
                TYPE + ": features must be from 1 to " + MOST_FEATURES + ", got " + features);
        double count = (columns + 1.0) * kernel.degree() * Integer.bitCount(features);
        MapMemory.check(TYPE, features + " features of " + columns + " columns", 4 * count + 8.0 * features);
        Require.that(
                count < Integer.MAX_VALUE - 8,
                TYPE + ": " + kernel + " of " + columns
                        + " columns needs more hashes than an array can hold; take a power of two as the"
                        + " number of features, or a smaller degree");
        return (int) count;
    }

    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return features;
    }

    @Override
    public Polynomial kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, columns);
        new Sketches().map(x, out, 0);
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        Sketches sketches = new Sketches();
        for (int i = 0; i < rows.rows(); i++) {
            sketches.map(rows, i, out, offset + i * stride);
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        Sketches sketches = new Sketches();
        double[] mapped = new double[features];
        for (int i = 0; i < rows.rows(); i++) {
            sketches.map(rows, i, mapped, 0);
            Vectors.round(mapped, 0, out, offset + i * stride, features);
        }
    }

    /** The working memory of one thread: the non-zeros of a row, and its sketches. */
    private final class Sketches {
        private final double[] row = new double[columns];
        private final int[] indices = new int[columns + 1];
        private final double[] values = new double[columns + 1];
        private int count;
        private final double[] product = new double[transforms[0].length()];
        private final double[] sketch = new double[transforms[0].length()];

        void map(RowBlock rows, int i, double[] out, int at) {
            if (!(rows instanceof SparseRows sparse)) {
                rows.copyRow(i, row);
                map(row, out, at);
                return;
            }
            count = 0;
            for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                add(sparse.indices()[e], sparse.values()[e]);
            }
            map(out, at);
        }

        void map(double[] x, double[] out, int at) {
            count = 0;
            for (int column = 0; column < columns; column++) {
                if (x[column] != 0) {
                    add(column, x[column]);
                }
            }
            map(out, at);
        }

        private void add(int column, double x) {
            indices[count] = column;
            values[count++] = Math.sqrt(kernel.gamma()) * x;
        }

        private void map(double[] out, int at) {
            indices[count] = columns;
            values[count++] = Math.sqrt(kernel.c());
            // A sketch has the factor √(p/D), and its transform is √p times too long.
            double amplitude = 1 / Math.sqrt(features);
            int firstHash = 0;
            int next = at;
            for (Hartley transform : transforms) {
                for (int factor = 0; factor < kernel.degree(); factor++) {
                    fill(factor == 0 ? product : sketch, transform, firstHash);
                    if (factor > 0) {
                        transform.convolve(product, sketch);
                    }
                    firstHash += columns + 1;
                }
                for (int k = 0; k < transform.length(); k++) {
                    out[next++] = amplitude * product[k];
                }
            }
        }

        private void fill(double[] places, Hartley transform, int firstHash) {
            Arrays.fill(places, 0, transform.length(), 0);
            for (int e = 0; e < count; e++) {
                int hash = hashes[firstHash + indices[e]];
                places[hash >>> 1] += (hash & 1) == 0 ? values[e] : -values[e];
            }
            transform.transform(places);
        }
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("columns", columns)
                .with("features", features)
                .with("hashes", hashes);
    }

    @Override
    public String toString() {
        return "TensorSketchMap[" + kernel + ", " + columns + " columns, " + features + " features]";
    }
}
