package org.bochner.data;

import org.bochner.base.DataException;

/** Reads the rows of an NPY or IDX file. */
final class MatrixReader implements AutoCloseable {
    final ByteFeed feed;
    final MatrixHeader header;
    /** The number, from 1, of the row read last, and its values. */
    long row;

    /** Allocated with the first row, so that a header alone cannot ask for memory. */
    double[] values = new double[0];

    MatrixReader(ByteFeed feed, DataFormat format) {
        this.feed = feed;
        this.header = format == DataFormat.NPY ? NpyHeader.read(feed) : IdxHeader.read(feed);
        feed.position = header.bytes();
    }

    /** Reads the next row; false after the last. */
    boolean next() {
        if (row == header.rows()) {
            if (feed.has(1, row)) {
                throw DataException.in(feed.name(), "goes on after the " + row + " rows that its header announces");
            }
            return false;
        }
        int bytes = header.columns() * header.type().size;
        if (!feed.has(bytes, row + 1)) {
            throw DataException.in(
                    feed.name(),
                    "is cut off in row " + (row + 1) + " of the " + header.rows() + " that its header announces");
        }
        if (values.length != header.columns()) {
            values = new double[header.columns()];
        }
        header.type().decode(feed.bytes, feed.position, header.bigEndian(), values);
        feed.position += bytes;
        row++;
        return true;
    }

    @Override
    public void close() {
        feed.close();
    }
}
