package org.bochner.numeric.matrix;

import java.lang.reflect.Array;

/**
 * A row-major matrix in a part of an array, as an operand of {@link Blas}.
 *
 * @param <A> {@code float[]} or {@code double[]}
 * @param values the array, which is not copied
 * @param offset the index of the first value
 * @param rows the number of stored rows
 * @param columns the number of stored columns
 * @param stride the distance between stored rows
 * @param isTransposed true for the transpose of the stored matrix
 */
public record Matrix<A>(A values, int offset, int rows, int columns, int stride, boolean isTransposed) {
    /** Creates a matrix whose rows follow each other from the start of the array. */
    public static Matrix<float[]> of(float[] values, int rows, int columns) {
        return dense(values, rows, columns);
    }

    /** Creates a matrix whose rows follow each other from the start of the array. */
    public static Matrix<double[]> of(double[] values, int rows, int columns) {
        return dense(values, rows, columns);
    }

    static <A> Matrix<A> dense(A values, int rows, int columns) {
        return new Matrix<>(values, 0, rows, columns, columns, false);
    }

    /** Creates a matrix in a part of an array. */
    public static Matrix<float[]> of(float[] values, int offset, int rows, int columns, int stride) {
        return new Matrix<>(values, offset, rows, columns, stride, false);
    }

    /** Creates a matrix in a part of an array. */
    public static Matrix<double[]> of(double[] values, int offset, int rows, int columns, int stride) {
        return new Matrix<>(values, offset, rows, columns, stride, false);
    }

    /** Returns the transpose, without a copy. */
    public Matrix<A> transposed() {
        return new Matrix<>(values, offset, rows, columns, stride, !isTransposed);
    }

    /** Returns true if the matrix has no values. */
    /** Returns true for one column from the start of its array. */
    boolean isVector() {
        return columns == 1 && stride == 1 && offset == 0 && !isTransposed;
    }

    boolean isEmpty() {
        return rows == 0 || columns == 0;
    }

    /** Returns the number of rows, after the transposition. */
    int height() {
        return isTransposed ? columns : rows;
    }

    /** Returns the number of columns, after the transposition. */
    int width() {
        return isTransposed ? rows : columns;
    }

    /**
     * Returns this matrix, or a copy if the last row is not followed by a whole stride: netlib requires it for syrk and
     * trsm. The copy of a matrix at the end of its array, such as the last tile, is cheap beside the call itself.
     */
    Matrix<A> withRoom() {
        if (offset + (long) rows * stride <= Array.getLength(values)) {
            return this;
        }
        @SuppressWarnings("unchecked") // The type of the array's own class.
        A copy = (A) Array.newInstance(values.getClass().getComponentType(), rows * columns);
        Matrix<A> dense = new Matrix<>(copy, 0, rows, columns, columns, isTransposed);
        copyTo(dense);
        return dense;
    }

    /** Copies the values to another matrix, unless it is in the same array. */
    void copyTo(Matrix<A> other) {
        for (int i = 0; i < rows && values != other.values; i++) {
            System.arraycopy(values, offset + i * stride, other.values, other.offset + i * other.stride, columns);
        }
    }
}
