package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
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
import org.jspecify.annotations.Nullable;

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
        done.clear();
        next = 0;
        boolean[] valid = new boolean[block.size()];
        Arrays.fill(valid, true);
        extend(block, valid, 0, block.size());
        read += block.size();
    }

    /**
     * Extends the rows from one index to another (exclusive). Where the scoring of a block fails, the halves of the block are
     * scored by themselves, so that k bad rows cost no more than the scoring of the block k log₂(rows) times.
     */
    private void extend(List<Row> block, boolean[] valid, int from, int to) {
        List<Integer> indices = new ArrayList<>();
        for (int i = from; i < to; i++) {
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
        try {
            if (!indices.isEmpty()) {
                writer.take(builder.build());
            }
        } catch (RowException e) {
            boolean known = e.row() >= 0 || indices.size() == 1;
            if (known) {
                int bad = indices.get((int) Math.max(0, e.row()));
                String place = e.column() < 0 ? "" : "column " + e.column() + " of the features (from 0): ";
                refuse(bad, place + e.reason(), e);
                valid[bad] = false;
            }
            int middle = indices.get(indices.size() / 2);
            if (indices.size() == 1) {
                extend(block, valid, from, to);
            } else {
                extend(block, valid, from, middle);
                extend(block, valid, middle, to);
            }
            return;
        }
        int place = 0;
        for (int i = from; i < to; i++) {
            if (valid[i] || handleInvalid.equals("keep")) {
                done.add(extended(block.get(i), valid[i] ? place : -1));
            }
            place += valid[i] ? 1 : 0;
        }
    }

    /** Throws for a row that cannot be used, unless the stage handles it. */
    private void refuse(int row, String problem, @Nullable RuntimeException cause) {
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
