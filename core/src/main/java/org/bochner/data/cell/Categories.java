package org.bochner.data.cell;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the number of a category from the bytes of a cell; spellings met before are found without making a String. */
public final class Categories {
    private final Map<String, Integer> index = new HashMap<>();
    private final TokenTable spellings = new TokenTable();
    private int[] meaning = new int[16];

    public Categories(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            index.put(names.get(i), i);
        }
    }

    /** The number of the category; -1 where the bytes are none, or are not UTF-8 text. */
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
