package org.bochner.data;

import java.util.List;

/**
 * Consecutive rows of a source: float32 values, dense or sparse, with their targets and row weights. Each row may be a set
 * of local rows ({@link RowSource#ofSets}); the local rows then have the values.
 *
 * <p>A block is a view on arrays that its {@link RowBlockBuilder} reuses. It is valid until the builder starts the next block,
 * and must not be changed.
 */
public sealed interface RowBlock permits LabelledRows {
    int rows();

    int columns();

    /** Returns the index, from 0, of the first row in its source. */
    long firstRow();

    /** Returns the number of targets per row; 0 if the source has no labels. */
    int targets();

    /** Returns target j of a row: a number, or the index of a class. */
    double target(int row, int j);

    /** Returns the weight of a row; 1 if the source has no row weights. */
    double rowWeight(int row);

    /** Returns true if the rows have row weights. */
    boolean hasRowWeights();

    /** Returns true if the rows have groups, which hold-outs and folds keep together. */
    boolean grouped();

    /**
     * Returns the number that decides the hold-out and the fold of a row: a hash of the row's group; if the rows have no
     * groups, the number of its {@linkplain #set set}. All rows of a group have the same number.
     */
    long group(int row);

    /** Returns the hash of the set id of a row; the index of the row in its source if the rows have no set ids. */
    long set(int row);

    /** Returns true if each row is a set of local rows; see {@link RowSource#ofSets}. */
    boolean ofSets();

    /**
     * Returns the local rows of all sets of this block, one set after the other, if each row
     * is a set; else this block.
     */
    RowBlock localRows();

    /**
     * Returns the index in {@link #localRows} of the first local row of a set. Its last one stands before the first one of
     * the next set; {@code row} may be the number of rows, for the end of the last set.
     */
    int firstLocalRow(int row);

    /** Returns the texts that accompany a row; see {@link DataOptions#withCarried}. Empty if there are none. */
    List<String> carried(int row);

    /** Copies all columns of a row to an array, with the origin added; not for sets, whose {@link #localRows} have values. */
    void copyRow(int row, double[] to);

    /**
     * Returns the same rows with an {@linkplain DenseRows#origin origin} of 0, rounded to float32, as feature maps take
     * them. Most blocks have no origin and are returned unchanged.
     */
    RowBlock plain();

    /** Returns the columns from (inclusive) to (exclusive) of the same rows. Dense blocks share their values. */
    RowBlock columns(int from, int to);
}
