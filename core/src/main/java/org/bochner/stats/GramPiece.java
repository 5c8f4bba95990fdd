package org.bochner.stats;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.bochner.base.binary.Numbers;

/**
 * Some rows of the scatter of a {@link GramAccumulator}, and the weight and means of the features that merging needs.
 * The first piece has all moments too. Merging the pieces of two accumulators gives the bits of {@link GramAccumulator#combine}.
 *
 * <p>Memory: the upper triangle of some rows, at most {@value #MOST_ENTRIES} numbers, or those of one row. Threads: not safe.
 */
public final class GramPiece {
    /** The most entries of a piece: 64 MiB. */
    private static final int MOST_ENTRIES = 1 << 23;

    final Moments moments;
    private final int firstRow;
    /** Row after row of the upper triangle, each from its diagonal entry on. */
    private final double[] entries;

    GramPiece(Moments moments, int firstRow, double[] entries) {
        this.moments = moments;
        this.firstRow = firstRow;
        this.entries = entries;
    }

    /** Returns the number of pieces of a matrix of D features. */
    public static int count(int features) {
        int count = 0;
        for (int row = 0; row < features; row = end(row, features)) {
            count++;
        }
        return count;
    }

    /** Returns the first row of a piece. */
    static int firstRow(int piece, int features) {
        int row = 0;
        for (int p = 0; p < piece; p++) {
            row = end(row, features);
        }
        return row;
    }

    /** Returns the row after the last one of the piece that starts at a row. */
    static int end(int firstRow, int features) {
        long entries = 0;
        int row = firstRow;
        while (row < features && (row == firstRow || entries + features - row <= MOST_ENTRIES)) {
            entries += features - row;
            row++;
        }
        return row;
    }

    int firstRow() {
        return firstRow;
    }

    double[] entries() {
        return entries;
    }

    /** Adds the same piece of later rows and returns this piece. */
    public GramPiece merge(GramPiece later) {
        int features = moments.features;
        double[] delta = new double[features];
        double factor = moments.merge(later.moments, delta);
        int at = 0;
        for (int i = firstRow; at < entries.length; i++) {
            double left = factor * delta[i];
            for (int j = i; j < features; j++, at++) {
                entries[at] += later.entries[at] + left * delta[j];
            }
        }
        return this;
    }

    public void write(DataOutput to) throws IOException {
        moments.write(to);
        to.writeInt(firstRow);
        Numbers.write(entries, to);
    }

    public static GramPiece read(DataInput from) throws IOException {
        return new GramPiece(Moments.read(from), from.readInt(), Numbers.readDoubles(from));
    }
}
