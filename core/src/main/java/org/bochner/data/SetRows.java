package org.bochner.data;

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
