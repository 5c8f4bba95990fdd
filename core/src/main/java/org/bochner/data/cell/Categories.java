package org.bochner.data.cell;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the index of a category from the bytes of a cell. Known spellings are found without creating a String. */
public final class Categories {
    private final Map<String, Integer> index = new HashMap<>();
    private final TokenTable spellings = new TokenTable();
    private int[] meaning = new int[16];

    public Categories(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            index.put(names.get(i), i);
        }
    }

    /** Returns the index of the category; -1 if the bytes are no category or no UTF-8 text. */
    public int find(byte[] bytes, int from, int to) {
        int spelling = spellings.find(bytes, from, to);
        if (spelling >= 0) {
            return meaning[spelling];
        }
        if (Cells.malformed(bytes, from, to) >= 0) {
            return -1;
        }
        int category = index.getOrDefault(Cells.canonical(Cells.text(bytes, from, to)), -1);
        if (category >= 0 && spellings.size() < 4 * Dictionary.LARGEST) {
            int added = spellings.add(bytes, from, to);
            if (added == meaning.length) {
                meaning = Arrays.copyOf(meaning, 2 * added);
            }
            meaning[added] = category;
        }
        return category;
    }
}
