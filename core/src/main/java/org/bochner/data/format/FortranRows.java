package org.bochner.data.format;

import java.io.EOFException;
import java.io.IOException;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.ByteStream;
import org.bochner.data.bytes.Input;
import org.bochner.data.bytes.RandomBytes;

/**
 * A stream in C order (row by row) of the elements of an array in Fortran order (column by column). It gathers a window
 * of rows at a time, with one read per column, so memory does not depend on the number of rows.
 */
public final class FortranRows extends ByteStream {
    private static final int WINDOW = 1 << 24;

    private final RandomBytes bytes;
    private final MatrixHeader header;
    private final int elementBytes;
    private final int rowBytes;
    private final int windowRows;
    private final byte[] window;
    private final byte[] column;
    /** The first row after the window. */
    private long row;

    private int position;
    private int limit;

    /**
     * Opens an array for reading row by row.
     *
     * @param disk a feed of the file, positioned after the header
     */
    static ByteFeed open(Input input, ByteFeed disk, MatrixHeader header) {
        try {
            RandomBytes bytes = input.random(disk);
            long present = bytes.size() - header.bytes();
            long needed = header.rows() * header.rowBytes();
            if (header.rows() > present / header.rowBytes()) {
                bytes.close();
                throw input.problem("is cut off: it has " + present + " bytes of values, too few for the "
                        + header.rows() + " rows that its header announces");
            }
            if (present > needed) {
                bytes.close();
                throw input.problem("goes on after the " + header.rows() + " rows that its header announces");
            }
            return input.reordered(new FortranRows(bytes, header), needed);
        } catch (IOException e) {
            throw Input.unreadable(input.name(), e);
        }
    }

    /**
     * Creates a stream that starts at the first row.
     *
     * @param bytes all elements that the header announces; {@link #close} closes them
     */
    private FortranRows(RandomBytes bytes, MatrixHeader header) {
        this.bytes = bytes;
        this.header = header;
        this.elementBytes = header.elementBytes();
        this.rowBytes = header.rowBytes();
        this.windowRows = (int) Math.max(1, Math.min(header.rows(), WINDOW / rowBytes));
        this.window = new byte[windowRows * rowBytes];
        this.column = new byte[windowRows * elementBytes];
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (position == limit && !gather()) {
            return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(window, position, to, offset, count);
        position += count;
        return count;
    }

    private boolean gather() throws IOException {
        int rows = (int) Math.min(windowRows, header.rows() - row);
        if (rows == 0) {
            return false;
        }
        for (int c = 0; c < header.columns(); c++) {
            long start = header.bytes() + (header.place(c) * header.rows() + row) * elementBytes;
            fill(start, rows * elementBytes);
            for (int r = 0; r < rows; r++) {
                System.arraycopy(column, r * elementBytes, window, r * rowBytes + c * elementBytes, elementBytes);
            }
        }
        row += rows;
        position = 0;
        limit = rows * rowBytes;
        return true;
    }

    private void fill(long start, int count) throws IOException {
        int done = 0;
        while (done < count) {
            int got = bytes.read(column, done, count - done, start + done);
            if (got < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
            done += got;
        }
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
