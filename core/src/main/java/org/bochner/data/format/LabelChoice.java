package org.bochner.data.format;

import java.util.Arrays;
import java.util.List;

/** The label columns that the options ask for. */
public sealed interface LabelChoice {
    /** A choice that names no columns. */
    enum Word implements LabelChoice {
        /** The usual place of the label in a file of its format, or the place in the training data. */
        AUTO,
        /** No labels are read. */
        NONE
    }

    /**
     * Columns that hold the labels.
     *
     * @param spelling the name of a column, or names and indices separated by commas
     */
    record Columns(String spelling) implements LabelChoice {
        /** Returns the names and indices. */
        public List<String> parts() {
            return Arrays.stream(spelling.split(",", -1)).map(String::strip).toList();
        }
    }

    /** Returns the choice that the options spell. */
    static LabelChoice of(DataSettings options) {
        return switch (options.label) {
            case "auto" -> Word.AUTO;
            case "none" -> Word.NONE;
            default -> new Columns(options.label);
        };
    }
}
