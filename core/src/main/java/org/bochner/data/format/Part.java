package org.bochner.data.format;

import org.jspecify.annotations.Nullable;

/** One file of a source, with all decided about how its rows become columns, labels and weights. */
public interface Part {
    /** The file as the user named it. */
    String file();

    /** How many columns it gives. */
    int columns();

    /** What is subtracted from each column before it is rounded to float32: one number per column. */
    double[] origin();

    boolean sparse();

    /** How many labels each row has; 0 for none. */
    int labels();

    boolean hasRowWeights();

    /** The name of the column that says which group a row is in; null where there is none. */
    @Nullable
    String groupColumn();

    /** Starts reading; labels are decoded where a decoder is given. */
    PartReader open(@Nullable LabelDecoder decoder);
}
