package org.bochner.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;

/**
 * Small data that no linear function learns: points of the unit square, evenly spread, of the class {@code inner} where
 * they lie within a disc of half its area, else {@code outer}. The same for everyone, because no randomness is in it.
 */
final class Rings {
    // Half the unit square: π r² = 1/2.
    private static final double SQUARED_RADIUS = 1 / (2 * Math.PI);

    private Rings() {}

    /** A coordinate of a point of the golden-ratio lattice, in steps of 1/1024, which every format holds exactly. */
    static double x(int row, int column) {
        double turns = row * (column == 0 ? 0.7548776662466927 : 0.5698402909980532) + 0.5;
        return Math.floor(1024 * (turns - Math.floor(turns))) / 1024;
    }

    static boolean inner(int row) {
        return squaredDistance(row) < SQUARED_RADIUS;
    }

    static String label(int row) {
        return inner(row) ? "inner" : "outer";
    }

    /** A smooth number to predict. */
    static double height(int row) {
        return Math.round(1e4 * Math.sin(6 * x(row, 0)) * x(row, 1)) / 1e4;
    }

    private static double squaredDistance(int row) {
        double dx = x(row, 0) - 0.5;
        double dy = x(row, 1) - 0.5;
        return dx * dx + dy * dy;
    }

    /** A text file of a header, unless it is empty, and a line for each row. */
    static Path write(Path file, String header, int rows, IntFunction<String> line) throws IOException {
        StringBuilder text = new StringBuilder(header.isEmpty() ? "" : header + "\n");
        for (int i = 0; i < rows; i++) {
            text.append(line.apply(i)).append('\n');
        }
        return Files.writeString(file, text);
    }

    static Path csv(Path file, int rows) throws IOException {
        return write(file, "x,y,where", rows, i -> x(i, 0) + "," + x(i, 1) + "," + label(i));
    }

    static Path libsvm(Path file, int rows) throws IOException {
        return write(file, "", rows, Rings::libsvmLine);
    }

    static String libsvmLine(int row) {
        return String.format(Locale.ROOT, "%s 1:%s 2:%s", inner(row) ? "+1" : "-1", x(row, 0), x(row, 1));
    }

    /** The labels alone, a line each. */
    static Path labels(Path file, int rows) throws IOException {
        return write(file, "", rows, Rings::label);
    }

    /** A float32 array of rows and two columns. */
    static Path npy(Path file, int rows) throws IOException {
        String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ", 2), }";
        int length = (10 + header.length() + 1 + 63) / 64 * 64 - 10;
        ByteBuffer bytes = ByteBuffer.allocate(10 + length + 8 * rows).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) length);
        bytes.put((header + " ".repeat(length - header.length() - 1) + "\n").getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < rows; i++) {
            bytes.putFloat((float) x(i, 0)).putFloat((float) x(i, 1));
        }
        return Files.write(file, bytes.array());
    }

    /** MNIST's format: rows of one line of two pixels. */
    static Path idxImages(Path file, int rows) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(16 + 2 * rows);
        bytes.put(new byte[] {0, 0, 8, 3}).putInt(rows).putInt(1).putInt(2);
        for (int i = 0; i < rows; i++) {
            bytes.put((byte) (255 * x(i, 0))).put((byte) (255 * x(i, 1)));
        }
        return Files.write(file, bytes.array());
    }

    static Path idxLabels(Path file, int rows) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 + rows);
        bytes.put(new byte[] {0, 0, 8, 1}).putInt(rows);
        for (int i = 0; i < rows; i++) {
            bytes.put((byte) (inner(i) ? 1 : 0));
        }
        return Files.write(file, bytes.array());
    }

    /** The same file, compressed, beside it. */
    static Path gzip(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zipped = new GZIPOutputStream(bytes)) {
            zipped.write(Files.readAllBytes(file));
        }
        return Files.write(file.resolveSibling(file.getFileName() + ".gz"), bytes.toByteArray());
    }
}
