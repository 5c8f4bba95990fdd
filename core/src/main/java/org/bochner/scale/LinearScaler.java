package org.bochner.scale;

import java.util.Arrays;
import org.bochner.base.State;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.jspecify.annotations.Nullable;

/**
 * Multiplies every row by a square matrix in float64. Sparse rows become dense.
 *
 * <p>Cost: columns² operations per row, by BLAS for blocks.
 */
final class LinearScaler extends AbstractScaler {
    /** A, row-major. */
    private final double[] matrix;

    /** Takes over the matrix. */
    LinearScaler(@Nullable String file, int columns, double[] matrix) {
        super(new LinearScaling(file, matrix), columns);
        this.matrix = matrix;
    }

    @Override
    public double[][] matrix() {
        double[][] rows = new double[columns()][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(matrix, i * columns(), (i + 1) * columns()));
        return rows;
    }

    @Override
    public State state() {
        return super.state().with("matrix", matrix, columns(), columns());
    }

    @Override
    public boolean keepsZeros() {
        return false;
    }

    @Override
    void scaleRow(float[] values, int start) {
        scale(values, start, 1);
    }

    @Override
    void scaleRows(float[] values, int rows) {
        scale(values, 0, rows);
    }

    private void scale(float[] values, int start, int rows) {
        int columns = columns();
        double[] before = new double[rows * columns];
        double[] after = new double[before.length];
        for (int i = 0; i < before.length; i++) {
            before[i] = values[start + i];
        }
        Blas.get()
                .multiply(
                        1,
                        Matrix.of(before, rows, columns),
                        Matrix.of(matrix, columns, columns).transposed(),
                        0,
                        Matrix.of(after, rows, columns));
        for (int i = 0; i < after.length; i++) {
            values[start + i] = (float) after[i];
        }
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        throw new UnsupportedOperationException("a matrix makes sparse rows dense");
    }
}
