package org.bochner.data.format;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowWriter;

/** The base of writers of text: collects the text of rows and writes it to a {@link TargetFile}. */
abstract class TextWriter implements RowWriter {
    private static final int FLUSH = 1 << 16;

    final int columns;
    final Labels labels;
    private final List<String> classNames;
    private final TargetFile file;
    final StringBuilder text = new StringBuilder();

    /**
     * Creates a writer.
     *
     * @param className returns the text of a class
     */
    TextWriter(int columns, Labels labels, UnaryOperator<String> className, TargetFile file) {
        this.columns = columns;
        this.labels = labels;
        this.classNames = labels instanceof Labels.Classes classes
                ? classes.names().stream().map(className).toList()
                : List.of();
        this.file = file;
    }

    /** Adds label j of a row; adds the text {@code unknown} if the row has no label of a known class. */
    final void addLabel(RowBlock block, int row, int j, String unknown) {
        double target = block.targets() == 0 ? Double.NaN : block.target(row, j);
        if (Double.isNaN(target)) {
            text.append(unknown);
        } else if (labels instanceof Labels.Classes) {
            text.append(classNames.get((int) target));
        } else {
            add(target);
        }
    }

    /** Adds the shortest decimal that reads back to the same float; whole numbers have no point. */
    final void add(float value) {
        int whole = (int) value;
        if (whole == value && Math.abs(whole) < 10_000_000) {
            text.append(whole);
        } else {
            text.append(value);
        }
    }

    /** Adds a decimal that reads back to the same double. */
    final void add(double value) {
        long whole = (long) value;
        if (whole == value && Math.abs(whole) < 1_000_000_000_000L) {
            text.append(whole);
        } else {
            text.append(value);
        }
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
