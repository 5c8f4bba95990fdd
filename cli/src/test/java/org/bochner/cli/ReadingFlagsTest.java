package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flags that say how DATA is read, from the command line to the rows. */
class ReadingFlagsTest {
    private final Path folder;

    ReadingFlagsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** A file of 40 lines of which each has its number in place of #, and a or b in place of @. */
    private Path file(String name, String header, String line) throws IOException {
        StringBuilder text = new StringBuilder(header);
        for (int i = 0; i < 40; i++) {
            text.append(line.replace("#", Integer.toString(i)).replace("@", i < 20 ? "ä" : "ö"))
                    .append('\n');
        }
        return Files.write(folder.resolve(name), text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private Path model() {
        return folder.resolve("m.bochner");
    }

    private Run train(Path data, Object... flags) {
        Object[] all = new Object[flags.length + 8];
        Object[] first = {"train", data, "--features", "20", "--kernel", "gaussian(sigma=9)", "--model", model()};
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(flags, 0, all, first.length, flags.length);
        return Run.here(all);
    }

    @Test
    void labelsMayCountFromTheEnd() throws IOException {
        Path data = file("t.csv", "x,y,z\n", "#,@,5").toAbsolutePath();
        for (List<String> flags : List.of(List.of("--label", "-2"), List.of("--label=-2"))) {
            Run run = train(data, concat(flags, "--json", "--encoding", "ISO-8859-1"))
                    .worked();
            assertEquals(List.of("ä", "ö"), run.list("classes"));
            assertEquals(2, run.number("columns"));
        }
    }

    private static Object[] concat(List<String> first, Object... others) {
        Object[] all = new Object[first.size() + others.length];
        System.arraycopy(first.toArray(), 0, all, 0, first.size());
        System.arraycopy(others, 0, all, first.size(), others.length);
        return all;
    }

    @Test
    void encodingsAreReadByTrainingPredictionAndEvaluation() throws IOException {
        Path data = file("t.csv", "x,größe,y\n", "#,@,@");
        train(data).refused(Main.FAILED, "t.csv:1: ", "0xF6", "--encoding");
        train(data, "--encoding", "latin1").worked();
        Run.here("predict", model(), data).refused(Main.FAILED, "--encoding");
        Run predicted =
                Run.here("predict", model(), data, "--encoding", "ISO-8859-1").worked();
        assertEquals("ä", predicted.lines().get(0));
        assertEquals(
                0,
                Run.here("evaluate", model(), data, "--encoding", "ISO-8859-1", "--json")
                        .worked()
                        .number("error"));
    }

    @Test
    void namesOfEncodingsThatDoNotExistAreWrongUsage() throws IOException {
        Path data = file("t.csv", "x,y\n", "#,@");
        train(data, "--encoding", "windows-1225").refused(Main.USAGE, "--encoding", "did you mean 'windows-12");
        train(data, "--encoding", "???").refused(Main.USAGE, "ISO-8859-1");
    }

    @Test
    void stdinCanBeOneFileOnly() throws IOException {
        Run.here("train", "-", "--labels", "-").refused(Main.USAGE, "stdin (-) can be only one of the files");
        Path data = file("t.csv", "x,y\n", "#,@");
        train(data, "--test", "-", "--test-labels", "-").refused(Main.USAGE, "stdin (-)");
    }

    @Test
    void delimitersThatAreNoneAreWrongUsage() throws IOException {
        Path data = file("t.csv", "x,y\n", "#,@");
        train(data, "--delimiter", "").refused(Main.USAGE, "--delimiter", "must be one character", "tab");
        train(data, "--delimiter", "ab").refused(Main.USAGE, "--delimiter", "got 'ab'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", "\\t", "tab", "TAB"})
    void tabsHaveAName(String delimiter) throws IOException {
        Path data = file("t.csv", "x\ty\n", "#\t" + "k");
        Files.writeString(data, Files.readString(data).replace("39\tk", "39\tm"));
        train(data, "--delimiter", delimiter).worked();
    }

    @Test
    void decimalSignsAreTakenFromTheFlag() throws IOException {
        Path data = file("t.csv", "x;y\n", "1,#00;k");
        Files.writeString(
                data, Files.readString(data).replace("1,3900;k", "1,390;m").replaceAll(",(..)00;", ",$10;"));
        train(data).refused(Main.FAILED, "column 'x'", "--decimal comma");
        train(data, "--decimal", "comma").worked();
        train(data, "--decimal", "dot").refused(Main.USAGE, "must be auto, point or comma");
    }

    @Test
    void notesAboutTheDataAreSaidAndPutInTheJson() throws IOException {
        StringBuilder text = new StringBuilder("id,when,x,y\n");
        for (int i = 0; i < 150; i++) {
            text.append("user")
                    .append(i)
                    .append(",2024-01-")
                    .append(10 + i % 20)
                    .append(',')
                    .append(i * i)
                    .append(',')
                    .append(i % 2 == 0 ? "a\n" : "b\n");
        }
        Path data = Files.writeString(folder.resolve("t.csv"), text.toString());
        Run run = train(data, "--json").worked();
        assertTrue(run.err().contains("note: column 'id' is left out"), run.err());
        assertTrue(run.err().contains("note: column 'when' holds dates"), run.err());
        assertTrue(run.list("notes").toString().contains("column 'id' is left out"), run.out());
        assertEquals(2, run.number("columns"));
        Run without = train(data, "--json", "--ignore", "id,when").worked();
        assertEquals(1, without.number("columns"));
        assertTrue(!without.err().contains("note: column"), without.err());
        Path later = Files.writeString(folder.resolve("later.csv"), "x,id\n3,new\n");
        assertEquals(1, Run.here("predict", model(), later).worked().lines().size());
    }

    @Test
    void ignoredColumnsMayCountFromTheEnd() throws IOException {
        Path data = file("t.csv", "x,y,z\n", "#,k#,5");
        Files.writeString(data, Files.readString(data).replaceAll("k[0-9]", "k"));
        for (List<String> flags :
                List.of(List.of("--ignore", "-1"), List.of("--ignore=-1"), List.of("--ignore", "z"))) {
            assertEquals(1, train(data, concat(flags, "--json")).worked().number("columns"));
        }
    }
}
