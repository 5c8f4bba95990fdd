package org.bochner.map.fourier;

import java.util.function.ObjIntConsumer;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Warp;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a block as projections read them: unchanged, with each value warped, or mapped by a first stage.
 *
 * @param change computes row i in float64; null where rows are read unchanged
 */
public record RowReader(
        RowBlock block, int columns, @Nullable ObjIntConsumer<double[]> change) {
    /** Reads rows whose values go through the warp, or unchanged rows where there is none. */
    public static RowReader of(RowBlock rows, @Nullable Warp warp) {
        return new RowReader(
                rows,
                rows.columns(),
                warp == null
                        ? null
                        : (row, i) -> {
                            rows.copyRow(i, row);
                            for (int l = 0; l < row.length; l++) {
                                try {
                                    row[l] = warp.apply(row[l], l);
                                } catch (BochnerException | IllegalArgumentException e) {
                                    throw RowException.at(rows.firstRow() + i, l, e);
                                }
                            }
                        });
    }

    /** Reads the float64 features that a map makes of the rows. */
    public static RowReader mapped(FeatureMap map, RowBlock rows) {
        double[] values = new double[map.inputDimension()];
        return new RowReader(rows, map.outputDimension(), (row, i) -> {
            rows.copyRow(i, values);
            try {
                map.apply(values, row);
            } catch (RowException e) {
                throw e.inRow(rows.firstRow() + i);
            }
        });
    }

    int rows() {
        return block.rows();
    }

    /** Returns the dense block itself, where its rows are read unchanged; otherwise null. */
    private @Nullable DenseRows dense() {
        return change == null && block instanceof DenseRows dense ? dense : null;
    }

    /** Returns the array for a {@link #matrix} of some rows: the given one if it is long enough or not needed. */
    float[] room(int count, float[] tile) {
        return dense() != null || tile.length >= count * columns ? tile : new float[count * columns];
    }

    /**
     * Returns the sparse block itself, where its rows are read unchanged; otherwise null, because a warp may move
     * zeros.
     */
    @Nullable
    SparseRows sparse() {
        return change == null && block instanceof SparseRows sparse ? sparse : null;
    }

    /**
     * Returns rows from (inclusive) to (exclusive) as a matrix: the dense block itself, or a copy.
     *
     * @param tile receives the copy; it may be empty for a dense block that is read unchanged
     */
    Matrix<float[]> matrix(int from, int to, float[] tile) {
        DenseRows dense = dense();
        if (dense != null) {
            int first = dense.offset() + from * dense.stride();
            return Matrix.of(dense.values(), first, to - from, columns, dense.stride());
        }
        read(from, to, tile);
        return Matrix.of(tile, to - from, columns);
    }

    /** Writes rows from (inclusive) to (exclusive), dense and row-major, to the start of an array. */
    void read(int from, int to, float[] tile) {
        SparseRows sparse = sparse();
        if (sparse != null) {
            sparse.copyDense(from, to, tile);
            return;
        }
        double[] row = new double[columns];
        for (int i = from; i < to; i++) {
            readRow(i, row);
            Vectors.round(row, 0, tile, (i - from) * columns, columns);
        }
    }

    /** Reads one row in float64, in which warped values keep their precision. */
    void readRow(int i, double[] row) {
        if (change == null) {
            block.copyRow(i, row);
        } else {
            change.accept(row, i);
        }
    }
}
