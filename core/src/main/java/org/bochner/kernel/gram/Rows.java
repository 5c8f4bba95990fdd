package org.bochner.kernel.gram;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/** Loops over the values of row-major matrices. */
final class Rows {
    private Rows() {}

    /** Works on the value at an index of the array, in a row and a column. */
    @FunctionalInterface
    interface Visitor {
        void visit(int at, int row, int column);
    }

    static Matrix<double[]> zeros(int rows, int columns) {
        return Matrix.of(new double[Math.multiplyExact(rows, columns)], rows, columns);
    }

    static void each(Matrix<double[]> matrix, Visitor visitor) {
        for (int i = 0; i < matrix.rows(); i++) {
            for (int j = 0; j < matrix.columns(); j++) {
                visitor.visit(matrix.offset() + i * matrix.stride() + j, i, j);
            }
        }
    }

    /** Replaces each value by a function of it. */
    static void apply(Matrix<double[]> matrix, DoubleUnaryOperator function) {
        for (int i = 0; i < matrix.rows(); i++) {
            apply(function, matrix.values(), matrix.offset() + i * matrix.stride(), matrix.columns());
        }
    }

    private static void apply(DoubleUnaryOperator function, double[] values, int from, int count) {
        for (int at = from; at < from + count; at++) {
            values[at] = function.applyAsDouble(values[at]);
        }
    }

    /** Multiplies each value by that of another matrix. */
    static void multiply(Matrix<double[]> matrix, Matrix<double[]> by) {
        for (int i = 0; i < matrix.rows(); i++) {
            int at = matrix.offset() + i * matrix.stride();
            multiply(matrix.values(), at, by.values(), by.offset() + i * by.stride(), matrix.columns());
        }
    }

    private static void multiply(double[] values, int at, double[] by, int from, int count) {
        for (int k = 0; k < count; k++) {
            values[at + k] *= by[from + k];
        }
    }

    /** Returns a copy whose values are functions of the values of a matrix and their columns. */
    static Matrix<double[]> mapped(Matrix<double[]> matrix, ValueMap map) {
        Matrix<double[]> copy = zeros(matrix.rows(), matrix.columns());
        each(matrix, (at, i, j) -> copy.values()[i * copy.stride() + j] = map.apply(matrix.values()[at], j));
        return copy;
    }

    /** Returns row i in a new array. */
    static double[] row(Matrix<double[]> matrix, int i) {
        int from = matrix.offset() + i * matrix.stride();
        return Arrays.copyOfRange(matrix.values(), from, from + matrix.columns());
    }

    /** Returns all rows in new arrays. */
    static double[][] rows(Matrix<double[]> matrix) {
        double[][] rows = new double[matrix.rows()][];
        Arrays.setAll(rows, i -> row(matrix, i));
        return rows;
    }

    /** Returns the squared lengths of the rows. */
    static double[] squares(Matrix<double[]> matrix) {
        double[] squares = new double[matrix.rows()];
        for (int i = 0; i < squares.length; i++) {
            int from = matrix.offset() + i * matrix.stride();
            squares[i] = Vectors.dot(matrix.values(), from, matrix.values(), from, matrix.columns());
        }
        return squares;
    }

    /** Returns the sums of the rows; of the columns if the matrix is transposed. */
    static double[] sums(Matrix<double[]> matrix) {
        int length = matrix.isTransposed() ? matrix.rows() : matrix.columns();
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        double[] sums = new double[matrix.isTransposed() ? matrix.columns() : matrix.rows()];
        Blas.get().multiply(1, matrix, ones, 0, sums);
        return sums;
    }
}
