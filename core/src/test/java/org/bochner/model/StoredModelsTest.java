package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A model file of every format number that this version reads, with the scores it gave when it was written. A new format
 * number adds files; it does not replace them.
 */
class StoredModelsTest {
    private static Path resource(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(StoredModelsTest.class.getResource("/models/" + name), name)
                .toURI());
    }

    /** All formats that were ever read but the first, up to the one that is written now. */
    static IntStream formats() {
        return IntStream.rangeClosed(2, ModelFile.VERSION);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void predictsAsWhenItWasStored(int format) throws IOException, URISyntaxException {
        KernelModel model = KernelModel.load(resource("format-" + format + ".bochner"));
        List<String> expected = Files.readAllLines(resource("format-" + format + ".scores.csv"));
        int[] row = {1};
        model.score(
                FileSource.open(
                        DataOptions.of(resource("rows.csv").toString()),
                        model.encoding().orElseThrow()),
                new Workers(1),
                Progress.NONE,
                (rows, scores) -> {
                    int outputs = model.linear().outputs();
                    for (int i = 0; i < rows.rows(); i++) {
                        String[] cells = expected.get(row[0]++).split(",", -1);
                        for (int o = 0; o < outputs; o++) {
                            assertEquals(Double.parseDouble(cells[o]), scores[i * outputs + o], 1e-6);
                        }
                    }
                });
        assertEquals(expected.size(), row[0]);
    }

    @Test
    void thoseOfAnotherFormatAreRefusedWithBothNumbers() throws URISyntaxException {
        Path old = resource("format-1.bochner");
        BochnerException e = assertThrows(BochnerException.class, () -> KernelModel.load(old));
        assertTrue(
                String.valueOf(e.getMessage()).contains("was written in model format 1; this program reads format 2"),
                e.getMessage());
    }
}
