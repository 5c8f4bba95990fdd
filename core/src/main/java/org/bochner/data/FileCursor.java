package org.bochner.data;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.DataException;
import org.bochner.data.format.LabelDecoder;
import org.bochner.data.format.Part;
import org.bochner.data.format.PartReader;

/** One pass over the files of a source, which are joined row by row. */
final class FileCursor implements RowCursor {
    /** The largest number of values of a dense block: 64 Mi (256 MiB). */
    private static final int MOST_VALUES = 1 << 26;

    private final FileSource source;
    private final List<Part> parts;
    private final List<PartReader> readers = new ArrayList<>();
    private long row;
    private boolean ended;

    FileCursor(FileSource source, List<Part> parts, LabelDecoder decoder) {
        this.source = source;
        this.parts = parts;
        try {
            for (int p = 0; p < parts.size(); p++) {
                readers.add(parts.get(p).open(p == source.labelPart ? decoder : null));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public boolean next(RowBlockBuilder into, int maxRows) {
        int targets = source.labels().targets();
        if (source.sparse()) {
            into.beginSparse(row, source.columns(), targets, source.hasRowWeights());
        } else {
            into.beginDense(row, source.columns(), targets, source.hasRowWeights());
            into.setOrigin(source.origin);
        }
        int most = source.sparse() ? maxRows : Math.min(maxRows, Math.max(1, MOST_VALUES / source.columns()));
        PartReader.Entries entries = into::addEntries;
        while (into.rows() < most && !ended && advance()) {
            decode(into, entries, targets);
            row++;
        }
        return into.rows() > 0;
    }

    /** Returns the line of a row in the file of the given index; 0 if the file has no lines. */
    long line(long wanted, int part) {
        while (row <= wanted) {
            if (!advance()) {
                return 0;
            }
            row++;
        }
        return readers.get(part).line();
    }

    /** Moves all files to their next row; fails if they do not end together. */
    private boolean advance() {
        int behind = -1;
        int ahead = -1;
        for (int p = 0; p < readers.size(); p++) {
            if (readers.get(p).next()) {
                ahead = p;
            } else {
                behind = p;
            }
        }
        if (behind >= 0 && ahead >= 0) {
            throw unequal(parts.get(behind).file(), row, parts.get(ahead).file(), "more");
        }
        ended = behind >= 0;
        if (source.rows() >= 0 && (ended ? row < source.rows() : row >= source.rows())) {
            throw DataException.in(
                    source.name(), "had " + source.rows() + " rows when it was surveyed; it changed while it was read");
        }
        if (ended && row == 0) {
            throw DataException.in(source.name(), "has no rows");
        }
        return !ended;
    }

    /** Returns the failure of joined files that differ in their number of rows. */
    static DataException unequal(String one, long rows, String other, Object otherRows) {
        return DataException.in(
                one, "has " + rows + " rows, but " + other + " has " + otherRows + "; files are joined row by row");
    }

    private void decode(RowBlockBuilder into, PartReader.Entries entries, int targetCount) {
        int column = 0;
        if (source.sparse()) {
            for (int p = 0; p < readers.size(); p++) {
                if (parts.get(p).columns() > 0) {
                    readers.get(p).sparse(entries, column);
                }
                column += parts.get(p).columns();
            }
        } else {
            int start = into.startDenseRow();
            float[] values = into.values();
            for (int p = 0; p < readers.size(); p++) {
                readers.get(p).dense(values, start + column);
                column += parts.get(p).columns();
            }
        }
        into.endRow();
        for (int j = 0; j < targetCount; j++) {
            into.setTarget(j, readers.get(source.labelPart).target(j));
        }
        if (source.hasRowWeights()) {
            into.setRowWeight(readers.get(source.rowWeightPart).rowWeight());
        }
        if (source.groupPart >= 0) {
            into.setGroup(readers.get(source.groupPart).group());
        }
        if (source.setPart >= 0) {
            into.setSet(readers.get(source.setPart).set());
        }
        if (!source.carried.isEmpty()) {
            List<String> texts = new ArrayList<>(source.carried.size());
            for (FileSource.Carried from : source.carried) {
                texts.add(readers.get(from.part()).carried(from.index()));
            }
            into.setCarried(texts);
        }
    }

    @Override
    public double progress() {
        double sum = 0;
        for (PartReader reader : readers) {
            sum += reader.progress();
        }
        return ended ? 1 : sum / readers.size();
    }

    @Override
    public void close() {
        for (PartReader reader : readers) {
            reader.close();
        }
    }
}
