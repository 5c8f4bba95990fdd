package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * Collects rows into a {@link RowBlock}. The arrays are reused from block to block, so a long stream allocates nothing.
 *
 * <p>A source starts a block with {@link #beginDense} or {@link #beginSparse}, then adds rows one by one:
 *
 * <pre>{@code
 * builder.beginSparse(firstRow, columns, targets, hasRowWeights);
 * builder.addEntry(3, 0.5f);
 * builder.endRow();
 * builder.setTarget(0, 1.0);     // of the row just ended
 * }</pre>
 *
 * <p>Threads: not safe; each block in flight has its own builder.
 */
public final class RowBlockBuilder {
    private boolean sparse;
    private long firstRow;
    private int columns;
    private int rows;
    private int targetCount;
    private boolean hasRowWeights;
    private float[] values = new float[0];
    private int[] starts = {0};
    private int[] indices = new int[0];
    private int entries;
    private double[] targets = new double[0];
    private double[] weights = new double[0];
    private boolean grouped;
    private long[] groups = new long[0];
    private boolean inSets;
    private long[] sets = new long[0];
    /** The local rows of the sets of the block; null if its rows are not sets. */
    private @Nullable RowBlockBuilder localRows;

    /** The builder of local rows, kept for the next block of sets. */
    private @Nullable RowBlockBuilder spare;

    private int[] firstLocalRows = {0};
    // Not reused: the receiver of a block may keep its texts.
    private List<List<String>> carried = List.of();
    private double @Nullable [] origin;

    /** Starts a dense block without rows. Earlier blocks of this builder are no longer valid. */
    public void beginDense(long firstRow, int columns, int targets, boolean hasRowWeights) {
        begin(false, firstRow, columns, targets, hasRowWeights);
    }

    /** Starts a sparse block without rows. Earlier blocks of this builder are no longer valid. */
    public void beginSparse(long firstRow, int columns, int targets, boolean hasRowWeights) {
        begin(true, firstRow, columns, targets, hasRowWeights);
    }

    /** Starts a block without rows for copies of the rows of another block, numbered from 0. */
    public void beginLike(RowBlock rows, boolean hasRowWeights) {
        beginLike(rows, 0, hasRowWeights);
    }

    /** Starts a block without rows for copies of the rows of another block, numbered from {@code firstRow}. */
    public void beginLike(RowBlock rows, long firstRow, boolean hasRowWeights) {
        if (rows instanceof SetRows setRows) {
            boolean sparseRows = setRows.localRows() instanceof SparseRows;
            beginSets(firstRow, rows.columns(), rows.targets(), hasRowWeights, sparseRows);
        } else {
            begin(rows instanceof SparseRows, firstRow, rows.columns(), rows.targets(), hasRowWeights);
        }
    }

    /**
     * Starts a block without sets. {@link #addLocalRow} adds local rows to the set being built, and {@link #endRow} ends it.
     *
     * @param sparseLocalRows true if the local rows are sparse
     */
    void beginSets(long first, int width, int targets, boolean weighted, boolean sparseLocalRows) {
        begin(false, first, width, targets, weighted);
        RowBlockBuilder own = spare == null ? new RowBlockBuilder() : spare;
        own.begin(sparseLocalRows, 0, width, 0, false);
        localRows = own;
        spare = own;
    }

    /** Adds a local row to the set being built. */
    void addLocalRow(RowBlock from, int row) {
        RowBlockBuilder own = Objects.requireNonNull(localRows);
        own.addValues(from, row);
        own.endRow();
    }

    /** Returns the number of local rows of the sets collected so far; 0 if the rows are not sets. */
    public int localRowCount() {
        return localRows == null ? 0 : localRows.rows;
    }

    void begin(boolean sparse, long firstRow, int columns, int targets, boolean hasRowWeights) {
        this.sparse = sparse;
        this.firstRow = firstRow;
        this.columns = columns;
        this.targetCount = targets;
        this.hasRowWeights = hasRowWeights;
        grouped = false;
        inSets = false;
        localRows = null;
        carried = List.of();
        rows = 0;
        entries = 0;
        origin = null;
    }

    /**
     * Sets the origin of the dense block just begun, one number per column; null, the default, for an origin of 0. The array
     * is shared.
     */
    public void setOrigin(double @Nullable [] origin) {
        this.origin = origin;
    }

    /**
     * Adds a dense row of zeros and returns the index of its first value in {@link #values}. Call {@link #endRow} when it is
     * filled.
     */
    public int startDenseRow() {
        long needed = (rows + 1L) * columns;
        Require.that(needed <= Integer.MAX_VALUE - 8, "RowBlockBuilder", "a block may hold 2^31 values at most");
        if (needed > values.length) {
            values = Arrays.copyOf(values, grown(values.length, (int) needed));
        }
        Arrays.fill(values, rows * columns, (int) needed, 0f);
        return rows * columns;
    }

    /** Returns the array of the values. Starting another row may replace it. */
    public float[] values() {
        return values;
    }

    /** Adds a non-zero value to the sparse row being built. Columns must ascend; this is not checked. */
    public void addEntry(int column, float value) {
        reserve(entries + 1);
        indices[entries] = column;
        values[entries++] = value;
    }

    /** Adds non-zero values to the sparse row being built, with shifted columns, which must ascend. */
    void addEntries(int[] columns, float[] entryValues, int count, int shift) {
        int needed = Math.addExact(entries, count);
        reserve(needed);
        System.arraycopy(entryValues, 0, values, entries, count);
        for (int e = 0; e < count; e++) {
            indices[entries + e] = columns[e] + shift;
        }
        entries = needed;
    }

    private void reserve(int needed) {
        if (needed > indices.length || needed > values.length) {
            int capacity = grown(indices.length, needed);
            indices = Arrays.copyOf(indices, capacity);
            values = Arrays.copyOf(values, capacity);
        }
    }

    /**
     * Adds a row of another block, with its targets, weight and group. Both blocks must be dense or
     * both sparse, with the same number of columns.
     */
    public void addRow(RowBlock from, int row) {
        if (localRows == null) {
            addValues(from, row);
        } else {
            for (int m = from.firstLocalRow(row); m < from.firstLocalRow(row + 1); m++) {
                addLocalRow(from.localRows(), m);
            }
        }
        endRow();
        for (int j = 0; j < targetCount; j++) {
            setTarget(j, from.target(row, j));
        }
        if (hasRowWeights) {
            setRowWeight(from.rowWeight(row));
        }
        LabelledRows labelled = (LabelledRows) from;
        if (labelled.labels.groups() != null) {
            setGroup(from.group(row));
        }
        if (labelled.labels.sets() != null) {
            setSet(from.set(row));
        }
        if (!from.carried(row).isEmpty()) {
            setCarried(from.carried(row));
        }
    }

    /** Adds the values of a row of another block. */
    private void addValues(RowBlock from, int row) {
        if (from instanceof DenseRows dense) {
            int start = startDenseRow();
            if (rows == 0) {
                origin = dense.origin();
            }
            Require.that(Arrays.equals(origin, dense.origin()), "RowBlockBuilder", "rows of one block have one origin");
            System.arraycopy(dense.values(), dense.offset() + row * dense.stride(), values, start, columns);
        } else {
            SparseRows sparseRows = (SparseRows) from;
            for (int e = sparseRows.starts()[row]; e < sparseRows.starts()[row + 1]; e++) {
                addEntry(sparseRows.indices()[e], sparseRows.values()[e]);
            }
        }
    }

    /** Drops the targets of all rows. */
    void dropTargets() {
        targetCount = 0;
    }

    /** Ends a row. Its targets are 0 and its row weight is 1 until they are set. */
    public void endRow() {
        rows++;
        if (localRows != null) {
            if (rows >= firstLocalRows.length) {
                firstLocalRows = Arrays.copyOf(firstLocalRows, grown(firstLocalRows.length, rows + 1));
            }
            firstLocalRows[rows] = localRows.rows;
            Require.that(
                    firstLocalRows[rows] > firstLocalRows[rows - 1],
                    "set " + (firstRow + rows) + " is empty; a set has at least one row");
        }
        if (sparse) {
            if (rows >= starts.length) {
                starts = Arrays.copyOf(starts, grown(starts.length, rows + 1));
            }
            starts[rows] = entries;
        }
        if (targetCount > 0) {
            if (rows * targetCount > targets.length) {
                targets = Arrays.copyOf(targets, grown(targets.length, rows * targetCount));
            }
            Arrays.fill(targets, (rows - 1) * targetCount, rows * targetCount, 0);
        }
        if (hasRowWeights) {
            if (rows > weights.length) {
                weights = Arrays.copyOf(weights, grown(weights.length, rows));
            }
            weights[rows - 1] = 1;
        }
    }

    /** Sets target number j of the row that was ended last. */
    public void setTarget(int j, double value) {
        targets[(rows - 1) * targetCount + j] = value;
    }

    /** Sets the weight of the row that was ended last. */
    public void setRowWeight(double value) {
        weights[rows - 1] = value;
    }

    /**
     * Sets the group of the row that was ended last. A block has groups for all of its rows or for none: call this for
     * every row from the first one on, or never.
     */
    public void setGroup(long group) {
        Require.that(rows == 1 || grouped, "RowBlockBuilder", "the rows before this one have no group");
        grouped = true;
        if (rows > groups.length) {
            groups = Arrays.copyOf(groups, grown(groups.length, rows));
        }
        groups[rows - 1] = group;
    }

    /**
     * Sets the hash of the set id of the row that was ended last, for sources with {@link RowSource#inSets}. Call this for
     * every row from the first one on, or never.
     */
    public void setSet(long set) {
        Require.that(rows == 1 || inSets, "RowBlockBuilder", "the rows before this one have no set");
        inSets = true;
        if (rows > sets.length) {
            sets = Arrays.copyOf(sets, grown(sets.length, rows));
        }
        sets[rows - 1] = set;
    }

    /** Sets the texts carried beside the row that was ended last; call it for every row from the first one on, or never. */
    public void setCarried(List<String> texts) {
        if (rows == 1) {
            carried = new ArrayList<>();
        }
        Require.that(carried.size() == rows - 1, "RowBlockBuilder", "the rows before this one carry no texts");
        carried.add(List.copyOf(texts));
    }

    public int rows() {
        return rows;
    }

    /** Removes the entries of sparse rows whose value is 0. */
    void dropZeros() {
        int kept = 0;
        for (int i = 0, e = 0; sparse && i < rows; i++) {
            for (; e < starts[i + 1]; e++) {
                if (values[e] != 0) {
                    indices[kept] = indices[e];
                    values[kept++] = values[e];
                }
            }
            starts[i + 1] = kept;
        }
        entries = sparse ? kept : entries;
    }

    /** Returns the rows collected so far, as a view on the arrays of this builder. */
    public RowBlock build() {
        RowLabels labels = new RowLabels(
                targetCount,
                targets,
                hasRowWeights ? weights : null,
                grouped ? groups : null,
                inSets ? sets : null,
                carried);
        if (localRows != null) {
            return new SetRows(firstRow, rows, columns, (LabelledRows) localRows.build(), firstLocalRows, labels);
        }
        return sparse
                ? new SparseRows(firstRow, rows, columns, starts, indices, values, labels)
                : new DenseRows(firstRow, rows, columns, values, 0, columns, labels, origin);
    }

    private static int grown(int capacity, int needed) {
        return Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8, capacity + (capacity >> 1) + 64L));
    }
}
