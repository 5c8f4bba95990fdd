package org.bochner.data;

import java.util.List;

/** A block each of whose rows is a set of local rows. */
final class SetRows extends LabelledRows {
    private final LabelledRows members;
    private final int[] firstMembers;

    /**
     * Creates a block.
     *
     * @param members the local rows of all sets, one set after the other, without targets
     * @param firstMembers the index of the first local row of each set, and one more for the end of the last; not copied
     */
    SetRows(long firstRow, int rows, int columns, LabelledRows members, int[] firstMembers, RowLabels labels) {
        super(firstRow, rows, columns, labels);
        this.members = members;
        this.firstMembers = firstMembers;
    }

    @Override
    SetRows withLabels(RowLabels other) {
        return new SetRows(firstRow, rows, columns, members, firstMembers, other);
    }

    @Override
    public LabelledRows members() {
        return members;
    }

    @Override
    public int firstMember(int row) {
        return firstMembers[row];
    }

    /** Returns the labels of the local rows: those of their sets. The index of a set in this block is its id. */
    RowLabels memberLabels() {
        int targets = labels.targetCount();
        int count = firstMembers[rows];
        double[] ofMembers = new double[count * targets];
        double[] weights = new double[count];
        long[] groups = new long[count];
        long[] ids = new long[count];
        for (int s = 0; s < rows; s++) {
            for (int m = firstMembers[s]; m < firstMembers[s + 1]; m++) {
                System.arraycopy(labels.targets(), s * targets, ofMembers, m * targets, targets);
                weights[m] = rowWeight(s);
                groups[m] = group(s);
                ids[m] = s;
            }
        }
        return new RowLabels(targets, ofMembers, hasRowWeights() ? weights : null, groups, ids, List.of());
    }

    @Override
    public void copyRow(int row, double[] to) {
        throw new UnsupportedOperationException("a set has several rows; copy those of members()");
    }

    @Override
    public SetRows plain() {
        return new SetRows(firstRow, rows, columns, (LabelledRows) members.plain(), firstMembers, labels);
    }

    @Override
    public SetRows columns(int from, int to) {
        LabelledRows some = (LabelledRows) members.columns(from, to);
        return new SetRows(firstRow, rows, to - from, some, firstMembers, labels);
    }
}
