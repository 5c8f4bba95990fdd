package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns by the names of a header, in the flags of every command that takes a kernel, a scaling or channels. */
class ColumnNamesTest {
    private static final String KERNEL = "gaussian(sigma=1)[width, 'total length'] + laplacian(sigma=2)[kind]";
    private static final String NUMBERS = "gaussian(sigma=1)[0:2] + laplacian(sigma=2)[2:4]";

    private Path folder = Path.of("");

    private String data = "";

    @BeforeEach
    void write(@TempDir Path directory) throws IOException {
        folder = directory;
        StringBuilder text = new StringBuilder("total length,width,kind,weight\n");
        for (int i = 0; i < 80; i++) {
            text.append(i % 9).append(',').append(i % 5).append(i % 3 == 0 ? ",a," : ",b,");
            text.append(i % 9 * (i % 5) + i % 3).append('\n');
        }
        data = Files.writeString(folder.resolve("d.csv"), text).toString();
    }

    private Run run(String... args) {
        return Run.here((Object[]) args);
    }

    @Test
    void trainingIsTheSameByNamesAndByNumbers() throws IOException {
        Path named = folder.resolve("named.bochner");
        Path numbered = folder.resolve("numbered.bochner");
        Run first = run(
                "train",
                data,
                "--features",
                "20",
                "--kernel",
                KERNEL,
                "--scale",
                "standard[width, 'total length'] + none[kind]",
                "--model",
                named.toString());
        Run second = run(
                "train",
                data,
                "--features",
                "20",
                "--kernel",
                NUMBERS,
                "--scale",
                "standard[0:2] + none[2:4]",
                "--model",
                numbered.toString());
        assertEquals(0, first.code(), first.err());
        assertEquals(0, second.code(), second.err());
        assertEquals(-1, Files.mismatch(named, numbered));
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "transform", "learn-kernel"})
    void otherCommandsKnowThemToo(String command) {
        String output = folder.resolve("out.csv").toString();
        Run run =
                switch (command) {
                    case "error" -> run("error", data, "--kernel", KERNEL, "--features", "20");
                    case "transform" ->
                        run("transform", data, "--kernel", KERNEL, "--features", "20", "--output", output);
                    default ->
                        run("learn-kernel", data, "--kernel", "gaussian[width, 'total length']", "--features", "20");
                };
        assertEquals(0, run.code(), run.err());
    }

    @Test
    void channelsOfMultipleKernelsTakeThem() {
        Run run = run(
                "mkl",
                data,
                "--channels",
                "size='total length'..width,kind=kind",
                "--features",
                "20",
                "--scale",
                "standard['total length', width]");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("size"), run.out());
    }

    @Test
    void namesThatAreNotThereAreWrongUsage() {
        Run run = run("train", data, "--kernel", "gaussian[widht]", "--features", "20");
        assertEquals(2, run.code());
        assertTrue(run.err().contains("unknown column 'widht'; did you mean 'width'?"), run.err());
        Run apart = run("train", data, "--kernel", "gaussian['total length', kind]", "--features", "20");
        assertEquals(2, apart.code());
        assertTrue(apart.err().contains("not neighbours"), apart.err());
    }
}
