package org.bochner.data;

import java.util.List;

/** The base of all kinds of blocks: their size, targets, row weights, groups, set ids and carried texts. */
abstract sealed class LabelledRows implements RowBlock permits DenseRows, SparseRows, SetRows {
    final long firstRow;
    final int rows;
    final int columns;
    final RowLabels labels;

    LabelledRows(long firstRow, int rows, int columns, RowLabels labels) {
        this.firstRow = firstRow;
        this.rows = rows;
        this.columns = columns;
        this.labels = labels;
    }

    /** Returns the same rows with other labels. */
    abstract LabelledRows withLabels(RowLabels other);

    @Override
    public final int rows() {
        return rows;
    }

    @Override
    public final int columns() {
        return columns;
    }

    @Override
    public final long firstRow() {
        return firstRow;
    }

    @Override
    public final int targets() {
        return labels.targetCount();
    }

    @Override
    public final double target(int row, int j) {
        return labels.targets()[row * labels.targetCount() + j];
    }

    @Override
    public final double rowWeight(int row) {
        return labels.weights() == null ? 1 : labels.weights()[row];
    }

    @Override
    public final boolean hasRowWeights() {
        return labels.weights() != null;
    }

    @Override
    public final boolean grouped() {
        return labels.groups() != null || labels.sets() != null;
    }

    @Override
    public final long group(int row) {
        return labels.groups() == null ? set(row) : labels.groups()[row];
    }

    @Override
    public final long set(int row) {
        return labels.sets() == null ? firstRow + row : labels.sets()[row];
    }

    @Override
    public boolean ofSets() {
        return false;
    }

    @Override
    public RowBlock localRows() {
        return this;
    }

    @Override
    public int firstLocalRow(int row) {
        return row;
    }

    @Override
    public final List<String> carried(int row) {
        return labels.carried().isEmpty() ? List.of() : labels.carried().get(row);
    }
}
