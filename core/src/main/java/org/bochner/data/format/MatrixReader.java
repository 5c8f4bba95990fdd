package org.bochner.data.format;

import java.security.MessageDigest;
import java.util.Arrays;
import org.bochner.base.DataException;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** Reads the rows of an NPY or IDX file. */
public final class MatrixReader implements AutoCloseable {
    /** The bytes of the rows, in C order. */
    final ByteFeed feed;
    /** The bytes as they lie on disk; the same feed unless the file is in Fortran order. */
    final ByteFeed disk;

    final MatrixHeader header;
    /** The number, from 1, of the row read last, and its values. */
    long row;

    /** Allocated with the first row, so that a header alone cannot ask for memory. */
    double[] values = new double[0];
    /** The text that {@link #text} decoded last, in UTF-8 and with a line end behind it, and its length. */
    byte[] word = new byte[64];

    int wordLength;
    /** Where the row read last starts, for text, which is decoded on demand. */
    private int start;

    MatrixReader(Input input, DataFormat format, @Nullable MessageDigest digest) {
        this.disk = input.open(digest);
        try {
            this.header = header(disk, format);
            disk.position = header.bytes();
            this.feed = header.fortran() ? FortranRows.open(input, disk, header) : disk;
        } catch (RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    static MatrixHeader header(ByteFeed feed, DataFormat format) {
        return format == DataFormat.NPY ? NpyHeader.read(feed) : IdxHeader.read(feed);
    }

    /** Reads the next row; false after the last. */
    boolean next() {
        if (row == header.rows()) {
            if (feed.has(1, row)) {
                throw DataException.in(feed.name(), "goes on after the " + row + " rows that its header announces");
            }
            return false;
        }
        int bytes = header.rowBytes();
        if (!feed.has(bytes, row + 1)) {
            throw DataException.in(
                    feed.name(),
                    "is cut off in row " + (row + 1) + " of the " + header.rows() + " that its header announces");
        }
        start = feed.position;
        if (!header.type().text()) {
            if (values.length != header.columns()) {
                values = new double[header.columns()];
            }
            header.type().decode(feed.bytes, start, header.bigEndian(), values);
        }
        feed.position += bytes;
        row++;
        return true;
    }

    /** The text that {@link #text} decoded last, as a feed of its own. */
    ByteFeed word() {
        return new ByteFeed(feed.name(), Arrays.copyOf(word, wordLength));
    }

    /** Decodes the text of a cell; zeros at its end are padding. */
    void text(int cell) {
        int from = start + cell * header.elementBytes();
        int to = from + header.elementBytes();
        wordLength = 0;
        if (word.length <= header.elementBytes()) {
            word = new byte[header.elementBytes() + 1];
        }
        if (header.type() == ElementType.BYTES) {
            while (to > from && feed.bytes[to - 1] == 0) {
                to--;
            }
            wordLength = to - from;
            System.arraycopy(feed.bytes, from, word, 0, wordLength);
        } else {
            while (to > from && ElementType.character(feed.bytes, to - 4, header.bigEndian()) == 0) {
                to -= 4;
            }
            for (int at = from; at < to; at += 4) {
                character(ElementType.character(feed.bytes, at, header.bigEndian()));
            }
        }
        word[wordLength] = '\n';
    }

    /** Adds a character in UTF-8, which takes at most the 4 bytes that it has in the file. */
    private void character(int code) {
        if (code < 0 || code > Character.MAX_CODE_POINT || (code >= 0xd800 && code <= 0xdfff)) {
            throw DataException.in(
                    feed.name(), "row " + row + ": the text holds the number " + code + ", which is no character");
        }
        if (code < 0x80) {
            word[wordLength++] = (byte) code;
            return;
        }
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        word[wordLength++] = (byte) ((0xff00 >> (more + 1)) | (code >> (6 * more)));
        for (int i = more - 1; i >= 0; i--) {
            word[wordLength++] = (byte) (0x80 | ((code >> (6 * i)) & 0x3f));
        }
    }

    @Override
    public void close() {
        try {
            feed.close();
        } finally {
            disk.close();
        }
    }
}
