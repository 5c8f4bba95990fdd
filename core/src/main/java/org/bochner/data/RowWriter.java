package org.bochner.data;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.data.format.RowWriters;

/**
 * Writes rows to a file: LIBSVM, CSV or NPY, as its extension says; with {@code .gz} after it, compressed.
 *
 * <p>The file is written under a temporary name beside the target, and takes its name in {@link #finish}. Closing without
 * that, as a failure does, leaves nothing behind and an older file of the name untouched:
 *
 * <pre>{@code
 * try (RowWriter writer = RowWriter.open("features.npy", columnNames, labels)) {
 *     while (cursor.next(builder, 1024)) {
 *         writer.write(builder.build());
 *     }
 *     writer.finish();
 * }
 * }</pre>
 *
 * <p>LIBSVM counts indices from 1 and leaves out zeros; its label is the class, the number, or 0 where there is none. CSV
 * has a header, with the labels last. NPY holds the float32 values only. Values read back to the same float32.
 *
 * <p>Threads: not safe.
 */
public interface RowWriter extends AutoCloseable {
    /**
     * Opens the file, which finds out whether it can be written.
     *
     * @param columnNames the names of the columns, whose number is the width of the rows
     * @throws DataException if the extension is not known or the file cannot be written
     */
    static RowWriter open(String path, List<String> columnNames, Labels labels) {
        return RowWriters.open(path, columnNames, labels);
    }

    /**
     * Finds out whether a file could be written, and leaves nothing behind: to be asked before long work.
     *
     * @throws DataException if the extension is not known or the file cannot be written
     */
    static void check(String path) {
        RowWriters.check(path);
    }

    /** Appends the rows of a block. */
    void write(RowBlock block);

    /** Completes the file and gives it its name. */
    void finish();

    /** Closes; discards all that was written unless {@link #finish} was called. */
    @Override
    void close();
}
