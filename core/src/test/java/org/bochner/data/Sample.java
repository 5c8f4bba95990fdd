package org.bochner.data;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.bochner.data.bytes.Input;

/** What tests of sources share: files from text, and all rows of a source as arrays. */
final class Sample {
    final List<double[]> rows = new ArrayList<>();
    final List<double[]> targets = new ArrayList<>();
    final List<Double> weights = new ArrayList<>();

    private Sample() {}

    static String file(Path folder, String name, String text) {
        return file(folder, name, text.getBytes(StandardCharsets.UTF_8));
    }

    static String file(Path folder, String name, byte[] bytes) {
        try {
            return Files.write(folder.resolve(name), bytes).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns bytes in memory that are read like a file. */
    static Input input(String name, byte[] bytes) {
        return Input.packed(name, name, () -> new ByteArrayInputStream(bytes));
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** Reads a source to its end in blocks of the given size. */
    static Sample of(RowSource source, int blockRows) {
        Sample sample = new Sample();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, blockRows)) {
                sample.add(builder.build());
            }
        }
        return sample;
    }

    static Sample of(RowSource source) {
        return of(source, 3);
    }

    private void add(RowBlock block) {
        if (block.firstRow() != rows.size()) {
            throw new AssertionError("block starts at row " + block.firstRow() + ", not " + rows.size());
        }
        for (int i = 0; i < block.rows(); i++) {
            double[] row = new double[block.columns()];
            block.copyRow(i, row);
            rows.add(row);
            double[] target = new double[block.targets()];
            for (int j = 0; j < target.length; j++) {
                target[j] = block.target(i, j);
            }
            targets.add(target);
            weights.add(block.rowWeight(i));
        }
    }

    /** The rows, one line each, as text that is easy to compare. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append(print(rows.get(i))).append(" -> ").append(print(targets.get(i)));
            text.append(i + 1 < rows.size() ? "\n" : "");
        }
        return text.toString();
    }

    private static String print(double[] values) {
        return String.join(
                " ",
                Arrays.stream(values)
                        .mapToObj(value -> value == Math.rint(value) ? Long.toString((long) value) : value + "")
                        .toList());
    }
}
