package org.bochner.data;

import java.util.List;

/** A block each of whose rows is a set of local rows. */
final class SetRows extends LabelledRows {
    private final LabelledRows localRows;
    private final int[] firstLocalRows;

    /**
     * Creates a block.
     *
     * @param localRows the local rows of all sets, one set after the other, without targets
     * @param firstLocalRows the index of the first local row of each set, and one more for the end of the last; not copied
     */
    SetRows(long firstRow, int rows, int columns, LabelledRows localRows, int[] firstLocalRows, RowLabels labels) {
        super(firstRow, rows, columns, labels);
        this.localRows = localRows;
        this.firstLocalRows = firstLocalRows;
    }

    @Override
    SetRows withLabels(RowLabels other) {
        return new SetRows(firstRow, rows, columns, localRows, firstLocalRows, other);
    }

    @Override
    public boolean ofSets() {
        return true;
    }

    @Override
    public LabelledRows localRows() {
        return localRows;
    }

    @Override
    public int firstLocalRow(int row) {
        return firstLocalRows[row];
    }

    /** Returns the labels of the local rows: those of their sets. The index of a set in this block is its id. */
    RowLabels localLabels() {
        int targets = labels.targetCount();
        int count = firstLocalRows[rows];
        double[] targetsOfRows = new double[count * targets];
        double[] weights = new double[count];
        long[] groups = new long[count];
        long[] ids = new long[count];
        for (int s = 0; s < rows; s++) {
            for (int m = firstLocalRows[s]; m < firstLocalRows[s + 1]; m++) {
                System.arraycopy(labels.targets(), s * targets, targetsOfRows, m * targets, targets);
                weights[m] = rowWeight(s);
                groups[m] = group(s);
                ids[m] = s;
            }
        }
        return new RowLabels(targets, targetsOfRows, hasRowWeights() ? weights : null, groups, ids, List.of());
    }

    @Override
    public void copyRow(int row, double[] to) {
        throw new UnsupportedOperationException("a set has several rows; copy those of localRows()");
    }

    @Override
    public SetRows plain() {
        return new SetRows(firstRow, rows, columns, (LabelledRows) localRows.plain(), firstLocalRows, labels);
    }

    @Override
    public SetRows columns(int from, int to) {
        LabelledRows some = (LabelledRows) localRows.columns(from, to);
        return new SetRows(firstRow, rows, to - from, some, firstLocalRows, labels);
    }
}
