package org.bochner.data.cell;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.bytes.ByteFeed;

/**
 * A cell of a text file, with its place for messages. The bytes are those of the feed, from (inclusive) to (exclusive).
 *
 * @param line the line of the cell, from 1
 * @param column the name of the column as messages show it
 */
public record Cell(ByteFeed feed, int from, int to, long line, String column) {
    /** Returns the text, shortened for messages. */
    public String shown() {
        return Cells.shown(feed.bytes, from, to);
    }

    /** Returns the text, which must be UTF-8. */
    public String text() {
        requireText();
        return Cells.text(feed.bytes, from, to);
    }

    /** Fails if the bytes are not UTF-8: two different texts could become equal. */
    public void requireText() {
        int bad = Cells.malformed(feed.bytes, from, to);
        if (bad >= 0) {
            throw problem(
                    String.format(
                            "'%s' is not UTF-8 text: byte 0x%02X at offset %d",
                            shown(), feed.bytes[bad] & 0xff, feed.offset(bad)),
                    Remedy.set(Setting.CHARSET, "names another encoding, such as ISO-8859-1 or windows-1252"));
        }
    }

    public boolean missing() {
        return Cells.missing(feed.bytes, from, to);
    }

    public boolean infinite() {
        return Cells.infinite(feed.bytes, from, to);
    }

    /** Returns a failure of the cell. */
    public DataException problem(String problem, Remedy... remedies) {
        return DataException.at(feed.name(), line, column, problem, remedies);
    }
}
