package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of texts predict records and rows in memory as they predict rows of files. */
class TextModelTest {
    private static final List<String> BODIES = List.of("good", "bad bad", "good bad good", "fine", "poor bad", "good");
    /** Dense rows of such numbers are differences from an origin. */
    private static final double[] TIMES = {1.7e9 + 1, 1.7e9 + 2, 1.7e9 + 300, 1.7e9 + 300, 1.7e9 + 900, 1.7e9 + 1000};

    private static DataOptions joined(Path folder, double[] times) throws IOException {
        StringBuilder texts = new StringBuilder("body,label\n");
        for (int i = 0; i < BODIES.size(); i++) {
            texts.append(BODIES.get(i)).append(i % 2 == 0 ? ",yes\n" : ",no\n");
        }
        Path csv = Files.writeString(folder.resolve("texts.csv"), texts);
        String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + times.length + ", 1), }";
        ByteBuffer bytes = ByteBuffer.allocate(128 + 8 * times.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
        bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
        Arrays.stream(times).forEach(bytes::putDouble);
        Path npy = Files.write(folder.resolve("times.npy"), bytes.array());
        return DataOptions.channelled()
                .withChannel("times", npy.toString())
                .withChannel("texts", csv.toString())
                .withText(List.of("body"))
                .withTextFeatures("words(buckets=2^5)")
                .withLabel("label");
    }

    private static double[] scores(KernelModel model, FileSource source) {
        double[] scores = new double[BODIES.size()];
        int[] next = {0};
        model.score(source, new Workers(1), Progress.NONE, (rows, values) -> {
            System.arraycopy(values, 0, scores, next[0], rows.rows());
            next[0] += rows.rows();
        });
        return scores;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofTextsBesideAMatrixScoreRecordsAsFiles(boolean farFromZero, @TempDir Path folder) throws IOException {
        double[] times = TIMES.clone();
        times[3] = farFromZero ? TIMES[3] : 0;
        DataOptions options = joined(folder, times);
        FileSource source = FileSource.open(options);
        assertTrue(source.sparse());
        assertNull(source.encoding().origin());
        assertEquals(
                farFromZero,
                source.notes().stream().anyMatch(note -> note.text().contains("far from 0")));
        KernelModel model = KernelMachine.of("linear")
                .withScaling("standard(uncentred)")
                .withLearner("ridge(lambda=0.1)")
                .fit(source)
                .model();
        double[] scores = scores(model, source);
        assertArrayEquals(scores, scores(model, model.open(options)));
        for (int i = 0; i < times.length; i++) {
            Map<String, Object> record = Map.of("times:0", times[i], "texts:body", BODIES.get(i));
            double[] row = model.encode(record);
            assertEquals(33, row.length);
            assertArrayEquals(new double[] {scores[i]}, model.score(row));
            assertEquals(scores[i] > 0 ? "yes" : "no", model.predictClass(record));
        }
    }

    /** Means of sparse features are sparse: ridge regression solves a system of the size of the number of sets. */
    @Test
    void setsOfTextsAreLearnedInTheDual(@TempDir Path folder) throws IOException {
        StringBuilder lines = new StringBuilder("sid,body,price,class\n");
        for (int i = 0; i < 120; i++) {
            boolean tea = i / 2 % 2 == 0;
            lines.append("s" + i / 2 + "," + (tea ? "tea leaf" : "coffee bean") + " cup" + i % 7 + "," + i % 5 + ","
                    + (tea ? "a" : "b") + "\n");
        }
        Path file = folder.resolve("sets.csv");
        Files.writeString(file, lines);
        RowSource sets = FileSource.open(DataOptions.of(file.toString())
                .withText(List.of("body"))
                .withSet("sid")
                .withLabel("class"));
        TrainingResult trained = KernelMachine.of("gaussian").withOpenKernel().fit(sets);
        String notes = trained.report().notes().toString();
        assertTrue(notes.contains("chi2") && notes.contains("because texts are counts"), notes);
        assertTrue(notes.contains("with a matrix of the rows, 60 x 60"), notes);
    }
}
