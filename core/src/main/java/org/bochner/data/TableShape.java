package org.bochner.data;

import java.util.List;

/**
 * What a table looks like before its rows are read.
 *
 * @param file its name for errors
 * @param width how many cells a row has
 * @param names the header's names; empty where there is none
 * @param delimiter what separates cells, in text
 */
record TableShape(String file, int width, List<String> names, char delimiter) {
    TableShape {
        names = List.copyOf(names);
    }

    boolean header() {
        return !names.isEmpty();
    }

    /** A cell as users know it, for errors. */
    String name(int cell) {
        return names.isEmpty() ? cell + " (from 0)" : "'" + names.get(cell) + "'";
    }
}
