package org.bochner.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.KernelModel;
import org.bochner.stats.FeaturePass;

/** The rows of a partition with new columns, which are computed in blocks. */
final class TransformedRows implements Iterator<Row> {
    /** About the most values of the rows of a block, and of its features. */
    private static final int BLOCK_VALUES = 1 << 22;

    private static final int BLOCK_FEATURES = 1 << 24;

    private final Iterator<Row> rows;
    private final RowInput.Reader reader;
    private final RowOutput.Writer writer;
    private final String handleInvalid;
    private final int most;
    private final int added;
    private final RowBlockBuilder builder = new RowBlockBuilder();
    private final List<Row> done = new ArrayList<>();
    private int next;
    private long read;

    TransformedRows(Iterator<Row> rows, KernelModel model, RowInput input, RowOutput output, String handleInvalid) {
        this.rows = rows;
        this.handleInvalid = handleInvalid;
        reader = input.reader(model);
        writer = output.writer(model);
        added = output.columns();
        most = Math.max(
                1,
                Math.min(
                        FeaturePass.TILE_ROWS,
                        Math.min(BLOCK_VALUES / model.columns(), BLOCK_FEATURES / output.features(model))));
    }

    @Override
    public boolean hasNext() {
        while (next == done.size() && rows.hasNext()) {
            fill();
        }
        return next < done.size();
    }

    @Override
    public Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return done.get(next++);
    }

    private void fill() {
        List<Row> block = new ArrayList<>();
        while (rows.hasNext() && block.size() < most) {
            block.add(rows.next());
        }
        boolean[] valid = new boolean[block.size()];
        java.util.Arrays.fill(valid, true);
        while (!compute(block, valid)) {
            // A row without finite scores was marked: the others are computed again.
        }
        done.clear();
        next = 0;
        int place = 0;
        for (int i = 0; i < valid.length; i++) {
            if (valid[i] || handleInvalid.equals("keep")) {
                done.add(extended(block.get(i), valid[i] ? place : -1));
            }
            place += valid[i] ? 1 : 0;
        }
        read += block.size();
    }

    /** Computes the new values of the valid rows; returns false if another row proved to be invalid. */
    private boolean compute(List<Row> block, boolean[] valid) {
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < valid.length; i++) {
            if (!valid[i]) {
                continue;
            }
            if (indices.isEmpty()) {
                reader.begin(block.get(i), builder);
            }
            String problem = reader.add(block.get(i), builder);
            if (problem == null) {
                indices.add(i);
            } else {
                refuse(i, problem, null);
                valid[i] = false;
            }
        }
        if (indices.isEmpty()) {
            return true;
        }
        try {
            writer.take(builder.build());
            return true;
        } catch (RowException e) {
            int bad = indices.get((int) Math.max(0, e.row()));
            refuse(bad, (e.column() < 0 ? "" : "column " + e.column() + " of the features (from 0): ") + e.reason(), e);
            valid[bad] = false;
            return false;
        }
    }

    /** Throws for a row that cannot be used, unless the stage handles it. */
    private void refuse(int row, String problem, @org.jspecify.annotations.Nullable RuntimeException cause) {
        if (handleInvalid.equals("error")) {
            throw new BochnerException(
                    FrameSurvey.place(read + row + 1) + problem
                            + "; the param handleInvalid = skip leaves out such rows, and keep predicts null",
                    cause);
        }
    }

    private Row extended(Row row, int place) {
        int width = row.size();
        Object[] values = new Object[width + added];
        for (int c = 0; c < width; c++) {
            values[c] = row.get(c);
        }
        if (place >= 0) {
            writer.write(place, values, width);
        }
        return RowFactory.create(values);
    }
}
