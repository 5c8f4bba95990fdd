package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions.Missing;
import org.junit.jupiter.api.Test;

/**
 * Valid files of every format, damaged at random: whatever comes, reading gives rows of finite values or an error that is
 * written for the user.
 */
class FuzzTest {
    private static final int CASES = 5000;
    private static final String[] WORDS = {
        "nan",
        "inf",
        "-",
        "+",
        "1e999",
        "1e-999",
        ":",
        "0:",
        "2147483648:1",
        "#",
        "qid:",
        "\"",
        "\"\"",
        ",",
        ";",
        "\t",
        "\r\n",
        "\n\n",
        "?",
        "NA",
        "\uFEFF",
        "\0",
        "é",
        " ",
        "99999999999999999999",
        "a",
        "1:1",
        "0x1p3",
        "(",
        "), }"
    };

    @Test
    void damagedLibsvm() {
        fuzz(1, "+1 1:0.5 3:-2e1 # note\n-1 qid:3 2:.25 7:1\n\n3 1:1\n".getBytes(StandardCharsets.UTF_8), "f.libsvm");
    }

    @Test
    void damagedCsv() {
        fuzz(
                2,
                "a,\"b c\",d,y\n1,u,2.5,cat\n2,\"v\"\"w\",1e3,dog\n3,u,-4,cat\n".getBytes(StandardCharsets.UTF_8),
                "f.csv");
    }

    @Test
    void damagedNpy() {
        byte[] header = new byte[128];
        Arrays.fill(header, (byte) ' ');
        byte[] text = "\u0093NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
                .getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(text, 0, header, 0, text.length);
        header[127] = '\n';
        fuzz(3, join(header, new byte[24]), "f.npy");
    }

    @Test
    void damagedIdxWithoutAnExtension() {
        fuzz(4, MatrixTest.idx(0x0d, new int[] {2, 1, 2}, new byte[16]), "f");
    }

    @Test
    void damagedGzip() {
        fuzz(5, Sample.gzip("1 1:1 2:3\n2 2:2\n".repeat(5).getBytes(StandardCharsets.UTF_8)), "g");
    }

    private void fuzz(long seed, byte[] valid, String name) {
        SplittableRandom random = new SplittableRandom(seed);
        DataOptions options = DataOptions.of(name);
        Encoding encoding =
                DataFiles.open(options, path -> Input.memory(path, valid)).encoding();
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] damaged = damage(valid, random);
            // Not through the file system, which would take most of the time.
            Function<String, Input> inputs = path -> Input.memory(path, damaged);
            DataOptions chosen = options.withMissing(random.nextBoolean() ? Missing.MEAN : Missing.ERROR);
            try {
                read += finiteRows(
                        i % 3 == 0 ? DataFiles.open(chosen, encoding, inputs) : DataFiles.open(chosen, inputs));
            } catch (BochnerException e) {
                assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "case " + i + " of seed " + seed + ": " + Arrays.toString(damaged) + "\n"
                                + new String(damaged, StandardCharsets.UTF_8),
                        e);
            }
        }
        assertTrue(read > CASES / 100, "damage is so heavy that nothing was read");
    }

    /** Counts the rows; a width beyond reason is left alone. */
    private static int finiteRows(FileSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        int rows = 0;
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, 2)) {
                RowBlock block = builder.build();
                rows += block.rows();
                int values = block instanceof SparseRows sparse
                        ? sparse.starts()[block.rows()]
                        : block.rows() * block.columns();
                float[] all = block instanceof SparseRows sparse ? sparse.values() : ((DenseRows) block).values();
                for (int v = 0; v < values; v++) {
                    assertTrue(Math.abs(all[v]) <= Float.MAX_VALUE);
                }
                if (block instanceof SparseRows sparse) {
                    for (int v = 0; v < values; v++) {
                        assertTrue(sparse.indices()[v] >= 0 && sparse.indices()[v] < sparse.columns());
                    }
                }
            }
        }
        return rows;
    }

    private static byte[] damage(byte[] valid, SplittableRandom random) {
        byte[] bytes = valid;
        int times = random.nextInt(1, 4);
        for (int t = 0; t < times && bytes.length > 0; t++) {
            int at = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, at + random.nextInt(1, 9));
            switch (random.nextInt(6)) {
                case 0 -> {
                    bytes = bytes.clone();
                    bytes[at] = (byte) random.nextInt();
                }
                case 1 -> {
                    bytes = bytes.clone();
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                }
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, to, bytes.length));
                case 4 -> bytes = join(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, at, bytes.length));
                default -> {
                    byte[] word = WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8);
                    bytes = join(join(Arrays.copyOf(bytes, at), word), Arrays.copyOfRange(bytes, at, bytes.length));
                }
            }
        }
        return bytes;
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(first);
        joined.writeBytes(second);
        return joined.toByteArray();
    }
}
