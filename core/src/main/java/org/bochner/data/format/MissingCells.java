package org.bochner.data.format;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Notes;

/** Notes which columns of the training data have missing cells, how many, and what replaces them. Threads: not safe. */
final class MissingCells {
    /** The most columns with a note of their own; the others share one. */
    static final int MOST_NOTES = 8;

    private final long rows;
    private final List<String> texts = new ArrayList<>();
    private long others;
    private long otherCells;

    /**
     * Creates an empty list of columns.
     *
     * @param rows the number of rows of the file
     */
    MissingCells(long rows) {
        this.rows = rows;
    }

    /**
     * Adds a column.
     *
     * @param shownName the name of the column, as messages show it
     * @param missing the number of its missing cells; a column without any is not noted
     * @param example the text in a missing cell; empty if all are empty
     */
    void add(String shownName, long missing, String example, ColumnEncoding column) {
        if (missing == 0) {
            return;
        }
        if (texts.size() == MOST_NOTES) {
            others++;
            otherCells += missing;
            return;
        }
        List<String> effects = new ArrayList<>();
        if (!column.categorical()) {
            effects.add("the mean of the column replaces them");
        } else if (!column.indicator()) {
            effects.add("the most frequent category"
                    + (column.categories().isEmpty()
                            ? ""
                            : ", '" + column.categories().get((int) column.fill()) + "',")
                    + " replaces them");
        }
        if (column.indicator()) {
            effects.add("column '" + column.columnName(column.valueColumns()) + "' marks them");
        }
        texts.add("column " + shownName + ": " + missing + " of " + rows + " cells "
                + (missing == 1 ? "is missing" : "are missing")
                + (example.isEmpty() ? "" : ", such as '" + example + "'")
                + "; " + String.join(", and ", effects));
    }

    /** Adds the notes. */
    void note(Notes notes) {
        texts.forEach(text -> notes.data(text));
        if (others > 0) {
            notes.data(others + " more " + (others == 1 ? "column has " : "columns have ") + otherCells
                    + " missing cells, which are treated in the same way");
        }
    }
}
