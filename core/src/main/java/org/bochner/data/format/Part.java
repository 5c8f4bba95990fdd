package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** One file of a source, whose rows can be read as columns, labels and weights. */
public sealed interface Part permits CsvPart, LibsvmPart, MatrixPart {
    Input input();

    PartEncoding encoding();

    /** Returns the roles of the cells of a table; null for a LIBSVM file. */
    default @Nullable TableLayout layout() {
        return null;
    }

    /** Returns the same part, whose category means are those of the targets that are known now. */
    default Part withTargets(Labels labels) {
        return this;
    }

    /** Returns the path that the user gave. */
    default String file() {
        return input().name();
    }

    /** Returns the number of columns. */
    default int columns() {
        return encoding().totalColumns();
    }

    /** Returns the number of labels per row; 0 for none. */
    default int labels() {
        return layout() == null ? 0 : layout().labels();
    }

    /** Returns the number per column that is subtracted before values are rounded to float32. */
    default double[] origin() {
        return layout() == null ? new double[columns()] : encoding().origin();
    }

    /** Returns true if the file itself is sparse. Rows of other files are read as sparse rows if they are joined with texts. */
    default boolean sparse() {
        return layout() == null;
    }

    /** Returns true if rows have row weights. */
    default boolean hasRowWeights() {
        return layout() != null && layout().rowWeight() >= 0;
    }

    /** Returns the name of the column of the row groups; null if there is none. */
    default @Nullable String groupColumn() {
        return layout() == null ? null : layout().groupName();
    }

    /** Returns the name of the column of the set ids; null if there is none. */
    default @Nullable String setColumn() {
        return layout() == null ? null : layout().setName();
    }

    /** Returns notes on cells that training did not foresee, counted in the last whole pass. */
    default List<Note> notes() {
        return List.of();
    }

    /** Opens the file at its first row. Labels are decoded if a decoder is given. */
    PartReader open(@Nullable LabelDecoder decoder);
}
