package org.bochner.map.landmark;

import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;

/** Selects rows of a block, and computes the kernel values between its rows. */
public final class LandmarkRows {
    private LandmarkRows() {}

    /** Returns some rows of a block, in the given order, in new arrays. */
    public static RowBlock select(RowBlock rows, int... chosen) {
        int columns = rows.columns();
        if (rows instanceof SparseRows sparse) {
            int[] starts = new int[chosen.length + 1];
            for (int k = 0; k < chosen.length; k++) {
                starts[k + 1] = starts[k] + sparse.starts()[chosen[k] + 1] - sparse.starts()[chosen[k]];
            }
            int[] indices = new int[starts[chosen.length]];
            float[] values = new float[indices.length];
            for (int k = 0; k < chosen.length; k++) {
                int from = sparse.starts()[chosen[k]];
                int count = starts[k + 1] - starts[k];
                System.arraycopy(sparse.indices(), from, indices, starts[k], count);
                System.arraycopy(sparse.values(), from, values, starts[k], count);
            }
            return SparseRows.of(chosen.length, columns, starts, indices, values);
        }
        DenseRows dense = (DenseRows) rows;
        Require.that(dense.origin() == null, LandmarkMap.TYPE, "the landmarks must not have an origin");
        float[] values = new float[MapMemory.length(LandmarkMap.TYPE, "the landmarks", (long) chosen.length * columns)];
        for (int k = 0; k < chosen.length; k++) {
            System.arraycopy(dense.values(), dense.offset() + chosen[k] * dense.stride(), values, k * columns, columns);
        }
        return DenseRows.of(chosen.length, columns, values);
    }

    /** Returns rows from (inclusive) to (exclusive) of a block, in new arrays. */
    public static RowBlock range(RowBlock rows, int from, int to) {
        return select(rows, IntStream.range(from, to).toArray());
    }

    /** Returns the values k(x, x) of the rows x of a block. */
    static double[] diagonal(Kernel kernel, RowBlock rows) {
        double[] diagonal = new double[rows.rows()];
        double[] x = new double[rows.columns()];
        for (int i = 0; i < diagonal.length; i++) {
            rows.copyRow(i, x);
            diagonal[i] = kernel.value(x, x);
        }
        return diagonal;
    }

    /** Returns the values between all rows of a block, row-major, computed a strip of rows at a time. */
    static double[] kernelMatrix(CrossKernel cross, RowBlock rows, int strip, Workers workers) {
        int size = rows.rows();
        double[] values = matrix(size);
        Strips.each(workers, size, strip, (from, to) -> cross.values(range(rows, from, to), values, from * size, size));
        return values;
    }

    /** Returns a new matrix for the values between landmarks; throws if the memory does not suffice. */
    static double[] matrix(int size) {
        MapMemory.check(LandmarkMap.TYPE, "the kernel values between " + size + " landmarks", 8.0 * size * size);
        return new double[MapMemory.length(LandmarkMap.TYPE, "the values between landmarks", (long) size * size)];
    }
}
