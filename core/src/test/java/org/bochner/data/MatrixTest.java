package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.bochner.base.DataException;
import org.bochner.data.bytes.Input;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NPY and IDX. */
class MatrixTest {
    private final Path folder;

    MatrixTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static List<String[]> golden() throws IOException {
        try (InputStream in = Objects.requireNonNull(MatrixTest.class.getResourceAsStream("/golden/npy.csv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(",", -1))
                    .toList();
        }
    }

    private static byte[] golden(String name) throws IOException {
        return golden().stream()
                .filter(line -> line[0].equals(name))
                .map(line -> HexFormat.of().parseHex(line[3]))
                .findFirst()
                .orElseThrow();
    }

    private FileSource open(byte[] bytes) {
        return FileSource.open(DataOptions.of(Sample.file(folder, "t.npy", bytes)));
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    static byte[] idx(int type, int[] shape, byte... data) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * shape.length + data.length);
        bytes.put((byte) 0).put((byte) 0).put((byte) type).put((byte) shape.length);
        for (int size : shape) {
            bytes.putInt(size);
        }
        return bytes.put(data).array();
    }

    @Nested
    class Npy {
        @Test
        void everyTypeVersionAndByteOrderThatNumpyWrites() throws IOException {
            int read = 0;
            for (String[] line : golden()) {
                if (line[0].equals("matrix")) {
                    Sample sample = Sample.of(open(HexFormat.of().parseHex(line[3])));
                    assertEquals("0 1 2 -> \n3 100 5 -> ", sample.text(), line[2]);
                    read++;
                }
            }
            assertEquals(18, read);
            assertEquals(
                    "0 1 1 -> \n1 1 1 -> ", Sample.of(open(golden("boolean"))).text());
        }

        @Test
        void otherDimensions() throws IOException {
            assertEquals(
                    "0 -> \n1 -> \n2 -> ", Sample.of(open(golden("vector"))).text());
            assertEquals(
                    "0 1 2 -> \n3 100 5 -> ", Sample.of(open(golden("cube"))).text());
            assertEquals("0 -> \n3 -> ", Sample.of(open(golden("column"))).text());
        }

        @Test
        void halfPrecision() throws IOException {
            assertEquals(
                    "0 1 2 -> \n3 100 5 -> ", Sample.of(open(golden("half"))).text());
            int read = 0;
            for (String[] line : golden()) {
                if (line[0].equals("half-values")) {
                    List<double[]> rows = Sample.of(open(HexFormat.of().parseHex(line[3]))).rows;
                    assertArrayEquals(new double[] {0, 1, -2}, rows.get(0));
                    assertArrayEquals(new double[] {65504, 0x1p-24, 3.140625}, rows.get(1));
                    read++;
                }
            }
            assertEquals(2, read);
            byte[] infinite = golden("half");
            infinite[infinite.length - 1] = 0x7c;
            infinite[infinite.length - 2] = 0;
            assertTrue(failure(() -> open(infinite)).contains("row 2, column 2 (from 0): the value must be finite"));
            infinite[infinite.length - 2] = 1;
            assertTrue(failure(() -> open(infinite)).contains("row 2, column 2 (from 0): the value is NaN"));
        }

        @Test
        void categoriesAreRefused() throws IOException {
            DataOptions options =
                    DataOptions.of(Sample.file(folder, "c.npy", golden("half"))).withCategorical(List.of("0"));
            assertTrue(failure(() -> FileSource.open(options))
                    .contains("c.npy: is a NPY array, whose columns cannot be categorical"));
        }

        @Test
        void fortranOrder() throws IOException {
            byte[] matrix = golden("fortran");
            byte[] cube = golden("fortran-cube");
            for (boolean packed : new boolean[] {false, true}) {
                FileSource source = open(packed ? Sample.gzip(matrix) : matrix);
                assertEquals("0 1 2 -> \n3 100 5 -> ", Sample.of(source).text());
                assertEquals("0 1 2 -> \n3 100 5 -> ", Sample.of(source).text());
                assertEquals(
                        "0 1 2 3 4 5 6 7 8 9 10 11 -> \n12 13 14 15 16 17 18 19 20 21 22 23 -> ",
                        Sample.of(open(packed ? Sample.gzip(cube) : cube)).text());
            }
            FileSource pipe = DataFiles.open(
                    DataOptions.of("pipe"), path -> Input.stream(path, new ByteArrayInputStream(matrix), true));
            assertEquals("0 1 2 -> \n3 100 5 -> ", Sample.of(pipe).text());
            FileSource once = DataFiles.open(
                    DataOptions.of("pipe"),
                    pipe.encoding(),
                    path -> Input.stream(path, new ByteArrayInputStream(matrix), false));
            assertEquals("0 1 2 -> \n3 100 5 -> ", Sample.of(once).text());
        }

        @Test
        void fortranOrderInSeveralWindows() throws IOException, NoSuchAlgorithmException {
            int rows = 700_000;
            int columns = 7;
            String text = "{'descr': '<i4', 'fortran_order': True, 'shape': (" + rows + ", " + columns + "), }";
            ByteBuffer bytes = ByteBuffer.allocate(128 + 4 * rows * columns).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put("\u0093NUMPY\1\0v\0".getBytes(StandardCharsets.ISO_8859_1));
            bytes.put((text + " ".repeat(117 - text.length()) + "\n").getBytes(StandardCharsets.ISO_8859_1));
            for (int c = 0; c < columns; c++) {
                for (int r = 0; r < rows; r++) {
                    bytes.putInt(r + c);
                }
            }
            FileSource source = open(bytes.array());
            assertEquals(
                    HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array())),
                    source.identity().files().get(0).sha256());
            RowBlockBuilder builder = new RowBlockBuilder();
            int row = 0;
            try (RowCursor cursor = source.open()) {
                while (cursor.next(builder, 10_000)) {
                    float[] values = ((DenseRows) builder.build()).values();
                    for (int i = 0; i < builder.build().rows(); i++, row++) {
                        for (int c = 0; c < columns; c++) {
                            assertEquals((float) (row + c), values[i * columns + c]);
                        }
                    }
                }
            }
            assertEquals(rows, row);
        }

