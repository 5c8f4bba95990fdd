package org.bochner.data.format;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.bochner.base.DataException;
import org.bochner.base.text.Digits;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** Reads the rows of an NPY or IDX file. */
public final class MatrixReader implements AutoCloseable {
    /** The bytes of the rows, in C order. */
    final ByteFeed feed;
    /** The bytes in the order of the file; the same feed unless the file is in Fortran order. */
    final ByteFeed disk;

    final MatrixHeader header;
    /** The number, from 1, of the current row, and its values. */
    long row;

    /** Allocated with the first row, so that a header without rows takes no memory. */
    double[] values = new double[0];
    /** The start of the current row, for text, which is decoded on demand. */
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

    /** Reads the next row; returns false after the last. */
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

    /**
     * Returns 64 bits that differ for different numbers, except by chance: those of the float64 or, for an integer that
     * float64 may round, a bijection of the integer.
     */
    long hash(int cell) {
        if (rounded(cell)) {
            // The mixing keeps the integers apart from the bits of other numbers, whose exponents they may look like.
            long mixed = bits(cell) * 0x9e3779b97f4a7c15L;
            return (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
        }
        // Adding 0 turns -0 into 0.
        return Double.doubleToLongBits(values[cell] + 0.0);
    }

    /** Returns the number in a cell, with all digits if it is an integer that float64 may round. */
    String shown(int cell) {
        if (!rounded(cell)) {
            return Digits.shortest(values[cell]);
        }
        return header.type() == ElementType.UINT64 ? Long.toUnsignedString(bits(cell)) : Long.toString(bits(cell));
    }

    private boolean rounded(int cell) {
        return header.type().longs() && Math.abs(values[cell]) >= 0x1p53;
    }

    private long bits(int cell) {
        return ElementType.bits(feed.bytes, start + cell * header.elementBytes(), header.bigEndian());
    }

    /** Returns the text of a cell in UTF-8; zeros at its end are padding. */
    ByteFeed text(int cell) {
        int from = start + cell * header.elementBytes();
        int to = from + header.elementBytes();
        if (header.type() == ElementType.BYTES) {
            while (to > from && feed.bytes[to - 1] == 0) {
                to--;
            }
            return new ByteFeed(feed.name(), Arrays.copyOfRange(feed.bytes, from, to));
        }
        while (to > from && ElementType.character(feed.bytes, to - 4, header.bigEndian()) == 0) {
            to -= 4;
        }
        StringBuilder text = new StringBuilder();
        for (int at = from; at < to; at += 4) {
            int code = ElementType.character(feed.bytes, at, header.bigEndian());
            if (!Character.isValidCodePoint(code) || (code >= 0xd800 && code <= 0xdfff)) {
                throw DataException.in(
                        feed.name(), "row " + row + ": the text holds the number " + code + ", which is no character");
            }
            text.appendCodePoint(code);
        }
        return new ByteFeed(feed.name(), text.toString().getBytes(StandardCharsets.UTF_8));
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
