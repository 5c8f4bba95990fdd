package org.bochner.data.cell;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the index of a category or class from the bytes of a cell. Repeated spellings create no Strings. */
public final class Categories {
    private final Map<String, Integer> index = new HashMap<>();
    private final TokenTable spellings = new TokenTable();

    public Categories(List<String> names) {
        names.forEach(name -> index.put(name, index.size()));
    }

    /** Returns the index of the category; -1 if the bytes are no category or no UTF-8 text. */
    public int find(byte[] bytes, int from, int to) {
        int known = spellings.find(bytes, from, to);
        if (known != TokenTable.ABSENT) {
            return known;
        }
        if (Cells.malformed(bytes, from, to) >= 0) {
            return -1;
        }
        int category = find(Cells.canonical(Cells.text(bytes, from, to)));
        spellings.add(bytes, from, to, category);
        return category;
    }

    /** Returns the index of a category in its canonical spelling; -1 if it is not known. */
    public int find(String name) {
        return index.getOrDefault(name, -1);
    }
}
