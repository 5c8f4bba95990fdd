package org.bochner.data.cell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the distinct names in a column. All spellings of a number are one name. */
public final class Dictionary {
    /** The largest number of names of a column; more are a mistake, such as identifiers or numbers read as text. */
    public static final int LARGEST = 100_000;

    private final TokenTable spellings = new TokenTable();
    private final Map<String, Integer> index = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long[] counts = new long[16];

    /** Counts a name if this spelling is known; returns false, without counting, if it is new. */
    public boolean count(byte[] bytes, int from, int to) {
        int name = spellings.find(bytes, from, to);
        if (name >= 0) {
            counts[name]++;
        }
        return name >= 0;
    }

    /** Counts the name in a cell; returns false, without counting, if the bytes are not UTF-8 text. */
    public boolean add(byte[] bytes, int from, int to) {
        if (count(bytes, from, to)) {
            return true;
        }
        if (Cells.malformed(bytes, from, to) >= 0) {
            return false;
        }
        // A column may spell numbers in ever new ways. Spellings that are not cached are looked up more slowly.
        spellings.add(bytes, from, to, add(Cells.canonical(Cells.text(bytes, from, to))));
        return true;
    }

    /** Counts a name in its canonical spelling; returns its index. */
    public int add(String name) {
        Integer known = index.get(name);
        int number = known == null ? names.size() : known;
        if (known == null) {
            index.put(name, number);
            names.add(name);
            if (number == counts.length) {
                counts = Arrays.copyOf(counts, 2 * number);
            }
        }
        counts[number]++;
        return number;
    }

    public int size() {
        return names.size();
    }

    public boolean contains(String name) {
        return index.containsKey(name);
    }

    /** Returns the names in their stable order: numbers ascending, then text. */
    public List<String> sorted() {
        List<String> sorted = new ArrayList<>(names);
        sorted.sort(Cells.ORDER);
        return sorted;
    }

    /** Returns the share of the counted cells whose name occurs once. */
    public double shareOfSingles() {
        long total = 0;
        long singles = 0;
        for (int i = 0; i < names.size(); i++) {
            total += counts[i];
            singles += counts[i] == 1 ? 1 : 0;
        }
        return total == 0 ? 1 : (double) singles / total;
    }

    public long count(String name) {
        Integer number = index.get(name);
        return number == null ? 0 : counts[number];
    }
}
