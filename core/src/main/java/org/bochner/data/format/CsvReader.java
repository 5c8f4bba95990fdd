package org.bochner.data.format;

import java.util.Arrays;
import org.bochner.base.DataException;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;

/**
 * Splits CSV text into records and cells (RFC 4180): quotes may enclose delimiters, doubled quotes and line ends; lines
 * end in LF or CRLF, or all of them in CR; blanks around a cell do not belong to it. If blanks are the delimiter, several
 * in a row count as one. Blank lines are skipped, except in a table of one column, where a blank line before a row is an
 * empty cell.
 */
public final class CsvReader extends TextReader {
    private static final int LONG_CELL = 1 << 16;

    /**
     * The number of cells of the current record; cell c is {@code feed.bytes[from[c]]} to {@code feed.bytes[to[c]]}
     * (exclusive).
     */
    public int count;

    int[] from = new int[32];
    int[] to = new int[32];

    private final byte delimiter;
    private boolean[] escaped = new boolean[32];
    private boolean anyEscaped;
    private boolean quoted;
    private boolean open;
    private long linesRead;
    private long scanned;
    private int linesInRecord;
    /**
     * The start of the cell that was split last, the number of cells before it, and the number of line ends in those
     * cells.
     */
    private int resume;

    private int resumeCount;
    private int linesBeforeCell;

    private boolean oneColumn;
    /** The number of records still to return: blank lines, and the row that was read after them. */
    private long held;

    private int heldFrom;
    private int heldTo;

    public CsvReader(ByteFeed feed, char delimiter) {
        super(feed);
        this.delimiter = (byte) delimiter;
    }

    /** Returns the character between cells in words or quotes, for messages. */
    String separator() {
        return delimiter == '\t' ? "tab" : delimiter == ' ' ? "blank" : "'" + (char) delimiter + "'";
    }

    /** Makes blank lines before a row records with one empty cell; for a table of one column. */
    void keepBlankLines() {
        oneColumn = true;
    }

    @Override
    public boolean next() {
        if (held == 0) {
            long before = linesRead;
            if (!nextRow()) {
                return false;
            }
            if (!oneColumn || count > 1 || line == before + 1) {
                return true;
            }
            held = line - before;
            heldFrom = from[0];
            heldTo = to[0];
            line = before;
        }
        line++;
        held--;
        from[0] = heldFrom;
        to[0] = held == 0 ? heldTo : heldFrom;
        return true;
    }

    private boolean nextRow() {
        while (feed.position < feed.limit || feed.more(linesRead + 1)) {
            line = linesRead + 1;
            begin();
            int end = split(feed.position);
            scanned += end - feed.position;
            while (end == feed.limit) {
                if (!widen()) {
                    end = feed.limit;
                    break;
                }
                scanned += feed.limit - resume;
                end = split(resume);
            }
            if (open) {
                throw problem("a quoted cell is not closed before the end of the file");
            }
            feed.position = Math.min(end + 1, feed.limit);
            linesRead = line + linesInRecord;
            if (count > 1 || to[0] > from[0] || quoted) {
                if (anyEscaped) {
                    unescape();
                }
                return true;
            }
        }
        return false;
    }

    private void begin() {
        count = 0;
        linesInRecord = 0;
        linesBeforeCell = 0;
        anyEscaped = false;
        quoted = false;
        open = false;
    }

    /**
     * Reads more of a record that the end of the window cut off, and goes back to the start of its last cell; returns
     * false at the end of the file. Earlier cells are not split again; otherwise a record would be scanned once for
     * every piece in which a pipe delivers it. A long cell is scanned again, but only after the window has doubled.
     */
    private boolean widen() {
        int cell = feed.limit - resume;
        int before = feed.position;
        boolean more = feed.more(line);
        // The window moves to the record even at the end of the file.
        int moved = before - feed.position;
        resume -= moved;
        for (int c = 0; moved > 0 && c < count; c++) {
            from[c] -= moved;
            to[c] -= moved;
        }
        if (!more) {
            return false;
        }
        while (cell > LONG_CELL && feed.limit - resume < 2 * cell && feed.more(line)) {}
        count = resumeCount;
        linesInRecord = linesBeforeCell;
        open = false;
        return true;
    }