        @Test
        void fortranOrderCutOffTooLongOrChanged() throws IOException {
            byte[] whole = golden("fortran");
            assertTrue(failure(() -> open(Arrays.copyOf(whole, whole.length - 1)))
                    .contains("is cut off: it has 23 bytes of values, too few for the 2 rows"));
            assertTrue(
                    failure(() -> open(Arrays.copyOf(whole, whole.length + 1))).contains("goes on after the 2 rows"));
            FileSource source = open(whole);
            whole[whole.length - 3] ^= 1;
            Sample.file(folder, "t.npy", whole);
            assertTrue(failure(() -> Sample.of(source)).contains("t.npy: changed while it was read"));
        }

        @Test
        void textAsLabels() throws IOException {
            String rows = Sample.file(folder, "rows.csv", "1,2\n3,4\n5,6\n7,8\n");
            DataOptions options = DataOptions.of(rows);
            int read = 0;
            for (String[] line : golden()) {
                if (line[0].equals("text")) {
                    String labels =
                            Sample.file(folder, "labels.npy", HexFormat.of().parseHex(line[3]));
                    FileSource source = FileSource.open(options.withLabelsFile(labels));
                    assertEquals(new Labels.Classes(List.of("cat", "dög", "𝛼 b")), source.labels());
                    assertEquals(
                            "1 2 -> 0\n3 4 -> 1\n5 6 -> 2\n7 8 -> 0",
                            Sample.of(source).text());
                    FileSource later = FileSource.open(options.withLabelsFile(labels), source.encoding());
                    assertEquals(
                            "1 2 -> 0\n3 4 -> 1\n5 6 -> 2\n7 8 -> 0",
                            Sample.of(later).text());
                    read++;
                }
            }
            assertEquals(2, read);
            String bytes = Sample.file(folder, "bytes.npy", golden("bytes"));
            assertEquals(
                    new Labels.Classes(List.of("bird", "cat", "dog")),
                    FileSource.open(options.withLabelsFile(bytes)).labels());
            String digits = Sample.file(folder, "digits.npy", golden("digits"));
            assertEquals(
                    new Labels.Classes(List.of("1", "2")),
                    FileSource.open(options.withLabelsFile(digits)).labels());
        }

