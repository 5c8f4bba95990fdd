package org.bochner.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.data.bytes.Compression;
import org.bochner.data.bytes.Input;
import org.bochner.data.format.NpyHeader;

/**
 * What every reader keeps on any bytes: it fails with a message for the user, or gives finite rows, the same number in
 * every pass, and as many as a count of lines finds. Methods return how many rows were read and throw
 * {@link AssertionError} otherwise.
 */
public final class ReaderFuzz {
    private static final byte[] ROWS = bytes("1,2\n3,4\n5,6\n");
    private static final Path FOLDER = folder();
    private static final Map<String, Encoding> ENCODINGS = new ConcurrentHashMap<>();

    private ReaderFuzz() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Path folder() {
        try {
            Path memory = Path.of("/dev/shm");
            Path folder = Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "bochner-fuzz")
                    : Files.createTempDirectory("bochner-fuzz");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file for readers that want one; there is one of each name. */
    public static Path file(String name, byte[] content) {
        try {
            Path file = FOLDER.resolve(name);
            file.toFile().deleteOnExit();
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static int libsvm(byte[] file) {
        return rows("f.libsvm", file, "1 1:1\n2 2:1 9:2\n", true);
    }

    public static int csv(byte[] file) {
        return rows("f.csv", file, "a,b,c,y\n1,u,2,p\n2,v,1,q\n3,u,4,p\n", true);
    }

    public static int idx(byte[] file) {
        return rows("f", file, "1,2,3,4\n5,6,7,8\n", false);
    }

    public static int npy(byte[] file) {
        return rows("f.npy", file, "1,2,3\n5,6,7\n", false);
    }

    /** Any of the compressed kinds, whose content is LIBSVM text. */
    public static int compressed(byte[] file) {
        return rows("f.libsvm.packed", file, "1 1:1\n2 2:1 9:2\n", false);
    }

    public static int npz(byte[] content) {
        String file = file("f.npz", content).toString();
        DataOptions options = DataOptions.of(file);
        return guarded("f.npz", () -> read(FileSource.open(options)))
                + guarded("f.npz", () -> read(FileSource.open(options, encoding("1,2,3\n5,6,7\n"))))
                + guarded("f.npz", () -> read(FileSource.open(DataOptions.of(file + ":X"))));
    }

    /** A file of labels, for three rows. */
    public static int labels(byte[] file) {
        DataOptions options = DataOptions.of("rows.csv").withLabelsFile("labels");
        Function<String, Input> inputs = path -> Sample.input(path, path.equals("labels") ? file : ROWS);
        // Three labels, or four lines where the first is a header, and nothing else is lost or made up.
        int read = guarded("", () -> {
            int rows = read(DataFiles.open(options, inputs));
            long lines = lines(file);
            check(!isText(file) || lines == rows || lines == rows + 1, lines + " lines gave " + rows + " labels");
            return rows;
        });
        Encoding encoding = encoding("1,2,3\n5,6,4\n");
        return read + guarded("", () -> read(DataFiles.open(options, encoding, inputs)));
    }

    private static Encoding encoding(String text) {
        return ENCODINGS.computeIfAbsent(
                text,
                valid -> DataFiles.open(DataOptions.of("valid"), path -> Sample.input(path, bytes(valid)))
                        .encoding());
    }

    private static int rows(String name, byte[] file, String valid, boolean text) {
        Function<String, Input> inputs = path -> Sample.input(path, file);
        DataOptions options = DataOptions.of(name);
        int surveyed = guarded(name, () -> {
            FileSource source = DataFiles.open(options, inputs);
            int rows = read(source);
            check(rows == source.rows(), rows + " rows read, " + source.rows() + " surveyed");
            check(rows == read(source), "two passes differ");
            if (text && isText(file)) {
                boolean header = source.encoding().parts().get(0).named();
                boolean libsvm = source.encoding().parts().get(0).format() == DataFormat.LIBSVM;
                long lines = libsvm ? libsvmLines(file) : lines(file);
                check(lines == rows + (header ? 1 : 0), lines + " lines gave " + rows + " rows");
            }
            return rows;
        });
        int filled = guarded(name, () -> read(DataFiles.open(options.withMissingFilled(true), inputs)));
        int matched = guarded(name, () -> read(DataFiles.open(options, encoding(valid), inputs)));
        return surveyed + filled + matched;
    }

    private interface Reading {
        int rows();
    }

    private static int guarded(String name, Reading reading) {
        try {
            return reading.rows();
        } catch (BochnerException e) {
            check(
                    String.valueOf(e.getMessage()).contains(name),
                    "the message does not name the file: " + e.getMessage());
            return 0;
        }
    }

    /** Reads all rows, and checks what is delivered. */
    private static int read(FileSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        int rows = 0;
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, 7)) {
                RowBlock block = builder.build();
                check(block.firstRow() == rows, "a block starts at row " + block.firstRow() + ", not " + rows);
                rows += block.rows();
                finite(block);
                for (int i = 0; i < block.rows(); i++) {
                    check(block.rowWeight(i) >= 0 && block.rowWeight(i) < Double.POSITIVE_INFINITY, "a weight");
                    for (int j = 0; j < block.targets(); j++) {
                        check(!Double.isInfinite(block.target(i, j)), "an infinite label");
                        check(source.rows() < 0 || !Double.isNaN(block.target(i, j)), "no label");
                    }
                }
            }
        }
        return rows;
    }

    private static void finite(RowBlock block) {
        float[] values;
        int count;
        if (block instanceof SparseRows sparse) {
            values = sparse.values();
            count = sparse.starts()[block.rows()];
            for (int v = 0; v < count; v++) {
                check(sparse.indices()[v] >= 0 && sparse.indices()[v] < sparse.columns(), "an index out of range");
            }
        } else {
            values = ((DenseRows) block).values();
            count = block.rows() * block.columns();
        }
        for (int v = 0; v < count; v++) {
            check(Math.abs(values[v]) <= Float.MAX_VALUE, "a value that is not finite");
        }
    }

    /** Whether the lines of a file can be counted without a parser: it is text without quotes, and not compressed. */
    private static boolean isText(byte[] file) {
        for (byte c : file) {
            if (c == '"' || c == 0) {
                return false;
            }
        }
        return Compression.of(file) == null && !NpyHeader.recognises(file);
    }

    /** The lines that hold more than blanks, as CSV has them. */
    private static long lines(byte[] file) {
        return text(file)
                .lines()
                .filter(line -> !line.replace(" ", "").isEmpty())
                .count();
    }

    /** The lines that hold more than blanks and a comment. */
    private static long libsvmLines(byte[] file) {
        return text(file)
                .lines()
                .map(line -> line.replace("\t", "").replace(" ", ""))
                .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
                .count();
    }

    /**
     * The text with a line feed at each line end: without line feeds, carriage returns end lines; beside line feeds,
     * they are blanks.
     */
    private static String text(byte[] file) {
        String raw = new String(file, StandardCharsets.ISO_8859_1);
        String text = raw.replace('\r', raw.indexOf('\n') < 0 ? '\n' : ' ');
        return text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
