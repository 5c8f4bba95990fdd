package org.bochner.data;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.data.format.RowWriters;

/**
 * Writes rows to a LIBSVM, CSV or NPY file. The extension of the file gives the format; {@code .gz} after it
 * compresses.
 *
 * <p>The file is written under a temporary name beside the target and renamed by {@link #finish}. Closing without
 * {@code finish}, for example after a failure, removes it and leaves an older file of the name as it was:
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
 * <p>LIBSVM counts indices from 1 and leaves out zeros; its label is the class, the number, or 0 if there is none. CSV
 * has a header, with the labels last. NPY holds the float32 values only. Values read back to the same float32.
 *
 * <p>Threads: not safe.
 */
public interface RowWriter extends AutoCloseable {
    /**
     * Opens the file; fails if it cannot be written.
     *
     * @param columnNames one name per column of the rows
     * @throws DataException if the extension is not known or the file cannot be written
     */
    static RowWriter open(String path, List<String> columnNames, Labels labels) {
        return RowWriters.open(path, columnNames, labels);
    }

    /**
     * Checks, before long work, that a file can be written; leaves nothing behind.
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

    /** Closes the file; removes it unless {@link #finish} was called. */
    @Override
    void close();
}
