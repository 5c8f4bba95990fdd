package org.bochner.data.format;

import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** One file of a source, whose rows can be read as columns, labels and weights. */
public abstract class Part {
    final Input input;
    private final int columns;
    private final int labels;

    Part(Input input, int columns, int labels) {
        this.input = input;
        this.columns = columns;
        this.labels = labels;
    }

    /** Returns the path that the user gave. */
    public final String file() {
        return input.name();
    }

    /** Returns the number of columns. */
    public final int columns() {
        return columns;
    }

    /** Returns the number of labels per row; 0 for none. */
    public final int labels() {
        return labels;
    }

    /** Returns the number per column that is subtracted before values are rounded to float32. */
    public double[] origin() {
        return new double[columns];
    }

    /** Returns true if rows can be read as their non-zeros. */
    public boolean sparse() {
        return false;
    }

    /** Returns true if rows have row weights. */
    public boolean hasRowWeights() {
        return false;
    }

    /** Returns the name of the column of the row groups; null if there is none. */
    public @Nullable String groupColumn() {
        return null;
    }

    /** Opens the file at its first row. Labels are decoded if a decoder is given. */
    public abstract PartReader open(@Nullable LabelDecoder decoder);
}
