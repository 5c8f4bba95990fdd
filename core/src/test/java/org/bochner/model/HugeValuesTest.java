package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values at the edge of float32, of which nothing can be computed, are refused with their place. */
class HugeValuesTest {
    private Path folder = Path.of("");

    private Path good = Path.of("");
    private Path bad = Path.of("");

    @BeforeEach
    void write(@TempDir Path directory) throws IOException {
        folder = directory;
        StringBuilder text = new StringBuilder("x,size,label\n");
        for (int i = 0; i < 60; i++) {
            text.append(i % 7)
                    .append(',')
                    .append(i % 11)
                    .append(',')
                    .append(i % 7 < 3 ? "a" : "b")
                    .append('\n');
        }
        good = Files.writeString(folder.resolve("good.csv"), text);
        bad = Files.writeString(folder.resolve("bad.csv"), text + "\n3,-3e38,a\n1,1,a\n");
    }

    private static FileSource open(Path file) {
        return FileSource.open(DataOptions.of(file.toString()));
    }

    /**
     * A Fourier map, whose phases of huge values lose all digits. Kernel values between far rows would be 0, and scalings
     * such as clip and quantile would bound the values, which is right.
     */
    private KernelModel model(String kernel) {
        return KernelMachine.of(kernel)
                .withScaling("standard")
                .withMap("fourier")
                .withFeatures(100)
                .fit(open(good))
                .model();
    }

    private static String message(
            Class<? extends BochnerException> type, org.junit.jupiter.api.function.Executable run) {
        return String.valueOf(assertThrows(type, run).getMessage());
    }

    /** A blank line and a header stand before row 61. */
    private void assertPlace(String message) {
        assertTrue(message.startsWith(bad + ":63: column 'size' (1, from 0): the value -"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "gaussian(sigma=2)", "laplacian", "matern(nu=1.5)"})
    void predictionNamesTheLineAndTheColumn(String kernel) {
        KernelModel model = model(kernel);
        RowSource rows =
                FileSource.open(DataOptions.of(bad.toString()), model.encoding().orElseThrow());
        assertPlace(message(
                BochnerException.class, () -> model.score(rows, Workers.all(), Progress.NONE, (block, scores) -> {})));
        assertPlace(message(BochnerException.class, () -> Evaluation.of(model, rows)));
        assertPlace(message(
                BochnerException.class,
                () -> model.transformer().transform(rows, Workers.all(), Progress.NONE, block -> {})));
        for (double[] row : List.of(new double[] {3, 3e38}, new double[] {3e38, -3e38})) {
            RowException e = assertThrows(RowException.class, () -> model.score(row));
            assertEquals(row[0] == 3 ? 1 : 0, e.column());
            assertThrows(RowException.class, () -> model.predictClass(row));
        }
    }

    @Test
    void trainingNamesTheLineAndTheColumn() {
        KernelMachine machine = KernelMachine.of("gaussian(sigma=1)").withFeatures(100);
        assertPlace(message(BochnerException.class, () -> machine.fit(open(bad))));
        assertPlace(message(
                BochnerException.class,
                () -> machine.withPrecision(Precision.FLOAT64).fit(open(bad))));
    }

    @Test
    void scalingsThatOverflowAreRefused() {
        MemorySource rows = MemorySource.of(1, 0, 1e-6f, 2e-6f, 3e-6f).withClasses(List.of("a", "b"), 0, 0, 1, 1);
        KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(50)
                .withScaling(Scalings.parse("standard"))
                .fit(rows)
                .model();
        // 1e33 is far inside the range of float32, but not after the division by 1e-6.
        assertThrows(RowException.class, () -> model.score(new double[] {1e33}));
    }

    @Test
    void powersThatOverflowAreRefused() {
        KernelModel model = KernelMachine.of("polynomial(degree=3, c=1)")
                .withFeatures(128)
                .withScaling(Scalings.parse("none"))
                // A smaller penalty would want float64, which holds such powers.
                .withLearner(Learner.parse("ridge(lambda=1e6)"))
                .fit(open(good))
                .model();
        assertThrows(RowException.class, () -> model.score(new double[] {1e20, 1}));
    }
}
