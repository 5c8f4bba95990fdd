package org.bochner.stats;

import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;

/**
 * Copies of a few rows of sparse features, stored by rows and by features for products from both sides.
 *
 * <p>Use: {@link #copy} each row, then {@link #finish}, then the products. Memory: 16 bytes per non-zero and 4 bytes per
 * feature. Threads: rows may be copied on any thread, each once; safe after {@link #finish}.
 */
public final class SparseSample {
    private final int size;
    private final int features;
    private final int[][] columnsOf;
    private final float[][] valuesOf;
    private SparseFeatures rows;
    /** The entries of feature j are {@code starts[j]} to {@code starts[j + 1]}, their rows ascending. */
    private int[] starts = {};

    private int[] rowOf = {};
    private float[] valueOf = {};

    /** Creates a sample of empty rows. */
    public SparseSample(int size, int features) {
        this.size = size;
        this.features = features;
        columnsOf = new int[size][0];
        valuesOf = new float[size][0];
        rows = new SparseFeatures(SparseRows.of(0, features, new int[1], new int[0], new float[0]));
    }

    /** Copies a row of a tile of sparse features to row k. */
    public void copy(FeatureTile tile, int row, int k) {
        SparseFeatures from = (SparseFeatures) tile.features();
        columnsOf[k] = from.indices(tile.from() + row);
        valuesOf[k] = from.values(tile.from() + row);
    }

    /** Arranges the entries by features, after all rows were copied. */
    public void finish() {
        int[] rowStarts = new int[size + 1];
        for (int k = 0; k < size; k++) {
            rowStarts[k + 1] = Math.addExact(rowStarts[k], columnsOf[k].length);
        }
        int[] indices = new int[rowStarts[size]];
        float[] values = new float[rowStarts[size]];
        starts = new int[features + 1];
        for (int k = 0; k < size; k++) {
            System.arraycopy(columnsOf[k], 0, indices, rowStarts[k], columnsOf[k].length);
            System.arraycopy(valuesOf[k], 0, values, rowStarts[k], valuesOf[k].length);
            for (int j : columnsOf[k]) {
                starts[j + 1]++;
            }
            columnsOf[k] = new int[0];
            valuesOf[k] = new float[0];
        }
        for (int j = 0; j < features; j++) {
            starts[j + 1] += starts[j];
        }
        rowOf = new int[indices.length];
        valueOf = new float[indices.length];
        int[] next = starts.clone();
        for (int k = 0; k < size; k++) {
            for (int e = rowStarts[k]; e < rowStarts[k + 1]; e++) {
                int to = next[indices[e]]++;
                rowOf[to] = k;
                valueOf[to] = values[e];
            }
        }
        rows = new SparseFeatures(SparseRows.of(size, features, rowStarts, indices, values));
    }

    /** Returns the number of rows. */
    public int size() {
        return size;
    }

    /** Returns the inner product of row k with D numbers, in float64. */
    public double dot(int k, double[] w) {
        return rows.dot(k, w);
    }

    /** Returns the upper triangle of the inner products of the rows, in a square matrix, in float64. */
    public double[] products(Workers workers) {
        double[] triangle = rows.products(workers);
        double[] square = new double[Math.multiplyExact(size, size)];
        for (int k = 0; k < size; k++) {
            System.arraycopy(triangle, Triangle.start(k, size), square, k * (size + 1), size - k);
        }
        return square;
    }

    /** Writes the products of a range of rows with D×outputs numbers to their place in size×outputs numbers. */
    public void multiply(int from, int to, double[] in, int outputs, double[] out) {
        rows.multiply(from, to, in, outputs, out, from * outputs);
    }

    /** Adds the transposed rows times size×outputs numbers to D×outputs numbers, for a range of features. */
    public void addTransposed(int from, int to, double[] in, int outputs, double[] out) {
        for (int j = from; j < to; j++) {
            for (int e = starts[j]; e < starts[j + 1]; e++) {
                Vectors.add(valueOf[e], in, rowOf[e] * outputs, out, j * outputs, outputs);
            }
        }
    }
}
