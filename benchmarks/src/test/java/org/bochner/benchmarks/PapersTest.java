package org.bochner.benchmarks;

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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver of benchmarks/papers, with two small experiments and a script in place of the command. */
class PapersTest {
    private static final Path DRIVER =
            Path.of(System.getProperty("bochner.repository", ".."), "benchmarks", "experiments", "run.py");

    private static final String EXPERIMENTS = """
            from harness import Commands, Plot, Table, experiment
            import plot


            @experiment("900", "table-1", "one number", files=["one.csv"])
            def table_1(run):
                found = run("train", "@/one.csv", "--kernel", "gaussian(sigma=2)")
                doubled = run.write(["twice.txt"], lambda: [open(run.folder + "/one.csv").read() * 2])
                return [Table(["error"], [[found["error"]]]), f"{len(run.read('twice.txt'))} characters in {doubled[0]}"]


            @experiment("900", "figure-1", "a curve")
            def figure_1(run):
                values = [run("error", "--features", features)["error"] for features in (10, 20)]
                return [Commands.of(run, {"--features": "D"}), Plot("a curve", plot.chart("a curve", "D", "error", [plot.Series("s", [10, 20], values)]))]
            """;

    private static final String PAGE = """
            before
            <!-- table-1: begin -->
            old
            <!-- table-1: end -->
            between
            <!-- figure-1: begin -->
            <!-- figure-1: end -->
            after
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private record Ended(int code, String output) {}

    @BeforeEach
    void filesOfTheDriver() throws IOException {
        assumeTrue(hasPython(), "needs python3 and a shell");
        Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("docs"));
        Files.createDirectories(folder.resolve("experiments"));
        Files.writeString(folder.resolve("experiments/paper900.py"), EXPERIMENTS);
        Files.writeString(folder.resolve("docs/900.md"), PAGE);
        // Each call leaves a line in calls.txt; the number of lines is the error, so that a second call would differ.
        Path command = folder.resolve("bochner");
        Files.writeString(command, """
                #!/bin/sh
                [ "$1" = --version ] && exit 0
                cd "$(dirname "$0")"
                [ -f fails ] && { echo 'bochner: it fails' >&2; exit 1; }
                echo "$*" >> calls.txt
                echo "{\\"error\\": $(wc -l < calls.txt)}"
                """);
        assertTrue(command.toFile().setExecutable(true));
    }

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("sh", "-c", "python3 --version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("python3", "-B", DRIVER.toString()));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--experiments", folder.resolve("experiments").toString()));
        line.addAll(List.of("--docs", folder.resolve("docs").toString()));
        line.addAll(List.of("--results", folder.resolve("results").toString()));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("BOCHNER", folder.resolve("bochner").toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return new Ended(process.exitValue(), output);
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private int calls() throws IOException {
        Path calls = folder.resolve("calls.txt");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("docs/900.md"));
    }

    @Test
    void namesMissingFilesAndGoesOn() throws Exception {
        Ended ended = run(data());

        assertEquals(1, ended.code(), ended.output());
        assertTrue(ended.output().contains("900 table-1: skipped, " + data() + " has no one.csv"), ended.output());
        assertTrue(ended.output().contains("1 of 2 experiments done"), ended.output());
        assertTrue(page().contains("old"));
        assertTrue(Files.exists(folder.resolve("docs/900-figure-1.svg")));
    }

    @Test
    void rewritesOnlyTheLinesBetweenMarkersAlsoFromKeptResults() throws Exception {
        Files.writeString(folder.resolve("data/one.csv"), "1\n");

        assertEquals(0, run(data()).code());

        assertEquals("""
                before
                <!-- table-1: begin -->

                | error |
                | --- |
                | 1 |

                4 characters in +/twice.txt

                1 command, TIMES.

                <!-- table-1: end -->
                between
                <!-- figure-1: begin -->

                    ./bochner error --features D

                ![a curve](900-figure-1.svg)

                2 commands, TIMES.

