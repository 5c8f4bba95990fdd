package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The folder of kept designs, and what train and inspect say about designed maps. */
class DesignFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @Test
    void theEnvironmentNamesTheFolder() {
        Path home = folder.toAbsolutePath();
        Path other = home.resolve("other");
        assertEquals(
                Optional.of(home.resolve(".cache").resolve("bochner").resolve("designs")),
                DesignFolder.of(Map.of(), home.toString()));
        assertEquals(
                Optional.of(other.resolve("bochner").resolve("designs")),
                DesignFolder.of(Map.of("XDG_CACHE_HOME", other.toString()), home.toString()));
        assertEquals(
                DesignFolder.of(Map.of(), home.toString()),
                DesignFolder.of(Map.of("XDG_CACHE_HOME", "relative"), home.toString()));
        assertEquals(
                Optional.of(other),
                DesignFolder.of(Map.of("BOCHNER_DESIGNS", other.toString(), "XDG_CACHE_HOME", "/x"), home.toString()));
    }

    @Test
    void offKeepsNothing() {
        for (String off : List.of("off", "OFF", "Off")) {
            assertEquals(Optional.empty(), DesignFolder.of(Map.of("BOCHNER_DESIGNS", off), "/home/one"));
        }
        assertEquals(Optional.empty(), DesignFolder.of(Map.of(), null));
        assertEquals(Optional.empty(), DesignFolder.of(Map.of(), "?"));
    }

    /**
     * Runs a design with BOCHNER_DESIGNS, and returns the notes on stderr.
     *
     * @param domain a range of its own, so that the design is not in memory yet
     */
    private static String notes(String variable, String domain, String... flags) {
        String[] words = Stream.concat(
                        Stream.of("design", "--kernel", "chi2", "--domain", domain, "--dimension", "1"),
                        Stream.of(flags))
                .toArray(String[]::new);
        StringWriter err = new StringWriter();
        DesignFolder designs = DesignFolder.use(Map.of("BOCHNER_DESIGNS", variable), null);
        try {
            CommandLine line = Main.commandLine(words);
            line.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
            Main.storeDesigns(line, designs);
            assertEquals(0, line.execute(words));
        } finally {
            designs.end();
        }
        return err.toString();
    }

    @Test
    void aBadFolderIsANote() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        String notes = notes(file.toString(), "1:31.5");
        assertEquals(
                "note: designs are not stored: " + file
                        + " is not a folder. Set BOCHNER_DESIGNS to another folder, or to off.\n",
                notes.replace(System.lineSeparator(), "\n"));
    }

    @Test
    void aPathThatIsNoneIsANote() {
        String notes = notes("a\0b", "1:31.6");
        assertTrue(notes.contains("designs are not stored") && notes.contains("is not a path"), notes);
        assertEquals("", notes("a\0b", "1:31.7", "--quiet"));
    }

    @Test
    void trainReportsTheTimeAndInspectTheRangeAndTheError() throws IOException {
        Path data = Files.writeString(
                folder.resolve("data.csv"), "a,b,y\n1,2,u\n32,1,v\n3,4,u\n8,1,v\n2,9,u\n9,2,v\n1,7,u\n5,2,v\n");
        Path model = folder.resolve("model.bochner");
        Run run = Run.here(
                "train",
                data,
                "--kernel",
                "chi2",
                "--scale",
                "none",
                "--map",
                "lp(dimension=1)",
                "--model",
                model,
                "--json");
        assertEquals(0, run.code(), run.err());
        double seconds = run.number("designSeconds");
        assertTrue(seconds > 0 && seconds <= run.number("prepareSeconds"));
        Run inspect = Run.here("inspect", model.toString(), "--json");
        Map<?, ?> design = (Map<?, ?>) inspect.list("designs").get(0);
        assertEquals("chi2", design.get("kernel"));
        assertEquals("largest", design.get("norm"));
        assertEquals(32, Run.number(design, "largestRatio"), 1e-9);
        double error = Run.number(design, "error");
        assertEquals(leastErrorOfOneFeature(32), error, 1e-3);
        String text = Run.here("inspect", model.toString()).out();
        assertTrue(text.contains("for ratios of values up to 32"), text);
    }

    /** The least largest error |2t/(1+t) − α√t| over the ratios t, by trying many α, each at many t. */
    private static double leastErrorOfOneFeature(double ratio) {
        double least = 1;
        for (double alpha = 0.5; alpha <= 1; alpha += 1e-3) {
            double largest = 0;
            for (int i = 0; i <= 500; i++) {
                double t = Math.pow(ratio, -i / 500.0);
                largest = Math.max(largest, Math.abs(2 * t / (1 + t) - alpha * Math.sqrt(t)));
            }
            least = Math.min(least, largest);
        }
        return least;
    }
}
