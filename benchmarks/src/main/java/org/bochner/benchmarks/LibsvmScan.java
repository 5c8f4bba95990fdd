package org.bochner.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Reading LIBSVM text against reading the same bytes and counting their line ends. */
final class LibsvmScan {
    private static final int ROWS = 400_000;
    private static final int ENTRIES = 20;
    private static final int ROUNDS = 5;

    private LibsvmScan() {}

    /** Measures on a generated file, and prints the speed in megabytes a second. */
    static void report() {
        try {
            Path file = Files.createTempFile("limits", ".libsvm");
            try {
                generate(file);
                FileSource source = FileSource.open(DataOptions.of(file.toString()));
                double megabytes = Files.size(file) * 1e-6;
                double parse = Double.POSITIVE_INFINITY;
                double scan = Double.POSITIVE_INFINITY;
                for (int i = 0; i < ROUNDS; i++) {
                    parse = Math.min(parse, parse(source));
                    scan = Math.min(scan, scan(file));
                }
                System.out.printf(
                        Locale.ROOT,
                        "%-44s %-22s %10.4f %10.4f %7.2f   %.0f MB/s (at least 150), scan %.0f MB/s%n",
                        "LIBSVM parse",
                        String.format(Locale.ROOT, "%.0f MB", megabytes),
                        parse,
                        scan,
                        parse / scan,
                        megabytes / parse,
                        megabytes / scan);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void generate(Path file) throws IOException {
        RandomStream stream = new Seed(1).stream();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < ROWS; i++) {
                line.setLength(0);
                line.append(stream.nextInt(2) == 0 ? "-1" : "+1");
                for (int e = 0; e < ENTRIES; e++) {
                    line.append(' ').append(e * 10 + 1 + stream.nextInt(10)).append(':');
                    line.append(String.format(Locale.ROOT, "%.6g", stream.nextUniform()));
                }
                out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static double parse(FileSource source) {
        long start = System.nanoTime();
        RowBlockBuilder builder = new RowBlockBuilder();
        long rows = 0;
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, 4096)) {
                rows += builder.rows();
            }
        }
        if (rows != ROWS) {
            throw new IllegalStateException("read " + rows + " rows of " + ROWS);
        }
        return (System.nanoTime() - start) * 1e-9;
    }

    private static double scan(Path file) throws IOException {
        long start = System.nanoTime();
        byte[] buffer = new byte[1 << 16];
        long lines = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        if (lines != ROWS) {
            throw new IllegalStateException("counted " + lines + " lines of " + ROWS);
        }
        return (System.nanoTime() - start) * 1e-9;
    }
}
