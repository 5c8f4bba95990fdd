package org.bochner.data;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/** Finds out what a CSV file looks like from its first two records: what separates its cells, and its header. */
final class CsvShape {
    private static final int FIRST_LOOK = 1 << 16;
    /** Where two separators are as frequent, the one that is less likely to stand inside a cell. */
    private static final char[] DELIMITERS = {'\t', ';', ','};

    private CsvShape() {}

    /**
     * Looks at the file.
     *
     * @param known names that a header may hold, of which one makes a first line without numbers a header
     * @param all names that make any first line a header if it has all of them; empty for none
     */
    static TableShape of(
            Input input,
            DataOptions.Header header,
            @Nullable Character delimiter,
            Set<String> known,
            List<String> all) {
        int look = FIRST_LOOK;
        while (true) {
            Input.Head head = input.head(look);
            TableShape shape = of(input.name(), head, header, delimiter, known, all);
            if (shape != null) {
                return shape;
            }
            look = 2 * Math.max(look, head.bytes.length);
        }
    }

    private static @Nullable TableShape of(
            String file,
            Input.Head head,
            DataOptions.Header header,
            @Nullable Character delimiter,
            Set<String> known,
            List<String> all) {
        char separator = delimiter == null ? delimiter(head.bytes) : delimiter;
        try (CsvReader reader = new CsvReader(new ByteFeed(file, head.bytes), separator)) {
            if (!reader.next()) {
                throw DataException.in(file, "the file is empty");
            }
            List<String> first = reader.texts();
            boolean firstHasNumber = hasNumber(reader);
            boolean second = reader.next();
            // Of a cut head only the records before the last can be trusted, and that only if a third begins.
            if (!head.complete && (!second || reader.feed.position >= reader.feed.limit)) {
                return null;
            }
            boolean named =
                    switch (header) {
                        case YES -> true;
                        case NO -> false;
                        case AUTO ->
                            (!all.isEmpty() && new HashSet<>(first).containsAll(all))
                                    || (!firstHasNumber
                                            && ((second && hasNumber(reader))
                                                    || first.stream().anyMatch(known::contains)));
                    };
            return new TableShape(file, first.size(), named ? names(file, first) : List.of(), separator);
        } catch (DataException e) {
            if (head.complete) {
                throw e;
            }
            return null;
        }
    }

    private static boolean hasNumber(CsvReader reader) {
        Decimal decimal = new Decimal();
        for (int c = 0; c < reader.count; c++) {
            if (decimal.isNumber(reader.feed.bytes, reader.from[c], reader.to[c])) {
                return true;
            }
        }
        return false;
    }

    private static List<String> names(String file, List<String> cells) {
        List<String> names = new ArrayList<>(cells.size());
        Set<String> seen = new HashSet<>();
        for (int c = 0; c < cells.size(); c++) {
            String name = cells.get(c).isEmpty() ? Integer.toString(c) : cells.get(c);
            if (!seen.add(name)) {
                throw DataException.at(
                        file,
                        1,
                        "'" + name + "'",
                        "the header names two columns so; rename one, or say --header no if line 1 is data");
            }
            names.add(name);
        }
        return names;
    }

    /** The most frequent separator of the first line that is not blank, outside quotes. */
    private static char delimiter(byte[] bytes) {
        int[] counts = new int[DELIMITERS.length];
        boolean quoted = false;
        boolean blank = true;
        for (byte c : bytes) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\n' && !quoted && !blank) {
                break;
            } else if (!quoted) {
                for (int d = 0; d < DELIMITERS.length; d++) {
                    counts[d] += c == DELIMITERS[d] ? 1 : 0;
                }
            }
            blank &= c == ' ' || c == '\r' || c == '\n';
        }
        int best = DELIMITERS.length - 1;
        for (int d = 0; d < DELIMITERS.length; d++) {
            best = counts[d] > counts[best] ? d : best;
        }
        return DELIMITERS[best];
    }
}
