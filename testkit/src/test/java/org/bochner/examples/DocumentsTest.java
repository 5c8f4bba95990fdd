package org.bochner.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.map.fourier.FourierMap;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents show is so. */
class DocumentsTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("bochner.repository", ".."));

    private static String read(String path) {
        try {
            return Files.readString(REPOSITORY.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Nested
    class Readme {
        @Test
        void holdsTheLinesOfTheQuickStart() {
            String example = read("testkit/src/test/java/org/bochner/examples/QuickStart.java");
            String start = "// The README's lines start here.\n";
            String lines = example.substring(
                            example.indexOf(start) + start.length(),
                            example.indexOf("        // The README's lines end here."))
                    .stripTrailing()
                    .stripIndent();
            assertTrue(read("README.md").contains("```java\n" + lines + "\n```\n"), "README.md must hold\n" + lines);
        }

        @Test
        void itsQuickStartRuns(@TempDir Path folder) {
            Path model = folder.resolve("digits.bochner");
            String sample = REPOSITORY.resolve("samples/digits.csv.gz").toString();
            PrintStream standard = System.out;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            try {
                QuickStart.main(new String[] {sample, model.toString()});
            } finally {
                System.setOut(standard);
            }
            String output = printed.toString(StandardCharsets.UTF_8);
            Matcher error = Pattern.compile("error on (\\d+) rows held out: ([0-9.E-]+)\\R")
                    .matcher(output);
            assertTrue(error.find(), output);
            assertEquals("361", error.group(1));
            // Ten classes by chance give 0.9; the README shows 0.008, and one row more or less is 0.003.
            assertTrue(Double.parseDouble(error.group(2)) < 0.03, output);
            assertTrue(output.contains("the first of them is a 1"), output);
            assertTrue(
                    KernelModel.load(model).encoding().isPresent(), "the command line must be able to use the model");
        }
    }

    @Nested
    class LearningKernelsDocument {
        @Test
        void holdsTheLinesOfItsExample() {
            String example = read("testkit/src/test/java/org/bochner/examples/LearnKernel.java");
            String start = "// The document's lines start here.\n";
            String lines = example.substring(
                            example.indexOf(start) + start.length(),
                            example.indexOf("        // The document's lines end here."))
                    .stripTrailing()
                    .stripIndent();
            assertTrue(
                    read("docs/learning-kernels.md").contains("```java\n" + lines + "\n```\n"),
                    "docs/learning-kernels.md must hold\n" + lines);
        }

        @Test
        void itsExampleRuns() {
            String sample = REPOSITORY.resolve("samples/digits.csv.gz").toString();
            PrintStream standard = System.out;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            try {
                LearnKernel.main(new String[] {sample});
            } finally {
                System.setOut(standard);
            }
            List<String> lines =
                    printed.toString(StandardCharsets.UTF_8).lines().toList();
            // The objective, 64 columns, and the same error twice: of the model, and of one with the kernel's spelling.
            assertEquals(67, lines.size());
            assertEquals(lines.get(65), lines.get(66));
            String[] objective = lines.get(0).split(" ", -1);
            assertTrue(Double.parseDouble(objective[3]) < Double.parseDouble(objective[1]), lines.get(0));
        }
    }

    @Nested
    class KernelsDocument {
        private final String document = read("docs/kernels.md");

        @Test
        void hasASectionForEveryFamily() {
            for (KernelFamily family : Kernels.families()) {
                if (!List.of("logistic", "twin", "blend", "exp-blend").contains(family.name())) { // the tests' own
                    Pattern heading = Pattern.compile("(?m)^## (.*, )?" + family.name() + "(, .*)?$");
                    assertTrue(heading.matcher(document).find(), family.name());
                }
            }
        }

        @Test
        void showsSpellingsThatParseAndPrintBack() {
            List<String> spellings = document.lines()
                    .filter(line -> line.startsWith("    "))
                    .map(String::strip)
                    .toList();
            assertTrue(spellings.size() >= 10, "found " + spellings);
            for (String spelling : spellings) {
                KernelRecipe recipe = Kernels.recipe(spelling);
                assertEquals(spelling, recipe.toString());
            }
        }
    }

    @Test
    void mapsDocumentNamesEveryMap() {
        for (String name : FeatureMaps.names()) {
            assertTrue(read("docs/maps.md").contains("\n| `" + name + "` |"), name);
        }
    }

    @Test
    void commandLineDocumentNamesEveryScaling() {
        for (String name : Scalings.names()) {
            assertTrue(read("docs/command-line.md").contains("`" + name), name);
        }
    }

    @Test
    void reproducibilityDocumentShowsTheFirstFrequencies() {
        FourierMap map = (FourierMap)
                FeatureMaps.parse("fourier").build(Kernels.gaussian(25), 64, 512, new Seed(1).derive("map"));
        Matcher shown = Pattern.compile("```\n((?:-?\\d+\\.\\d+\n){4})```").matcher(read("docs/reproducibility.md"));
        assertTrue(shown.find(), "four numbers between fences");
        double[] numbers =
                shown.group(1).lines().mapToDouble(Double::parseDouble).toArray();
        assertArrayEquals(Arrays.copyOf(map.unitFrequencies(), 4), numbers);
    }

    @Test
    void linksBetweenFilesLeadSomewhere() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String folder : List.of("", "docs", "docs/adr", "docs/papers", "samples")) {
            try (Stream<Path> files = Files.list(REPOSITORY.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        assertFalse(documents.isEmpty());
        Pattern link = Pattern.compile("]\\(([^)#:]+)\\)");
        for (Path document : documents) {
            Matcher links = link.matcher(Files.readString(document));
            while (links.find()) {
                assertTrue(
                        Files.exists(document.resolveSibling(links.group(1))),
                        document + " links to " + links.group(1));
            }
        }
    }
}
