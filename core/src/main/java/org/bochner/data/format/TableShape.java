package org.bochner.data.format;

import java.util.List;
import org.bochner.base.Note;

/**
 * What a table looks like before its rows are read.
 *
 * @param file its name for errors
 * @param cells how many cells a row has
 * @param names the header's names; empty where there is none
 * @param delimiter what separates cells, in text
 * @param notes what was decided about the file that its user should know
 */
public record TableShape(String file, int cells, List<String> names, char delimiter, List<Note> notes) {
    public TableShape {
        names = List.copyOf(names);
        notes = List.copyOf(notes);
    }

    TableShape(String file, int width, List<String> names, char delimiter) {
        this(file, width, names, delimiter, List.of());
    }

    boolean header() {
        return !names.isEmpty();
    }

    /** A cell as users know it, for errors. */
    String name(int cell) {
        return names.isEmpty() ? cell + " (from 0)" : "'" + names.get(cell) + "'";
    }

    /** Returns the name of a cell, or its index, as settings take it. */
    String plainName(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
