package org.bochner.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.testkit.FeatureMapContract;
import org.bochner.testkit.RowSourceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of docs/java.md stand there word for word, run, and print what the document says. */
class JavaDocumentTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("bochner.repository", ".."));
    private static final Path DIGITS = REPOSITORY.resolve("samples/digits.csv.gz");
    private static final Path FLATS = REPOSITORY.resolve("testkit/src/test/resources/examples/flats.csv");

    /**
     * An example.
     *
     * @param arguments of its main method, in which {@code TEMP} stands for a temporary folder
     */
    private record Example(String name, Consumer<String[]> main, List<String> arguments) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Example> examples() {
        return Stream.of(
                new Example("TrainFromArrays", TrainFromArrays::main, List.of()),
                new Example("ServeModel", ServeModel::main, List.of(FLATS.toString(), "TEMP")),
                new Example("EvaluateFile", EvaluateFile::main, List.of(FLATS.toString(), "TEMP")),
                new Example("OwnKernel", OwnKernel::main, List.of(DIGITS.toString(), "TEMP/own.bochner")),
                new Example("OwnMap", OwnMap::main, List.of("TEMP/own.bochner")),
                new Example("OwnSource", OwnSource::main, List.of()),
                new Example("LearnScales", LearnScales::main, List.of()),
                new Example("WeighChannels", WeighChannels::main, List.of()),
                new Example("TrainCascade", TrainCascade::main, List.of(DIGITS.toString())),
                new Example("TrainTree", TrainTree::main, List.of(DIGITS.toString())),
                new Example("SearchMachines", SearchMachines::main, List.of()),
                new Example("DesignMap", DesignMap::main, List.of(DIGITS.toString())));
    }

    private static String document() throws IOException {
        return Files.readString(REPOSITORY.resolve("docs/java.md"));
    }

    /** The part of the document on an example: from the heading before the link to its file to the next heading. */
    private static String section(String example) throws IOException {
        for (String section : document().split("(?m)^## ", -1)) {
            if (section.contains("examples/" + example + ".java)")) {
                return section;
            }
        }
        throw new AssertionError("docs/java.md must link to " + example + ".java");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void standInTheDocument(Example example) throws IOException {
        String source = Files.readString(
                REPOSITORY.resolve("testkit/src/test/java/org/bochner/examples/" + example.name + ".java"));
        Matcher marked = Pattern.compile(
                        "(?s) *// The document's lines start here\\.\n(.*?)\n *// The document's lines end here\\.")
                .matcher(source);
        List<String> blocks = new ArrayList<>();
        while (marked.find()) {
            blocks.add("```java\n" + marked.group(1).stripIndent() + "\n```\n");
        }
        assertFalse(blocks.isEmpty());
        String section = section(example.name);
        for (String block : blocks) {
            assertTrue(section.contains(block), "docs/java.md must hold\n" + block);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void printWhatTheDocumentSays(Example example, @TempDir Path folder) throws IOException {
        PrintStream standard = System.out;
        Locale usual = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example.main.accept(example.arguments.stream()
                    .map(argument -> argument.replace("TEMP", folder.toString()))
                    .toArray(String[]::new));
        } finally {
            System.setOut(standard);
            Locale.setDefault(usual);
        }
        String output = printed.toString(StandardCharsets.UTF_8)
                .replace(folder.toString(), "models")
                .replace("\r\n", "\n");
        assertTrue(
                section(example.name).contains("\n```\n" + output + "```\n"),
                "docs/java.md must show what " + example + " prints:\n" + output);
    }

    @Test
    void coverEveryExampleOfTheDocument() throws IOException {
        Matcher links = Pattern.compile("examples/(\\w+)\\.java\\)").matcher(document());
        List<String> linked = new ArrayList<>();
        while (links.find()) {
            linked.add(links.group(1));
        }
        assertEquals(examples().map(Example::name).toList(), linked);
    }

    @Nested
    class TheMapOfTheDocument implements FeatureMapContract {
        @Override
        public FeatureMap map() {
            return new OwnMap.Products(3);
        }

        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            // An exact map: six products of at most 1, rounded a few times each.
            return 1e-14;
        }

        @Override
        public List<MapLoader> loaders() {
            return List.of(new MapLoader("products", state -> new OwnMap.Products(state.count("columns"))));
        }
    }

    @Nested
    class TheSourceOfTheDocument implements RowSourceContract {
        @Override
        public RowSource source() {
            return new OwnSource.Windows(new double[] {1, 2, 4, 8, 16, 32, 64}, 3);
        }
    }
}
