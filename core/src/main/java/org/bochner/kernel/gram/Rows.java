package org.bochner.kernel.gram;

import java.util.Arrays;
import org.bochner.numeric.matrix.Matrix;

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
        each(matrix, (at, i, j) -> squares[i] += matrix.values()[at] * matrix.values()[at]);
        return squares;
    }
}
