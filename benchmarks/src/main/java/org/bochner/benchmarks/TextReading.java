package org.bochner.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.SparseRows;

/** Times passes over a CSV file with one column of texts, on one thread: reading, counting words, and sparse rows. */
public final class TextReading {
    private static final int BLOCK_ROWS = 1024;

    private TextReading() {}

    /** Takes the file, the name of the column and the number of passes; prints the words and the median time. */
    public static void main(String[] args) {
        FileSource source =
                FileSource.open(DataOptions.of(args[0]).withLabel("none").withText(List.of(args[1])));
        int rounds = Integer.parseInt(args[2]);
        double[] seconds = new double[rounds];
        double words = 0;
        // The first pass warms up the compiler.
        for (int round = -1; round < rounds; round++) {
            long start = System.nanoTime();
            words = words(source);
            if (round >= 0) {
                seconds[round] = (System.nanoTime() - start) / 1e9;
            }
        }
        Arrays.sort(seconds);
        System.out.printf(Locale.ROOT, "%.0f %.4f%n", words, seconds[rounds / 2]);
    }

    private static double words(FileSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        double words = 0;
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                SparseRows rows = (SparseRows) builder.build();
                for (int e = 0; e < rows.entries(); e++) {
                    words += rows.values()[e];
                }
            }
        }
        return words;
    }
}
