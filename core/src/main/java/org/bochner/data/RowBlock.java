package org.bochner.data;

import java.util.List;

/**
 * Some consecutive rows of a source: float32 values, dense or sparse, with their targets and weights.
 *
 * <p>A block is a view on arrays that its {@link RowBlockBuilder} reuses: it is valid until the builder is cleared, and
 * whoever receives it must not change it.
 */
public sealed interface RowBlock permits LabelledRows {
    int rows();

    int columns();

    /** Index, from 0, of the first row in its source. */
    long firstRow();

    /** How many numbers a row's target has; 0 where the source has no labels. */
    int targets();

    /** Target number j of a row: a value, or the index of a class. */
    double target(int row, int j);

    /** The weight of a row; 1 where the source has none. */
    double rowWeight(int row);

    /** Whether the rows carry weights of their own. */
    boolean hasRowWeights();

    /** Whether the rows carry groups, which splits and folds must keep together. */
    boolean grouped();

    /**
     * Returns the number that splits and folds are decided by: a hash of the row's group where the rows carry groups,
     * else the index of the row in its source. Rows of one group have the same number.
     */
    long group(int row);

    /** Returns the texts of the columns that are carried along beside a row; empty where the source carries none. */
    List<String> carried(int row);

    /** Copies a row, in full width, to an array: the numbers themselves, whatever they are kept relative to. */
    void copyRow(int row, double[] to);

    /**
     * The same rows with the numbers themselves for values, rounded to float32: what feature maps take. Most blocks are
     * that already and are returned; others are kept relative to an {@linkplain DenseRows#origin origin} until they are
     * scaled.
     */
    RowBlock plain();

    /** The columns from (inclusive) to (exclusive) of the same rows. Dense blocks share their values. */
    RowBlock columns(int from, int to);
}
