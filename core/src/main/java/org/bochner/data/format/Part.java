package org.bochner.data.format;

import org.jspecify.annotations.Nullable;

/** One file of a source, whose rows can be read as columns, labels and weights. */
public interface Part {
    /** Returns the path that the user gave. */
    String file();

    /** Returns the number of columns. */
    int columns();

    /** Returns the number per column that is subtracted before values are rounded to float32. */
    double[] origin();

    boolean sparse();

    /** Returns the number of labels per row; 0 for none. */
    int labels();

    boolean hasRowWeights();

    /** Returns the name of the column of the row groups; null if there is none. */
    @Nullable
    String groupColumn();

    /** Opens the file at its first row. Labels are decoded if a decoder is given. */
    PartReader open(@Nullable LabelDecoder decoder);
}
