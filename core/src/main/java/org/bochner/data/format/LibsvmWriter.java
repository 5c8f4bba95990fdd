package org.bochner.data.format;

import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowWriter;
import org.bochner.data.SparseRows;

/** Writes LIBSVM text. */
public final class LibsvmWriter implements RowWriter {
    private final Labels labels;
    private final int columns;
    private final TargetFile file;
    private final TextRows text;

    LibsvmWriter(Labels labels, int columns, TargetFile file) {
        this.labels = labels;
        this.columns = columns;
        this.file = file;
        this.text = new TextRows(file);
    }

    @Override
    public void write(RowBlock block) {
        Require.sameSize("LIBSVM writer", "number of columns", block.columns(), columns);
        for (int i = 0; i < block.rows(); i++) {
            label(block, i);
            if (block.plain() instanceof DenseRows dense) {
                int start = dense.offset() + i * dense.stride();
                for (int j = 0; j < columns; j++) {
                    entry(j, dense.values()[start + j]);
                }
            } else {
                SparseRows sparse = (SparseRows) block;
                for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                    entry(sparse.indices()[e], sparse.values()[e]);
                }
            }
            text.endRow();
        }
    }

    private void label(RowBlock block, int row) {
        double target = block.targets() == 0 ? Double.NaN : block.target(row, 0);
        if (Double.isNaN(target)) {
            text.add('0');
        } else if (labels instanceof Labels.Classes classes) {
            text.add(classes.names().get((int) target));
        } else {
            text.add(target);
        }
    }

    private void entry(int column, float value) {
        if (value != 0) {
            text.add(' ').add(column + 1).add(':').add(value);
        }
    }

    @Override
    public void finish() {
        text.flush();
        file.finish(new byte[0]);
    }

    @Override
    public void close() {
        file.close();
    }
}