        @Test
        void textThatIsNone() throws IOException {
            byte[] text = golden("text");
            DataOptions options = DataOptions.of(Sample.file(folder, "rows.csv", "1,2\n3,4\n5,6\n7,8\n"));
            text[text.length - 9] = 0x7f;
            String wrong = Sample.file(folder, "wrong.npy", text);
            String message = failure(() -> FileSource.open(options.withLabelsFile(wrong)));
            assertTrue(message.contains("wrong.npy: row 4: the text holds the number"), message);
            Arrays.fill(text, text.length - 12, text.length, (byte) 0);
            String empty = Sample.file(folder, "empty.npy", text);
            String missing = failure(() -> FileSource.open(options.withLabelsFile(empty)));
            assertTrue(missing.contains("empty.npy:4: column 0 (from 0): the label is missing"), missing);
        }

        @Test
        void aLabelColumn() throws IOException {
            String file = Sample.file(folder, "l.npy", golden("matrix"));
            FileSource source = FileSource.open(DataOptions.of(file).withLabel("last"));
            assertEquals("0 1 -> 0\n3 100 -> 1", Sample.of(source).text());
            assertEquals(new Labels.Classes(List.of("2", "5")), source.labels());
            assertFalse(source.sparse());
        }

        @Test
        void whatIsNotReadSaysWhatToDo() throws IOException {
            byte[] objects = golden("objects");
            assertTrue(failure(() -> open(objects)).contains("holds Python objects (pickle), which are not read"));
            byte[] date = golden("date");
            assertTrue(failure(() -> open(date)).contains("'<M8[D]' is not read; save it with array.astype"));
            byte[] record = golden("record");
            assertTrue(failure(() -> open(record)).contains("must hold plain numbers, not records"));
            byte[] text = golden("text");
            assertTrue(failure(() -> open(text)).contains("holds text, which can be labels"));
            byte[] complex = golden("complex");
            assertTrue(failure(() -> open(complex)).contains("'c8' is not read"));
        }

        @Test
        void cutOffOrTooLong() throws IOException {
            byte[] whole = golden("matrix");
            assertTrue(failure(() -> open(Arrays.copyOf(whole, whole.length - 1)))
                    .contains("t.npy: is cut off in row 2 of the 2"));
            assertTrue(failure(() -> open(Arrays.copyOf(whole, whole.length - 13)))
                    .contains("t.npy: is cut off in row 1 of the 2"));
            assertTrue(
                    failure(() -> open(Arrays.copyOf(whole, whole.length + 1))).contains("goes on after the 2 rows"));
            assertTrue(failure(() -> open(Arrays.copyOf(whole, 40))).contains("header is cut off"));
            assertTrue(failure(() -> open("1,2,3\n".getBytes(StandardCharsets.UTF_8)))
                    .contains("is no NPY file"));
        }