                <!-- figure-1: end -->
                after
                """, page().replaceAll("\\d+ s of wall time, \\d+ s of processor time on \\d+ cores", "TIMES"));

        // From kept results alone: the command would fail now.
        String first = page();
        Files.writeString(folder.resolve("docs/900.md"), PAGE);
        Files.writeString(folder.resolve("fails"), "");
        assertEquals(0, run("--pages-only").code());
        assertEquals(first, page());
    }

    @Test
    void keepsResultsUntilTheDataOrTheCommandChange() throws Exception {
        Path one = folder.resolve("data/one.csv");
        Files.writeString(one, "1\n");
        run(data());
        String first = page();
        assertEquals(0, run(data()).code());
        assertEquals(3, calls());
        assertEquals(first, page());

        Files.writeString(one, "1\n2\n");
        run(data());
        assertEquals(4, calls());

        run(data(), "900", "table-1", "--again");
        assertEquals(5, calls());

        Files.writeString(folder.resolve("bochner"), Files.readString(folder.resolve("bochner")) + "# changed\n");
        run(data());
        assertEquals(8, calls());
    }

    @Test
    void goesOnInsideATableAfterAFailure() throws Exception {
        Files.writeString(folder.resolve("fails"), "");
        Ended ended = run(data(), "900", "figure-1");
        assertEquals(1, ended.code());
        assertTrue(ended.output().contains("bochner: it fails"), ended.output());
        assertFalse(Files.exists(folder.resolve("docs/900-figure-1.svg")));

        // One command of the figure is done: only the other one is run.
        Files.delete(folder.resolve("fails"));
        assertEquals(0, run(data(), "900", "figure-1").code());
        try (var kept = Files.newDirectoryStream(folder.resolve("results/900/figure-1"), "error-*.json")) {
            Files.delete(kept.iterator().next());
        }
        assertEquals(0, run(data(), "900", "figure-1").code());
        assertEquals(3, calls());

        // A damaged result is not a result.
        try (var kept = Files.newDirectoryStream(folder.resolve("results/900/figure-1"), "error-*.json")) {
            Files.writeString(kept.iterator().next(), "{\"result\": ");
        }
        assertEquals(0, run(data(), "900", "figure-1").code());
        assertEquals(4, calls());
    }

    @Test
    void aPageWithoutMarkersIsRefusedBeforeTheFirstCommand() throws Exception {
        Files.writeString(folder.resolve("docs/900.md"), "no markers");
        Ended ended = run(data());
        assertEquals(2, ended.code());
        assertTrue(ended.output().contains("900.md needs the lines"), ended.output());
        assertEquals(0, calls());
    }

    /** The commands of a page are those that ran: no flag is lost, and only what varies is replaced. */
    @Test
    void showsTheCommandsThatRan() throws Exception {
        Files.writeString(folder.resolve("experiments/paper900.py"), """
                from harness import Commands, experiment


                @experiment("900", "table-1", "commands", files=["set/one.csv", "two.csv"])
                def table_1(run):
                    for rows in (10, 20):
                        run("mkl", f"+/rows-{rows}.csv", "--channel", "a=@/set/one.csv", "--channel", "b=@/two.csv",
                            "--header", "no", "--learner", f"svm(C={rows}, loss=squared-hinge)", "--seed", rows)
                        run("train", "@/two.csv", "--seed", 1)
                    return [Commands.of(run, {"--seed": "SEED", r"rows-\\d+\\.csv": "rows-N.csv", r"[ab]=.*": "NAME=FILE",
                                              r"svm\\(C=\\d+(, .*)": r"svm(C=N\\1"})]
                """);
        Files.createDirectories(folder.resolve("data/set"));
        Files.writeString(folder.resolve("data/set/one.csv"), "1\n");
        Files.writeString(folder.resolve("data/two.csv"), "1\n");

        Ended ended = run(data());

        assertEquals(0, ended.code(), ended.output());
        assertTrue(page().contains("""
                <!-- table-1: begin -->

                    ./bochner mkl rows-N.csv --channel NAME=FILE ... --header no --learner 'svm(C=N, loss=squared-hinge)' \\
                        --seed SEED
                    ./bochner train two.csv --seed SEED

                4 commands,"""), page());
    }

    @Test
    void reportsFailuresAndGoesOn() throws Exception {
        Files.writeString(folder.resolve("experiments/paper900.py"), """
                from harness import Table, experiment


                @experiment("900", "table-1", "an error of the experiment")
                def table_1(run):
                    return [Table(["quotient"], [[run("error", "--features", 1)["error"] / 0]])]


                @experiment("900", "figure-1", "a result of the table")
                def figure_1(run):
                    return [str(run("error", "--features", 1)["error"])]
                """);

        Ended ended = run(data());

        assertEquals(1, ended.code(), ended.output());
        assertTrue(
                ended.output().contains("900 table-1: failed, ZeroDivisionError at paper900.py:6: "), ended.output());
        assertTrue(ended.output().contains("900 figure-1: 0 commands run, 1 kept"), ended.output());
        assertTrue(ended.output().contains("1 of 2 experiments done"), ended.output());
        assertEquals(1, calls());
        String times = " +\\d+ s of wall time, \\d+ s of processor time on \\d+ cores\\s";
        assertTrue(
                ended.output()
                        .replaceAll(times, " TIMES ")
                        .contains("900 table-1 TIMES 900 figure-1 TIMES total TIMES "),
                ended.output());
    }

    @Test
    void listsNamesAndRefusesUnknownOnes() throws Exception {
        Ended paper = run(data(), "901");
        assertEquals(2, paper.code());
        assertTrue(paper.output().contains("unknown paper 901; the papers are 900"), paper.output());

        Ended table = run(data(), "900", "table-9");
        assertEquals(2, table.code());
        assertTrue(table.output().contains("no experiment table-9; it has table-1, figure-1"), table.output());

        assertEquals(2, run(folder.resolve("absent").toString()).code());

        Ended list = run("--list");
        assertEquals(0, list.code());
        assertTrue(list.output().contains("900 table-1"), list.output());
        assertTrue(list.output().contains("[one.csv]"), list.output());
    }
}
