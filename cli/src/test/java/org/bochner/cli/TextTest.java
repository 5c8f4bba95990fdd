package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bochner.model.KernelModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of texts: {@code --text} and {@code --text-features}. */
class TextTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static final String[] ANIMALS = {"cat", "dog", "Horse", "rabbit", "mouse"};
    private static final String[] TOOLS = {"hammer", "saw", "Drill", "wrench", "pliers"};

    private Path reviews(String name, int rows, int seed, boolean sizes) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(sizes ? "body,size,topic\n" : "topic,body\n");
        for (int i = 0; i < rows; i++) {
            String topic = i % 2 == 0 ? "animals" : "tools";
            StringBuilder body = new StringBuilder();
            for (int w = 0; w < 12; w++) {
                String[] words = random.nextInt(3) == 0 ? ANIMALS : i % 2 == 0 ? ANIMALS : TOOLS;
                body.append(w == 0 ? "" : w == 5 ? ",\n" : " ").append(words[random.nextInt(5)]);
            }
            String cell = "\"" + body + "\"";
            text.append(sizes ? cell + "," + (1000 + i) + "," + topic : topic + "," + cell)
                    .append('\n');
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private Path model() {
        return folder.resolve("m.bochner");
    }

    @Test
    void aColumnWithoutWordsIsRefusedWithARemedy() throws IOException {
        Path letters = Files.writeString(folder.resolve("letters.csv"), "body,y\na b,p\nc,q\n");
        Run.here("train", letters, "--text", "body")
                .refused(1, "'body'", "--text-features 'words(min-length=1)'", "--text-features chars");
        Run.here("train", letters, "--text", "body", "--text-features", "chars(n=9, across)")
                .refused(1, "'body'", "smaller n");
        Path empty = Files.writeString(folder.resolve("empty.csv"), "body,y\n,p\n,q\n");
        Run.here("train", empty, "--text", "body").refused(1, "'body' is empty");
    }

    @Test
    void namesOfTextColumnsAreNeitherEmptyNorRepeated() throws IOException {
        Path data = Files.writeString(folder.resolve("two.csv"), "body,title,y\nab,cd,p\nef,gh,q\n");
        Run.here("train", data, "--text", "body,body").refused(2, "--text names a column twice");
        Run.here("train", data, "--text", "body,").refused(2, "--text has an empty name");
        Run.here("train", data, "--text", "body,,title").refused(2, "--text has an empty name");
        Run.here("train", data, "--text", "body,title").worked();
    }

    @Test
    void aFileOfLabelsAndTextsNeedsNoOtherFlag() throws IOException {
        Path train = reviews("train.csv", 120, 1, false);
        Path test = reviews("test.csv", 60, 2, false);
        Run run = Run.here(
                        "train",
                        train,
                        "--text",
                        "body",
                        "--text-features",
                        "words(buckets=2^10)",
                        "--test",
                        test,
                        "--model",
                        model(),
                        "--json")
                .worked();
        assertTrue(run.number("error") < 0.1);
        Run later = Run.here("evaluate", model(), test, "--json").worked();
        assertEquals(run.number("error"), later.number("error"));
        assertEquals(
                List.of("body"),
                Run.here("inspect", model(), "--json").worked().json().get("textColumns"));
        KernelModel loaded = KernelModel.load(model());
        assertEquals("animals", loaded.predictClass(Map.of("body", "The CAT, and the dog! A horse.")));
        assertEquals("tools", loaded.predictClass(Map.of("body", "hammer and saw and wrench")));
    }

    @Test
    void numbersBesideTextsAreUsed() throws IOException {
        Path train = reviews("train.csv", 120, 1, true);
        Path test = reviews("test.csv", 60, 2, true);
        Run run = Run.here(
                        "train",
                        train,
                        "--text",
                        "body",
                        "--text-features",
                        "words(buckets=2^10)",
                        "--test",
                        test,
                        "--model",
                        model(),
                        "--json")
                .worked();
        assertTrue(run.number("error") < 0.1);
        Run.here("predict", model(), test, "--output", folder.resolve("p.txt")).worked();
    }

    @Test
    void flagsThatDoNotFitAreWrongUsage() throws IOException {
        Path train = reviews("train.csv", 20, 1, false);
        Run.here("train", train, "--text-features", "words").refused(Main.USAGE, "--text-features needs --text COLUMN");
        Run.here("train", train, "--text", "body", "--text-features", "word").refused(Main.USAGE, "'words'");
        Run.here("train", train, "--text", "body", "--format", "libsvm").refused(Main.USAGE, "CSV", "--format libsvm");
        Run.here("train", train, "--text", "bodi").refused(Main.FAILED, "no text column 'bodi'", "'body'");
        Run.here("train", train, "--text", "body", "--categorical", "body").refused(Main.FAILED, "cannot be text");
    }

    @Test
    void anUnknownEncodingIsRefusedAndNothingIsWritten() throws IOException {
        byte[] latin = "topic,body\na,Grüße\nb,word\n".getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(folder.resolve("latin.csv"), latin);
        Run.here("train", file, "--text", "body", "--model", model())
                .refused(Main.FAILED, "latin.csv:2", "column 'body'", "not UTF-8", "--encoding NAME");
        assertFalse(Files.exists(model()));
    }

    @Test
    void freeTextNamesTheFlag() throws IOException {
        StringBuilder text = new StringBuilder("body,topic\n");
        for (int i = 0; i < 120; i++) {
            text.append("some words ").append(i).append(i % 2 == 0 ? ",a\n" : ",b\n");
        }
        Path file = Files.writeString(folder.resolve("free.csv"), text);
        Run.here("train", file).refused(Main.FAILED, "--text body");
    }
}
