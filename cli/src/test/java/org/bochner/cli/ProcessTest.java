package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own shows: streams, signals, exit codes, memory, and the same bytes again. */
class ProcessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static boolean anyFile(Path folder, Predicate<String> named) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(path -> named.test(path.getFileName().toString()));
        }
    }

    /** Writes a model of few rows, for data in the LIBSVM format. */
    private void train(Path model) throws IOException {
        Path few = Rings.libsvm(file("few.libsvm"), 100);
        Run.here("train", few, "--features", 4, "--model", model).worked();
    }

    /** Something that a process does sooner or later. */
    private interface Sign {
        boolean seen() throws IOException;
    }

    /** Waits for a sign; the process would have to hang for this to fail. */
    private static void await(Sign sign) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!sign.seen()) {
            assertTrue(System.nanoTime() < deadline, "the process does not go on");
            Thread.sleep(20);
        }
    }

    @Test
    void theWholePathOnTheSample() throws IOException {
        Path model = file("digits.bochner");
        Run trained = Run.process(
                        "train", Run.DIGITS, "--holdout", 0.2, "--features", 100, "--scale", "none", "--model", model)
                .worked();
        assertTrue(trained.out().contains("holdout  error "), trained.out());
        assertTrue(trained.err().contains("1,797 rows, 64 columns; 10 classes"), trained.err());
        assertFalse(trained.err().contains("\r") || trained.err().contains("\u001b"), "no progress without a terminal");

        Run predicted = Run.here("predict", model, Run.DIGITS).worked();
        assertEquals("", predicted.err());
        assertEquals(1797, predicted.lines().size());
        assertTrue(predicted.lines().stream().allMatch(line -> line.matches("\\d")));

        Run evaluated = Run.here("evaluate", model, Run.DIGITS).worked();
        assertEquals("", evaluated.err());
        assertTrue(evaluated.out().startsWith("error "), evaluated.out());
        assertEquals(
                25, evaluated.lines().size(), "the error, two tables with a head and a line per digit, their means");

        Run inspected = Run.here("inspect", model).worked();
        assertEquals("", inspected.err());
        for (String fact : List.of("10 classes", "gaussian(sigma=", "digits.csv.gz", "sha256", "seed", "created")) {
            assertTrue(inspected.out().contains(fact), inspected.out());
        }

        Path features = file("z.npy");
        Run transformed = Run.here("transform", Run.DIGITS, "--model", model, "--output", features)
                .worked();
        assertEquals("", transformed.out());
        assertTrue(Files.size(features) >= 4L * 1797 * 100);
        assertFalse(anyFile(folder, name -> name.endsWith(".tmp")), "nothing temporary is left");
    }

    @Test
    void demo() {
        Run run = Run.here("demo").worked();
        assertTrue(run.out().contains("test error "), run.out());
        assertTrue(run.out().contains("Try next"), run.out());
        assertEquals("", run.err());
    }

    @Test
    void errorOnTheSample() {
        Run run = Run.here("error", "--kernel", "gaussian(sigma=20)", "--features", 100, Run.DIGITS)
                .worked();
        assertTrue(run.out().contains("rms"), run.out());
        assertEquals("", run.err());
    }

    @Test
    void helpVersionAndCompletionGoToStdout() {
        for (List<String> arguments : List.of(List.of("--version"), List.of("help", "train"), List.of("completion"))) {
            Run run = Run.here(arguments.toArray()).worked();
            assertFalse(run.out().isBlank());
            assertEquals("", run.err());
        }
    }

    @Nested
    class Failures {
        @Test
        void haveExitCodesAMessageAndNothingOnStdout() throws IOException {
            Path ragged = Files.writeString(file("ragged.csv"), "a,b,y\n1,2,p\n3,4\n");
            Run.process("train", ragged, "--json", "--model", file("m.bochner"))
                    .refused(Main.FAILED, "ragged.csv:3: expected 3 cells, found 2");
            Run.process("train", ragged, "--kernel", "gausian").refused(Main.USAGE, "did you mean 'gaussian'?");
            assertFalse(Files.exists(file("m.bochner")));
        }

        @Test
        void showWhereOnlyWhenAsked() {
            Run run = Run.here("inspect", "nowhere.bochner", "--debug");
            assertEquals(Main.FAILED, run.code());
            assertTrue(run.err().contains("\tat org.bochner."), run.err());
        }

        @Test
        void ofMemorySayWhatToDo() throws IOException {
            // 1000 rows of 100,000 columns are 0.8 GB, in 64 MB.
            Process process = new ProcessBuilder(Run.commandLine(
                            List.of("-Xmx64m"),
                            "error",
                            "--domain",
                            "0:1",
                            "--columns",
                            100_000,
                            "--kernel",
                            "gaussian(sigma=1)"))
                    .start();
            Run.finish(process, new byte[0]).refused(Main.FAILED, "out of memory", "BOCHNER_OPTS=-Xmx");
        }
    }

    @Nested
    class StandardInput {
        @Test
        void isReadByTrainAndPredict() throws IOException {
            Path data = Rings.libsvm(file("rings.libsvm"), 300);
            byte[] plain = Files.readAllBytes(data);
            byte[] zipped = Files.readAllBytes(Rings.gzip(data));
            Path fromFile = file("file.bochner");
            Path fromPipe = file("pipe.bochner");
            Run.here("train", data, "--features", 20, "--model", fromFile).worked();
            Run.processWithInput(plain, "train", "-", "--features", 20, "--model", fromPipe)
                    .worked();
            String expected =
                    Run.here("predict", fromFile, data, "--scores").worked().out();
            assertEquals(
                    expected,
                    Run.here("predict", fromPipe, data, "--scores").worked().out());
            assertEquals(
                    expected,
                    Run.processWithInput(zipped, "predict", fromFile, "-", "--scores")
                            .worked()
                            .out());
        }

        @Test
        void needsAFolderForItsCopy() throws IOException {
            Process process = new ProcessBuilder(
                            Run.commandLine(List.of("-Djava.io.tmpdir=" + file("nowhere")), "train", "-"))
                    .start();
            Run.finish(process, "1,2\n3,4\n".getBytes(StandardCharsets.US_ASCII))
                    .refused(Main.FAILED, "stdin: must be read twice, and cannot be copied", "nowhere");
        }

        @Test
        void isCopiedUpToALimit() throws IOException {
            Process process = new ProcessBuilder(
                            Run.commandLine(List.of("-Dbochner.copy.limit=100000"), "train", "-", "--features", 10))
                    .start();
            byte[] rows = "1,2\n3,4\n".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
            Run.finish(process, rows)
                    .refused(Main.FAILED, "stdin: is too long to be copied", "100000 bytes; save it to a file first");
        }

        @Test
        void withoutAKnownFormatIsRefusedBeforeItIsCopied() throws IOException {
            File zeros = new File("/dev/zero");
            assumeTrue(zeros.exists(), "this system has no /dev/zero to read");
            Run.here("train", zeros).refused(Main.FAILED, "/dev/zero: is neither text");
        }

        @Test
        void thatIsEmptyIsRefused() {
            Run.processWithInput(new byte[0], "train", "-").refused(Main.FAILED, "stdin", "empty");
        }
    }

    @Nested
    class StandardOutputOf {
        private Path scores() throws IOException {
            // More than the 64 kB that a pipe holds.
            Path data = Rings.libsvm(file("rings.libsvm"), 12_000);
            train(file("m.bochner"));
            return data;
        }

        @Test
        void predictMayBeLeftByItsReader() throws IOException, InterruptedException {
            Path data = scores();
            Process process = new ProcessBuilder(
                            Run.commandLine(List.of(), "predict", file("m.bochner"), data, "--scores"))
                    .start();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                Double.parseDouble(String.valueOf(out.readLine()));
            }
            try (InputStream err = process.getErrorStream()) {
                assertEquals("", new String(err.readAllBytes(), StandardCharsets.UTF_8));
            }
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            assertEquals(Main.WORKED, process.exitValue());
        }

        @Test
        void predictMustNotBeLost() throws IOException {
            File full = new File("/dev/full");
            assumeTrue(full.exists(), "this system has no /dev/full to write to");
            Path data = scores();
            for (String flag : List.of("--scores", "--quiet")) {
                Process process = new ProcessBuilder(
                                Run.commandLine(List.of(), "predict", file("m.bochner"), data, flag))
                        .redirectOutput(full)
                        .start();
                Run.finish(process, new byte[0]).refused(Main.FAILED, "stdout: cannot be written", "No space left");
            }
        }

        @Test
        void trainKeepsTheModelAndSaysIt() throws IOException {
            File full = new File("/dev/full");
            assumeTrue(full.exists(), "this system has no /dev/full to write to");
            Path data = Rings.csv(file("rings.csv"), 40);
            Process process = new ProcessBuilder(
                            Run.commandLine(List.of(), "train", data, "--features", 4, "--model", file("kept.bochner")))
                    .redirectOutput(full)
                    .start();
            Run.finish(process, new byte[0]).refused(Main.FAILED, "stdout: cannot be written", "--model, are complete");
            Run.here("inspect", file("kept.bochner")).worked();
        }
    }

    /** A file that cannot grow, as on a full disk. */
    @Nested
    class FullDisk {
        @Test
        void isNamedByPredictAndLeavesNoPartOfTheOutput() throws IOException {
            assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no shell that limits the size of files");
            Path data = Rings.libsvm(file("rings.libsvm"), 12_000);
            Path model = file("m.bochner");
            train(model);
            Path old = Files.writeString(file("p.txt"), "old");
            List<String> limited = new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -f 16; exec \"$@\"", "bash"));
            limited.addAll(
                    Run.commandLine(List.of("-XX:-UsePerfData"), "predict", model, data, "--scores", "--output", old));
            Run.finish(new ProcessBuilder(limited).start(), new byte[0])
                    .refused(Main.FAILED, "p.txt: cannot be written: File too large");
            assertEquals("old", Files.readString(old));
            assertFalse(anyFile(folder, name -> name.endsWith(".tmp")), "a part of the output is left");
        }
    }

    @Nested
    class Ended {
        /** A command that waits for the rest of its input. */
        private Process waiting(Object... arguments) throws IOException {
            Process process = new ProcessBuilder(Run.commandLine(List.of("-Djava.io.tmpdir=" + folder), arguments))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            OutputStream input = process.getOutputStream();
            // More than is looked at to find out the format.
            for (int i = 0; i < 10_000; i++) {
                input.write((Rings.libsvmLine(i) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
            input.flush();
            return process;
        }

        @Test
        void trainLeavesNeitherModelNorCopy() throws IOException, InterruptedException {
            assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "this system does not show the files of a process");
            Process process = waiting("train", "-", "--features", 10, "--model", file("m.bochner"));
            // The copy has no name in the folder, but the system lists it as open.
            await(() -> holds(process, "bochner-"));
            assertFalse(anyFile(folder, name -> name.endsWith(".data")), "others can find the copy");
            process.destroyForcibly().waitFor();
            assertNotEquals(Main.WORKED, process.exitValue());
            // Meanwhile, another thread may have unpacked the native libraries of BLAS into the folder.
            assertFalse(
                    anyFile(folder, name -> !name.startsWith("libnetlib")),
                    "a model, a copy, or a part of one, is left");
        }

        /** Whether a process has a file open that lies, or lay, in the folder and whose name begins so. */
        private boolean holds(Process process, String name) throws IOException {
            String start = folder.toRealPath().resolve(name).toString();
            try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
                for (Path descriptor : open.toList()) {
                    try {
                        if (Files.readSymbolicLink(descriptor).toString().startsWith(start)) {
                            return true;
                        }
                    } catch (NoSuchFileException e) {
                        // Closed since it was listed.
                    }
                }
            }
            return false;
        }

        @Test
        void predictLeavesNoOutput() throws IOException, InterruptedException {
            Path data = Rings.libsvm(file("rings.libsvm"), 100);
            Run.here("train", data, "--features", 10, "--model", file("m.bochner"))
                    .worked();
            Process process = waiting("predict", file("m.bochner"), "-", "--output", file("p.txt"));
            await(() -> anyFile(folder, name -> name.startsWith(".p.txt")));
            // As Ctrl-C does, this gives the process the time to tidy up. Not process.destroy(), which also closes its
            // input: the command would find its rows complete, and might name its output before the signal arrives.
            assertTrue(process.toHandle().destroy());
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            assertNotEquals(Main.WORKED, process.exitValue());
            assertFalse(anyFile(folder, name -> name.contains("p.txt")), "an output, or a part of one, is left");
        }
    }

    /** The same command gives the same bytes, and so does another number of threads. */
    @Nested
    class SameBytes {
        private byte[] train(String name, Object... arguments) throws IOException {
            Path model = file(name);
            List<String> command = Run.commandLine(List.of(), arguments);
            command.addAll(List.of("--model", model.toString()));
            ProcessBuilder builder = new ProcessBuilder(command);
            // So that midnight does not come between two runs.
            builder.environment().put("SOURCE_DATE_EPOCH", "1700000000");
            Run.finish(builder.start(), new byte[0]).worked();
            return Files.readAllBytes(model);
        }

        /**
         * 3000 rows are three blocks, which two threads take in no fixed order. What differed from run to run would differ
         * from the run of one thread too.
         */
        @Test
        void onDenseRows() throws IOException {
            Path data = Rings.csv(file("rings.csv"), 3000);
            Object[] two = {"train", data, "--features", 30, "--holdout", 0.1, "--threads", 2};
            Object[] one = {"train", data, "--features", 30, "--holdout", 0.1, "--threads", 1};
            assertArrayEquals(train("two.bochner", two), train("one.bochner", one));
        }

        @Test
        void onSparseRows() throws IOException {
            Path data = Rings.write(
                    file("sparse.libsvm"),
                    "",
                    3000,
                    i -> Rings.libsvmLine(i) + " " + (3 + i % 50) + ":1 " + (60 + i % 7) + ":0.5");
            assertArrayEquals(sparse("two.bochner", data, 2), sparse("one.bochner", data, 1));
        }

        private byte[] sparse(String model, Path data, int threads) throws IOException {
            return train(
                    model,
                    "train",
                    data,
                    "--features",
                    30,
                    "--balanced",
                    "--map",
                    "orthogonal",
                    "--kernel",
                    "gaussian(sigma=1)",
                    "--scale",
                    "none",
                    "--threads",
                    threads);
        }
    }
}
