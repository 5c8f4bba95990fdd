package org.bochner.data.format;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.data.bytes.ByteFeed;

/** The base of readers of text, row by row. */
public abstract class TextReader implements AutoCloseable {
    final ByteFeed feed;
    /** The line, counted from 1, on which the current row starts. */
    public long line;

    TextReader(ByteFeed feed) {
        this.feed = feed;
        feed.startText();
    }

    /** Reads the next row; returns false at the end of the file. */
    public abstract boolean next();

    /** Returns a failure of the current row. */
    final DataException problem(String problem, Remedy... remedies) {
        return DataException.at(feed.name(), line, problem, remedies);
    }

    /** Returns a failure in a column of the current row. */
    final DataException problem(String column, String problem, Remedy... remedies) {
        return DataException.at(feed.name(), line, column, problem, remedies);
    }

    @Override
    public final void close() {
        feed.close();
    }
}
