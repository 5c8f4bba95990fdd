package org.bochner.kernel.gram;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.jspecify.annotations.Nullable;

/** The values of a kernel that depends only on inner products of rows, after a function of each value. */
final class InnerProductCross extends CrossKernel {
    /** Values of the rows that are multiplied together: half a megabyte in float64, which stays in cache. */
    private static final int TILE_VALUES = 1 << 16;

    private static final int MOST_TILE_ROWS = 256;

    /**
     * The largest squared length of a fixed row, in units of the length-scales, for products in float32. The error of a
     * squared distance is about 10⁻⁷ times this number. The limit keeps it at 10⁻⁴; it is not tuned.
     */
    private static final double LONGEST_IN_FLOAT32 = 1000;

    /** The share of |x|² + |h|² below which a squared distance has lost digits that a steep function needs; not tuned. */
    private static final double NEARLY_EQUAL = 1e-4;

    private final ValueMap map;
    private final PairFunction function;
    private final boolean smooth;
    private final int columns;
    private final double[] squares;
    /** The mean of the fixed rows, which is subtracted from all rows; null if rows must not be shifted. */
    private final double @Nullable [] centre;
    /** The fixed rows by row, and the same in float32. */
    private final double[] fixed;

    private final float[] fixedFloats;
    private final boolean inFloat32;

    InnerProductCross(ValueMap map, PairFunction function, RowBlock rows) {
        super(rows);
        this.map = map;
        this.function = function;
        smooth = function.smoothAtEqualRows();
        columns = rows.columns();
        fixed = new double[DenseSize.of(rows.rows(), columns, 12)];
        read(rows, 0, rows.rows(), null, fixed);
        centre = function instanceof PairFunction.OfDistance ? centreFixed() : null;
        squares = squares(fixed, size());
        fixedFloats = Vectors.rounded(fixed);
        inFloat32 = Arrays.stream(squares).max().orElse(0) <= LONGEST_IN_FLOAT32 && smooth;
    }

    /** Subtracts the mean from the fixed rows, so that differences of long, similar rows do not cancel. */
    private double[] centreFixed() {
        double[] mean = new double[columns];
        for (int i = 0; i < fixed.length; i++) {
            mean[i % columns] += fixed[i] / size();
        }
        for (int i = 0; i < fixed.length; i++) {
            fixed[i] -= mean[i % columns];
        }
        return mean;
    }

    @Override
    void compute(RowBlock rows, double[] out, int offset, int stride) {
        int tile = tileRows();
        double[] x = new double[Math.min(tile, rows.rows()) * columns];
        for (int from = 0; from < rows.rows(); from += tile) {
            int to = Math.min(rows.rows(), from + tile);
            int at = offset + from * stride;
            read(rows, from, to, centre, x);
            double[] lengths = squares(x, to - from);
            Blas.get()
                    .multiply(
                            1,
                            Matrix.of(x, to - from, columns),
                            Matrix.of(fixed, size(), columns).transposed(),
                            0,
                            Matrix.of(out, at, to - from, size(), stride));
            for (int i = 0; i < to - from; i++) {
                if (!smooth && function instanceof PairFunction.OfDistance ofDistance) {
                    finish(ofDistance, x, i * columns, lengths[i], out, at + i * stride);
                } else {
                    finish(out, at + i * stride, lengths[i]);
                }
            }
        }
    }

    /** Applies a function that is steep at 0 to distances, which are computed without cancellation if they are small. */
    private void finish(PairFunction.OfDistance ofDistance, double[] x, int from, double square, double[] out, int at) {
        for (int j = 0; j < size(); j++) {
            double lengths = square + squares[j];
            double distance = lengths - 2 * out[at + j];
            if (distance < NEARLY_EQUAL * lengths) {
                distance = 0;
                for (int l = 0; l < columns; l++) {
                    double difference = x[from + l] - fixed[j * columns + l];
                    distance += difference * difference;
                }
            }
            out[at + j] = ofDistance.function().applyAsDouble(distance);
        }
    }

    @Override
    void compute(RowBlock rows, float[] out, int offset, int stride) {
        if (!inFloat32) {
            super.compute(rows, out, offset, stride);
            return;
        }
        int tile = tileRows();
        double[] x = new double[Math.min(tile, rows.rows()) * columns];
        float[] floats = new float[x.length];
        for (int from = 0; from < rows.rows(); from += tile) {
            int to = Math.min(rows.rows(), from + tile);
            int at = offset + from * stride;
            read(rows, from, to, centre, x);
            double[] lengths = squares(x, to - from);
            Vectors.round(x, 0, floats, 0, (to - from) * columns);
            Blas.get()
                    .multiply(
                            1f,
                            Matrix.of(floats, to - from, columns),
                            Matrix.of(fixedFloats, size(), columns).transposed(),
                            0f,
                            Matrix.of(out, at, to - from, size(), stride));
            for (int i = 0; i < to - from; i++) {
                for (int j = 0; j < size(); j++) {
                    int place = at + i * stride + j;
                    out[place] = (float) function.of(out[place], lengths[i], squares[j]);
                }
            }
        }
    }

    private void finish(double[] out, int at, double square) {
        for (int j = 0; j < size(); j++) {
            out[at + j] = function.of(out[at + j], square, squares[j]);
        }
    }

    /** Writes the mapped values of rows, less the centre if there is one, one row after the other. */
    private void read(RowBlock rows, int from, int to, double @Nullable [] less, double[] x) {
        double[] row = new double[columns];
        for (int i = from; i < to; i++) {
            rows.copyRow(i, row);
            map.applyTo(row, rows.firstRow() + i);
            int at = (i - from) * columns;
            for (int l = 0; l < columns; l++) {
                x[at + l] = row[l] - (less == null ? 0 : less[l]);
            }
        }
    }

    private double[] squares(double[] x, int rows) {
        double[] sums = new double[rows];
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = i * columns; k < (i + 1) * columns; k++) {
                sum += x[k] * x[k];
            }
            sums[i] = sum;
        }
        return sums;
    }

    private int tileRows() {
        return Math.max(1, Math.min(MOST_TILE_ROWS, TILE_VALUES / columns));
    }
}
