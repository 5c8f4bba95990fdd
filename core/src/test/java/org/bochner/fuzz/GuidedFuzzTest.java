package org.bochner.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Coverage-guided fuzzing by Jazzer, with a fixed seed and number of runs. It takes a process of its own, because the
 * instrumentation would slow the other tests.
 */
class GuidedFuzzTest {
    /** The executions of a build with {@code -Plong}, all readers together. */
    private static final int SHORT = 1000;

    private final Path folder;

    GuidedFuzzTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static void assumeJazzer() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        assumeTrue(
                (system.contains("linux") && processor.equals("amd64")) || system.contains("mac"),
                "Jazzer has no native part for this system");
    }

    @Test
    @Tag("long")
    void allReadersShortly() throws IOException, InterruptedException {
        assumeJazzer();
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (FuzzTarget target : FuzzTarget.values()) {
            int number = 0;
            for (byte[] file : FuzzTest.corpus(target)) {
                byte[] chosen = new byte[file.length + 1];
                chosen[0] = (byte) target.key;
                System.arraycopy(file, 0, chosen, 1, file.length);
                Files.write(corpus.resolve(target + "-" + number++), chosen);
            }
        }
        // A run of seconds ends before the optimizing compiler pays off.
        run(SHORT, folder, corpus, List.of("-XX:TieredStopAtLevel=1"));
    }

    @Tag("fuzz")
    @ParameterizedTest
    @EnumSource
    void oneReaderForLong(FuzzTarget target) throws IOException, InterruptedException {
        assumeJazzer();
        Path work = Files.createDirectories(Path.of("target", "fuzz", target.folder()));
        Path found = Files.createDirectories(work.resolve("corpus"));
        long runs = Long.parseLong(System.getProperty("bochner.fuzz.runs", "1000000"));
        String log = run(
                runs,
                work,
                found,
                List.of("-D" + FuzzDriver.TARGET + "=" + target),
                FuzzTest.folder(target).toString());
        System.out.println(target + ": "
                + log.lines()
                        .filter(line -> line.contains("DONE") || line.startsWith("Done"))
                        .reduce("", (one, two) -> one + " " + two.strip()));
    }

    /** Runs Jazzer, and fails with the end of its output if it found something. */
    private static String run(long runs, Path work, Path corpus, List<String> flags, String... seeds)
            throws IOException, InterruptedException {
        Path log = work.resolve("log.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FuzzDriver.class.getName(),
                "--instrumentation_includes=org.bochner.**:org.tukaani.**:org.apache.commons.compress.**",
                "--reproducer_path=" + work,
                "-artifact_prefix=" + work + "/",
                "-seed=1",
                "-max_len=4096",
                "-rss_limit_mb=4000",
                "-timeout=60",
                "-runs=" + runs,
                corpus.toString()));
        command.addAll(List.of(seeds));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(process.waitFor(2, TimeUnit.DAYS));
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertEquals(0, process.exitValue(), () -> output.substring(Math.max(0, output.length() - 6000)));
        assertTrue(output.contains("Done " + runs + " runs"), () -> output);
        // Without coverage, no input but the first would be worth keeping.
        assertFalse(output.contains("DONE   corp: 1/"), () -> output);
        return output;
    }
}
