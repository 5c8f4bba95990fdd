package org.bochner.spark;

import java.util.List;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.sql.Row;
import org.bochner.data.Encoding;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/** Columns with the widths and categories of the training. */
record CellInput(List<FrameCell> cells) implements RowInput {
    private static final long serialVersionUID = 1L;

    CellInput {
        cells = List.copyOf(cells);
    }

    @Override
    public Reader reader(KernelModel model) {
        double[] ofFiles = model.encoding().map(Encoding::origin).orElse(null);
        double[] origin = ofFiles == null ? model.scaler().origin() : ofFiles;
        return new Reader() {
            private FrameLayout layout = layout(false);

            private FrameLayout layout(boolean sparse) {
                return new FrameLayout("rows", cells, FrameLabel.NONE, -1, sparse, sparse ? null : origin);
            }

            @Override
            public void begin(Row first, RowBlockBuilder block) {
                layout = layout(origin == null && sparse(first));
                layout.begin(block, 0);
            }

            @Override
            public @Nullable String add(Row row, RowBlockBuilder block) {
                for (FrameCell cell : cells) {
                    String problem = cell.problem(row);
                    if (problem != null) {
                        return "column '" + cell.name() + "' " + problem;
                    }
                }
                layout.add(row, block);
                return null;
            }
        };
    }

    /** Returns true if sparse blocks take less memory for rows as the given one. */
    private boolean sparse(Row row) {
        long columns = cells.stream().mapToLong(FrameCell::width).sum();
        long sparse = 0;
        for (FrameCell cell : cells) {
            if (cell.kind() == FrameCell.Kind.VECTOR
                    && row.get(cell.index()) instanceof SparseVector vector
                    && 3L * vector.numActives() < cell.width()) {
                sparse += cell.width();
            }
        }
        return 2 * sparse > columns;
    }
}
