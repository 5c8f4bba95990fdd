package org.bochner.data.format;

import java.nio.charset.StandardCharsets;

/** Collects text for a {@link TargetFile}. */
public final class TextRows {
    private static final int FLUSH = 1 << 16;

    private final TargetFile file;
    private final StringBuilder text = new StringBuilder();

    TextRows(TargetFile file) {
        this.file = file;
    }

    TextRows add(char c) {
        text.append(c);
        return this;
    }

    TextRows add(CharSequence more) {
        text.append(more);
        return this;
    }

    TextRows add(int number) {
        text.append(number);
        return this;
    }

    /** Adds the shortest decimal that reads back to the same float; whole numbers have no point. */
    TextRows add(float value) {
        int whole = (int) value;
        if (whole == value && Math.abs(whole) < 10_000_000) {
            text.append(whole);
        } else {
            text.append(value);
        }
        return this;
    }

    /** Adds a decimal that reads back to the same double. */
    TextRows add(double value) {
        long whole = (long) value;
        if (whole == value && Math.abs(whole) < 1_000_000_000_000L) {
            text.append(whole);
        } else {
            text.append(value);
        }
        return this;
    }

    void endRow() {
        text.append('\n');
        if (text.length() > FLUSH) {
            flush();
        }
    }

    void flush() {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        file.write(bytes, bytes.length);
        text.setLength(0);
    }
}
