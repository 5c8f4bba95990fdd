package org.bochner.data.format;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;

/**
 * The shape of a table, found before its rows are read.
 *
 * @param file the name of the file, for messages
 * @param cells the number of cells per row
 * @param names the names in the header; empty if there is none
 * @param delimiter the delimiter of cells, in text
 * @param notes notes for the user on choices that were made
 */
public record TableShape(String file, int cells, List<String> names, char delimiter, List<Note> notes) {
    public TableShape {
        names = List.copyOf(names);
        notes = List.copyOf(notes);
    }

    TableShape(String file, int cells, List<String> names, char delimiter) {
        this(file, cells, names, delimiter, List.of());
    }

    /** Returns a failure of the whole file. */
    DataException problem(String problem, Remedy... remedies) {
        return DataException.in(file, problem, remedies);
    }

    boolean header() {
        return !names.isEmpty();
    }

    /** Returns the name of a cell for messages. */
    String name(int cell) {
        return names.isEmpty() ? cell + " (from 0)" : "'" + names.get(cell) + "'";
    }

    /** Returns the name of a cell, or its index, as settings take it. */
    String plainName(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
