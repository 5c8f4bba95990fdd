package org.bochner.data;

import java.util.Arrays;
import org.bochner.data.cell.CategoryFeatures;

/**
 * The columns of a category that is encoded by means of the targets.
 *
 * @param name the name of the column of the file
 * @param first the index of the first column
 * @param count the number of columns
 * @param codes the number of codes; the codes 1 to this number have means
 * @param recipe how the means are smoothed
 */
record MeanColumns(String name, int first, int count, int codes, CategoryFeatures.Means recipe) {
    /** Returns the code in the columns of a row; 0 for a category that the training data did not have. */
    int code(RowBlock rows, int row) {
        if (rows instanceof DenseRows dense) {
            return (int) dense.values()[dense.offset() + row * dense.stride() + first];
        }
        SparseRows sparse = (SparseRows) rows;
        int entry = entry(sparse, row);
        return entry < 0 ? 0 : (int) sparse.values()[entry];
    }

    /** Returns the index of the entry of the first column; negative if it is 0. */
    private int entry(SparseRows rows, int row) {
        return Arrays.binarySearch(rows.indices(), rows.starts()[row], rows.starts()[row + 1], first);
    }

    /** Replaces the codes in the columns of a row by means, in the arrays of the block. */
    void replace(RowBlock rows, int row, double[] means) {
        int code = code(rows, row);
        if (code == 0) {
            return;
        }
        float[] values = rows instanceof DenseRows dense ? dense.values() : ((SparseRows) rows).values();
        int start = rows instanceof DenseRows dense
                ? dense.offset() + row * dense.stride() + first
                : entry((SparseRows) rows, row);
        for (int j = 0; j < count; j++) {
            values[start + j] = (float) means[(code - 1) * count + j];
        }
    }
}