        @Test
        void aHeaderThatPromisesTooMuch() throws IOException {
            String text = new String(golden("matrix"), StandardCharsets.ISO_8859_1);
            for (String shape : List.of("(2, 2147483647)", "(9999999999999, 3)", "(2, 999999999999)", "(0, 3)", "()")) {
                String changed = text.replace("(2, 3), }" + " ".repeat(shape.length() - 2), shape + ", }");
                if (shape.length() < 6) {
                    changed = text.replace("(2, 3)", shape + " ".repeat(6 - shape.length()));
                }
                byte[] bytes = changed.getBytes(StandardCharsets.ISO_8859_1);
                assertTrue(failure(() -> open(bytes)).contains("t.npy: "), shape);
            }
        }

        @Test
        void labelsAreFinite() throws IOException {
            byte[] bytes = golden("matrix");
            Encoding encoding = FileSource.open(DataOptions.of(Sample.file(folder, "a.npy", bytes))
                            .withLabel("last")
                            .withTask(Task.REGRESS))
                    .encoding();
            // The last value, little-endian: infinity, then NaN.
            for (int bits : new int[] {0x0000807f, 0x0000c07f}) {
                ByteBuffer.wrap(bytes).putInt(bytes.length - 4, bits);
                DataOptions options = DataOptions.of(Sample.file(folder, "b.npy", bytes));
                FileSource source = FileSource.open(options, encoding);
                String message = failure(() -> Sample.of(source));
                assertTrue(message.contains("b.npy: row 2: the label must be finite"), message);
                assertEquals(2, Sample.of(source.withoutLabels()).rows.size());
            }
        }

        @Test
        void notANumberIsMissing() throws IOException {
            byte[] bytes = golden("matrix");
            ByteBuffer.wrap(bytes).putInt(bytes.length - 8, 0x0000c07f);
            String file = Sample.file(folder, "n.npy", bytes);
            String message = failure(() -> FileSource.open(DataOptions.of(file)));
            assertTrue(message.contains("n.npy: row 2, column 1 (from 0): the value is NaN"), message);
            FileSource filled = FileSource.open(DataOptions.of(file).withMissingFilled(true));
            assertEquals("0 1 2 -> \n3 1 5 -> ", Sample.of(filled).text());
        }
    }

    @Nested
    class Idx {
        @Test
        void imagesAsRows() {
            byte[] images = idx(
                    8,
                    new int[] {2, 2, 2},
                    (byte) 0,
                    (byte) 255,
                    (byte) 3,
                    (byte) 4,
                    (byte) 5,
                    (byte) 6,
                    (byte) 7,
                    (byte) 8);
            String path = Sample.file(folder, "images-idx3-ubyte", Sample.gzip(images));
            String labels = Sample.file(folder, "labels-idx1-ubyte", idx(8, new int[] {2}, (byte) 9, (byte) 1));
            FileSource source = FileSource.open(DataOptions.of(path).withLabelsFile(labels));
            assertEquals("0 255 3 4 -> 1\n5 6 7 8 -> 0", Sample.of(source).text());
            assertEquals(2, source.identity().files().size());
        }

        @Test
        void otherTypes() {
            String shorts =
                    Sample.file(folder, "s", idx(0x0b, new int[] {1, 2}, (byte) -1, (byte) -2, (byte) 1, (byte) 0));
            assertEquals(
                    "-2 256 -> ",
                    Sample.of(FileSource.open(DataOptions.of(shorts))).text());
            byte[] floats = ByteBuffer.allocate(8).putFloat(1.5f).putFloat(-2f).array();
            String file = Sample.file(folder, "f", idx(0x0d, new int[] {2, 1}, floats));
            assertEquals(
                    "1.5 -> \n-2 -> ",
                    Sample.of(FileSource.open(DataOptions.of(file))).text());
        }

        @Test
        void whatIsWrongWithIt() {
            assertTrue(failure(() -> open(idx(8, new int[] {2, 2}, (byte) 1))).contains("cut off in row 1"));
            assertTrue(failure(() -> open(idx(8, new int[] {0, 2}))).contains("has no rows"));
            assertTrue(failure(() -> open(idx(8, new int[] {2, -1, -1, -1}))).contains("wider than"));
        }
    }
}
