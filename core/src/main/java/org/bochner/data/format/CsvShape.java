package org.bochner.data.format;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** Finds the delimiter and the header of a CSV file from its first records. */
public final class CsvShape {
    /** The number of bytes that are read first; a few hundred rows of most files. */
    private static final int FIRST_LOOK = 1 << 18;

    private CsvShape() {}

    /** Returns the shape of a file; reads longer and longer heads of it until one holds two records. */
    static TableShape of(Input input, DataSettings options, CsvHeader header) {
        int look = FIRST_LOOK;
        while (true) {
            Input.Head head = input.head(look);
            TableShape shape = of(input.name(), head, options, header);
            if (shape != null) {
                return shape;
            }
            // Each attempt starts again, so steps are long. Beyond the longest record, reading fails with a reason.
            int seen = Math.max(look, head.bytes().length);
            look = seen < ByteFeed.LONGEST_RECORD ? Math.min(4 * seen, ByteFeed.LONGEST_RECORD) : 2 * seen;
        }
    }

    /**
     * Returns the shape of a file of which only the first bytes are at hand, for readers of other systems.
     *
     * @param complete true if the bytes are the whole file
     * @param header whether the first line names the columns; null to detect it
     * @param delimiter null to detect it
     * @param known names that columns have; a first line that holds one of them is a header
     * @return null if the bytes do not hold two records
     */
    public static @Nullable TableShape ofHead(
            String file,
            byte[] head,
            boolean complete,
            @Nullable Boolean header,
            @Nullable Character delimiter,
            Set<String> known) {
        DataSettings options = new DataSettings();
        options.header = header;
        options.delimiter = delimiter;
        return of(file, new Input.Head(head, complete), options, CsvHeader.training(known));
    }

    private static @Nullable TableShape of(String file, Input.Head head, DataSettings options, CsvHeader header) {
        Character given = options.delimiter;
        char separator;
        CsvHeader.Verdict verdict;
        try {
            separator = given == null
                    ? CsvDelimiter.find(file, head, options.decimal, header.mayBeBlankSeparated())
                    : given;
            try (CsvReader reader = new CsvReader(new ByteFeed(file, head.bytes()), separator)) {
                verdict = header.decide(reader, options.header, head.complete());
            }
        } catch (DataException e) {
            if (head.complete()) {
                throw e;
            }
            // The cause may be the end of the head.
            return null;
        }
        if (verdict == null) {
            return null;
        }
        if (verdict.refusal() != null) {
            throw verdict.refusal();
        }
        List<String> names = verdict.header() ? names(file, verdict.cells()) : List.of();
        return new TableShape(file, verdict.columns(), names, separator, verdict.notes());
    }

    private static List<String> names(String file, List<String> cells) {
        List<String> names = new ArrayList<>(cells.size());
        Set<String> seen = new HashSet<>();
        for (int c = 0; c < cells.size(); c++) {
            String name = cells.get(c).isEmpty() ? Integer.toString(c) : cells.get(c);
            if (!seen.add(name)) {
                Remedy noHeader = Remedy.set(Setting.HEADER, false, "if line 1 is data");
                String twice = "the header has this name twice; rename one of the columns";
                throw DataException.at(file, 1, "'" + name + "'", twice, noHeader);
            }
            names.add(name);
        }
        return names;
    }
}
