package org.bochner.data.format;

import java.nio.charset.StandardCharsets;
import org.bochner.data.Labels;
import org.bochner.data.RowWriter;

/** The base of writers of text: collects the text of rows and writes it to a {@link TargetFile}. */
abstract class TextWriter implements RowWriter {
    private static final int FLUSH = 1 << 16;

    final int columns;
    final Labels labels;
    private final TargetFile file;
    private final StringBuilder text = new StringBuilder();

    TextWriter(int columns, Labels labels, TargetFile file) {
        this.columns = columns;
        this.labels = labels;
        this.file = file;
    }

    final TextWriter add(char c) {
        text.append(c);
        return this;
    }

    final TextWriter add(CharSequence more) {
        text.append(more);
        return this;
    }

    final TextWriter add(int number) {
        text.append(number);
        return this;
    }

    /** Adds the shortest decimal that reads back to the same float; whole numbers have no point. */
    final TextWriter add(float value) {
        int whole = (int) value;
        if (whole == value && Math.abs(whole) < 10_000_000) {
            text.append(whole);
        } else {
            text.append(value);
        }
        return this;
    }

    /** Adds a decimal that reads back to the same double. */
    final TextWriter add(double value) {
        long whole = (long) value;
        if (whole == value && Math.abs(whole) < 1_000_000_000_000L) {
            text.append(whole);
        } else {
            text.append(value);
        }
        return this;
    }

    final void endRow() {
        text.append('\n');
        if (text.length() > FLUSH) {
            flush();
        }
    }

    private void flush() {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        file.write(bytes, bytes.length);
        text.setLength(0);
    }

    @Override
    public final void finish() {
        flush();
        file.finish(new byte[0]);
    }

    @Override
    public final void close() {
        file.close();
    }
}
