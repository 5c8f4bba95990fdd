package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.DataOptions;
import org.bochner.data.DenseRows;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Columns far from 0: Unix timestamps within a quarter of an hour, where float32 has steps of 128 seconds. The target is
 * the time itself, in minutes.
 */
class ResolutionTest {
    private static final int ROWS = 600;
    private static final long START = 1_700_000_000L;

    private Path folder = Path.of("");

    private final List<double[]> rows = new ArrayList<>();
    private Path csv = Path.of("");

    @BeforeEach
    void write(@TempDir Path directory) throws IOException {
        folder = directory;
        RandomStream stream = new Seed(5).stream();
        StringBuilder text = new StringBuilder("time,noise,kind,minutes\n");
        for (int i = 0; i < ROWS; i++) {
            long seconds = (long) (900 * stream.nextUniform());
            double noise = stream.nextUniform();
            boolean first = i % 2 == 0;
            rows.add(new double[] {START + seconds, noise, first ? 1 : 0, first ? 0 : 1});
            text.append(START + seconds).append(',').append(noise).append(first ? ",a," : ",b,");
            text.append(seconds / 60.0).append('\n');
        }
        csv = folder.resolve("times.csv");
        Files.writeString(csv, text);
    }

    private FileSource source() {
        return FileSource.open(DataOptions.of(csv.toString()));
    }

    private static KernelMachine machine() {
        return KernelMachine.of("gaussian").withFeatures(200);
    }

    private static double r2(KernelModel model, RowSource source) {
        return Evaluation.of(model, source).r2();
    }

    private static double[] scores(KernelModel model, RowSource source) {
        double[] all = new double[ROWS];
        model.score(
                source,
                Workers.all(),
                Progress.NONE,
                (block, scores) -> System.arraycopy(scores, 0, all, (int) block.firstRow(), block.rows()));
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"standard", "min-max", "standard[0:2] + none[2:4]", "centre[0:1]"})
    void timestampsKeepTheirResolution(String scaling) {
        Holdout parts = Holdout.split(source(), 0.3, new Seed(2));
        KernelModel model = machine()
                .withScaling(Scalings.parse(scaling))
                .fit(parts.train())
                .model();
        // float32 alone leaves steps of 128 seconds: an error of 128/√12 = 37 s of 260 s, or r² = 0.98 at best.
        double r2 = r2(model, parts.test());
        assertTrue(r2 > 0.9999, () -> scaling + ": " + r2);
    }

    @Test
    void savedModelsAndSingleRowsKeepIt() {
        KernelModel model = machine().fit(source()).model();
        Path file = folder.resolve("m.bochner");
        model.save(file);
        KernelModel loaded = KernelModel.load(file);
        FileSource again = FileSource.open(
                DataOptions.of(csv.toString()), loaded.encoding().orElseThrow());
        double[] scores = scores(model, source());
        assertArrayEquals(scores, scores(loaded, again));
        for (int i = 0; i < ROWS; i++) {
            // Within the rounding of float32 features; steps of 128 seconds would be off by a minute.
            assertEquals(scores[i], loaded.score(rows.get(i))[0], 1e-4, "row " + i);
        }
    }

    @Test
    void rowsInMemoryAndPartsOfRowsKeepIt() {
        MemorySource memory = MemorySource.load(source());
        KernelModel model = machine().fit(memory).model();
        // The model knows of no file, so that the scaling says what single rows are relative to.
        double[] scores = scores(model, memory);
        for (int i = 0; i < ROWS; i++) {
            assertEquals(scores[i], model.score(rows.get(i))[0], 1e-4, "row " + i);
        }
        Holdout parts = Holdout.split(source(), 0.3, new Seed(1));
        assertTrue(r2(machine().fit(parts.train()).model(), parts.test()) > 0.9999);
    }

    @Test
    void matricesOfFloat64KeepIt() throws IOException {
        Path npy = folder.resolve("times.npy");
        String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + ROWS + ", 3), }";
        header += " ".repeat(64 - (10 + header.length() + 1) % 64) + "\n";
        ByteBuffer bytes = ByteBuffer.allocate(10 + header.length() + 24 * ROWS).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0);
        bytes.putShort((short) header.length()).put(header.getBytes(StandardCharsets.US_ASCII));
        for (double[] row : rows) {
            bytes.putDouble(row[0]).putDouble(row[1]).putDouble((row[0] - START) / 60);
        }
        Files.write(npy, bytes.array());
        FileSource matrix = FileSource.open(DataOptions.of(npy.toString()).withLabel("2"));
        Holdout parts = Holdout.split(matrix, 0.3, new Seed(1));
        double r2 = r2(machine().fit(parts.train()).model(), parts.test());
        assertTrue(r2 > 0.9999, () -> "r2 " + r2);
    }

    @Test
    void columnsBelowTheRangeOfFloat32HaveANote(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("tiny.csv");
        Files.writeString(file, "tiny,small,plain,y\n1e-50,1e-30,1,2\n-3e-45,2e-30,2,3\n0,3e-30,3,4\n");
        List<Note> notes = FileSource.open(DataOptions.of(file.toString())).notes();
        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.get(0).text().contains("'tiny'") && notes.get(0).text().contains("3.0E-45"), notes.toString());
    }

    @Test
    void scalingsThatNeedTheNumbersThemselvesGetThemAndANoteSaysWhatIsLost() {
        FileSource source = source();
        TrainingResult none = machine()
                .withScaling(Scalings.parse("none[0:2] + divide(by=2)[2:3]"))
                .fit(source);
        assertTrue(
                none.report().notes().stream()
                        .anyMatch(note ->
                                note.text().contains("'time'") && note.text().contains("128")),
                none.report().notes().toString());
        float[] plain = new float[4 * ROWS];
        for (int i = 0; i < 4 * ROWS; i++) {
            plain[i] = (float) rows.get(i / 4)[i % 4];
        }
        // The same as from rows that were rounded to float32 from the start.
        assertArrayEquals(
                scores(none.model(), MemorySource.of(4, plain)), scores(none.model(), source.withoutLabels()));
        assertTrue(machine().fit(source).report().notes().stream()
                .noneMatch(note -> note.text().contains("'time'")));
    }

    @Test
    void blocksTellTheNumbersThemselves() {
        try (RowCursor cursor = source().open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            double[] row = new double[4];
            while (cursor.next(builder, 100)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    block.copyRow(i, row);
                    assertEquals(rows.get((int) block.firstRow() + i)[0], row[0]);
                }
                assertNull(((DenseRows) block.plain()).origin());
                block.columns(0, 1).copyRow(0, row);
                assertEquals(rows.get((int) block.firstRow())[0], row[0]);
            }
        }
    }

    @Test
    void ordinaryColumnsHaveNoOrigin() throws IOException {
        Files.writeString(csv, "year,x,y\n1990,1,2\n2020,2,3\n2000,3,5\n2010,4,1\n");
        assertNull(source().encoding().origin());
        assertFalse(source().encoding().state().toString().contains("origin"));
    }
}