    /** Returns the number of bytes that were scanned so far; a byte that was scanned twice counts twice. */
    public long scanned() {
        return scanned;
    }

    /**
     * Splits the record from the start of a cell on; returns the index of its line end, or the limit if it is not in
     * the window.
     */
    private int split(int start) {
        byte[] bytes = feed.bytes;
        int limit = feed.limit;
        int i = start;
        while (true) {
            resume = i;
            resumeCount = count;
            linesBeforeCell = linesInRecord;
            if (count == from.length) {
                from = Arrays.copyOf(from, 2 * count);
                to = Arrays.copyOf(to, 2 * count);
                escaped = Arrays.copyOf(escaped, 2 * count);
            }
            while (bytes[i] == ' ') {
                i++;
            }
            if (delimiter == ' ' && count > 0 && (bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] == '\n'))) {
                // Blanks before the line end do not start another cell.
                return bytes[i] == '\n' ? i : i + 1;
            }
            if (bytes[i] == '"') {
                i = quotedCell(bytes, i + 1, limit);
            } else {
                int cell = i;
                byte c;
                while ((c = bytes[i]) != delimiter && c != '\n') {
                    i++;
                }
                int end = i;
                while (end > cell && (bytes[end - 1] == ' ' || bytes[end - 1] == '\r')) {
                    end--;
                }
                from[count] = cell;
                to[count] = end;
                escaped[count] = false;
            }
            count++;
            if (i >= limit) {
                return limit;
            }
            if (bytes[i] == '\n') {
                return i;
            }
            i++;
        }
    }

    private int quotedCell(byte[] bytes, int start, int limit) {
        quoted = true;
        boolean doubled = false;
        int i = start;
        while (true) {
            while (bytes[i] != '"' && bytes[i] != '\n') {
                i++;
            }
            if (i >= limit) {
                return unclosed(limit);
            }
            if (bytes[i] == '\n') {
                linesInRecord++;
                i++;
            } else if (bytes[i + 1] == '"' && i + 1 < limit) {
                doubled = true;
                i += 2;
            } else {
                break;
            }
        }
        from[count] = start;
        to[count] = i;
        escaped[count] = doubled;
        anyEscaped |= doubled;
        i++;
        while ((bytes[i] == ' ' && delimiter != ' ') || bytes[i] == '\r') {
            i++;
        }
        if (bytes[i] != delimiter && bytes[i] != '\n') {
            String problem = "text follows the closing quote; write a quote inside a quoted cell twice";
            throw DataException.at(feed.name(), line + linesInRecord, Integer.toString(count), problem);
        }
        return i;
    }

    private int unclosed(int limit) {
        open = true;
        from[count] = limit;
        to[count] = limit;
        return limit;
    }

    /** Replaces doubled quotes by single ones, in place: the bytes of this record are not read again. */
    private void unescape() {
        byte[] bytes = feed.bytes;
        for (int c = 0; c < count; c++) {
            if (escaped[c]) {
                int kept = from[c];
                for (int i = from[c]; i < to[c]; i++) {
                    bytes[kept++] = bytes[i];
                    if (bytes[i] == '"') {
                        i++;
                    }
                }
                to[c] = kept;
            }
        }
    }

    public String text(int cell) {
        return Cells.text(feed.bytes, from[cell], to[cell]);
    }

    /** Returns a cell with its place; the column is named as messages show it. */
    Cell cell(int index, String column) {
        return new Cell(feed, from[index], to[index], line, column);
    }

    String shown(int cell) {
        return Cells.shown(feed.bytes, from[cell], to[cell]);
    }
}
