package org.bochner.data.format;

import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/** Writes LIBSVM text. */
final class LibsvmWriter extends TextWriter {
    LibsvmWriter(Labels labels, int columns, TargetFile file) {
        super(columns, labels, name -> name, file);
    }

    @Override
    public void write(RowBlock block) {
        Require.sameSize("LIBSVM writer", "number of columns", block.columns(), columns);
        RowBlock plain = block.plain();
        for (int i = 0; i < block.rows(); i++) {
            addLabel(block, i, 0, "0");
            if (plain instanceof DenseRows dense) {
                int start = dense.offset() + i * dense.stride();
                for (int j = 0; j < columns; j++) {
                    entry(j, dense.values()[start + j]);
                }
            } else {
                SparseRows sparse = (SparseRows) plain;
                for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                    entry(sparse.indices()[e], sparse.values()[e]);
                }
            }
            endRow();
        }
    }

    private void entry(int column, float value) {
        if (value != 0) {
            text.append(' ').append(column + 1).append(':');
            add(value);
        }
    }
}
