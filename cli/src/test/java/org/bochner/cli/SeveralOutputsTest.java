package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that cannot write one of its files writes none of them. */
class SeveralOutputsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    /** Runs a command and removes a folder at the first line on stderr, when the outputs were checked and none is written. */
    private static Run losing(Path lost, Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                super.write(text, from, length);
                try {
                    Files.deleteIfExists(lost);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
        int code = Main.commandLine(words)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        return new Run(code, out.toString(), err.toString());
    }

    private void writesNothing(String command, String output, Object... more) throws IOException {
        Path plots = Files.createDirectory(folder.resolve("plots"));
        Path data = Rings.csv(folder.resolve("rings.csv"), 60);
        Path kept = Files.writeString(folder.resolve("kept"), "before");
        Object[] files = {command, data, output, kept, "--plot", plots.resolve("p.svg")};
        Object[] all = Stream.concat(Stream.of(files), Stream.of(more)).toArray();
        losing(plots, all).refused(Main.FAILED, "p.svg: cannot be written");
        assertEquals("before", Files.readString(kept));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(
                    List.of("kept", "rings.csv"),
                    left.map(Path::getFileName).map(Path::toString).sorted().toList());
        }
    }

    @Test
    void learnKernelKeepsTheOldModelAndWritesNoMatrix() throws IOException {
        Path matrix = folder.resolve("M.csv");
        writesNothing("learn-kernel", "--model", "--features", 20, "--method", "agop(full)", "--matrix", matrix);
    }

    @Test
    void mklKeepsTheOldModel() throws IOException {
        writesNothing("mkl", "--model", "--features", 20, "--channels", "a=0:1,b=1:2", "--lambda", 1);
    }

    /** The note on the measured scale is the first line on stderr. */
    @Test
    void errorKeepsTheOldTable() throws IOException {
        writesNothing("error", "--csv", "--kernel", "gaussian", "--features", 4);
    }
}
