package org.bochner.data.cell;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the index or the hashed column of a category or class from the bytes of a cell. Repeated spellings create no Strings. */
public final class Categories {
    private final Map<String, Integer> index = new HashMap<>();
    private final TokenTable spellings = new TokenTable();
    /** The number of hashed columns; 0 if the categories are known. */
    private final int buckets;

    public Categories(List<String> names) {
        this(names, 0);
    }

    private Categories(List<String> names, int buckets) {
        names.forEach(name -> index.put(name, index.size()));
        this.buckets = buckets;
    }

    /** Returns an index in which a hash gives every category a number below {@code buckets}. */
    public static Categories hashed(int buckets) {
        return new Categories(List.of(), buckets);
    }

    /** Returns the hashed number of a category in its canonical spelling. It must not change: saved models depend on it. */
    public static int bucket(String name, int buckets) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        long hash = Cells.hash(bytes, 0, bytes.length);
        // The low bits of FNV-1a depend on the low bits of the bytes alone.
        hash = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
        return (int) ((hash >>> 32) % buckets);
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
        boolean none = buckets > 0 && Cells.missing(bytes, from, to);
        int category = none ? -1 : find(Cells.canonical(Cells.text(bytes, from, to)));
        spellings.add(bytes, from, to, category);
        return category;
    }

    /** Returns the index of a category in its canonical spelling; -1 if it is not known. */
    public int find(String name) {
        return buckets > 0 ? bucket(name, buckets) : index.getOrDefault(name, -1);
    }
}
