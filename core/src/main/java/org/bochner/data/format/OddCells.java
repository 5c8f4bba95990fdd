package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.base.Notes;

/**
 * Counts the cells of a file that training did not foresee: unknown categories, and missing values in columns that had none.
 * Readers publish their counts at the end of a pass.
 *
 * <p>Threads: safe.
 */
final class OddCells {
    private volatile List<Note> notes = List.of();

    /** Returns the notes of the last whole pass. */
    List<Note> notes() {
        return notes;
    }

    /** The counts of one pass, for the cells of a row. Threads: not safe. */
    final class Pass {
        private final CellNames names;
        private final long[] unseen;
        private final String[] firstUnseen;
        private final long[] filled;
        /** True for the cells whose unknown categories are encoded as the mean of all rows. */
        private final boolean[] averaged;

        Pass(int cells, CellNames names) {
            this.names = names;
            unseen = new long[cells];
            firstUnseen = new String[cells];
            filled = new long[cells];
            averaged = new boolean[cells];
        }

        /** Counts a category that training did not have. */
        void unseen(int cell, String shown) {
            if (unseen[cell]++ == 0) {
                firstUnseen[cell] = shown;
            }
        }

        /** Counts a category that training did not have, which is encoded as the mean of all rows. */
        void averaged(int cell, String shown) {
            averaged[cell] = true;
            unseen(cell, shown);
        }

        /** Counts a missing value in a column without an indicator. */
        void filled(int cell) {
            filled[cell]++;
        }

        /** Ends the pass. */
        void end() {
            Notes all = new Notes();
            for (int c = 0; c < unseen.length; c++) {
                if (unseen[c] > 0) {
                    all.data("column " + names.name(c) + ": " + unseen[c]
                            + (unseen[c] == 1 ? " cell has a category" : " cells have categories")
                            + " that training did not have, such as '" + firstUnseen[c] + "'; encoded as "
                            + (averaged[c] ? "the mean of all rows" : "zeros"));
                }
                if (filled[c] > 0) {
                    all.data("column " + names.name(c) + ": " + filled[c] + " missing "
                            + (filled[c] == 1
                                    ? "value was filled in. It is not marked: "
                                    : "values were filled in. They are not marked: ")
                            + "the training data had no missing values in this column");
                }
            }
            notes = all.list();
        }
    }

    /** Returns the names of cells, as messages show them. */
    interface CellNames {
        String name(int cell);
    }
}
