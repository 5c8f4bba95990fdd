package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** No command overwrites a file that it reads, or writes two outputs to one file. */
class FileRolesTest {
    private static final String CONTENT = "x,y,where\n1,2,inner\n3,4,outer\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private Path file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), CONTENT);
    }

    static Stream<String> commands() {
        return Main.commandLine().getSubcommands().keySet().stream();
    }

    /** The arguments of each command, read once: to set up all commands takes longer than to run one. */
    private static final Map<String, List<ArgSpec>> ARGUMENTS = new ConcurrentHashMap<>();

    private static List<ArgSpec> arguments(String command) {
        return ARGUMENTS.computeIfAbsent(command, FileRolesTest::read);
    }

    private static List<ArgSpec> read(String command) {
        CommandLine line =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get(command));
        return line.getCommandSpec().args();
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    /** The command with two of its arguments given, and the others that it cannot do without. */
    private static Object[] command(String command, ArgSpec one, Path first, ArgSpec other, Path second) {
        List<Object> words = new ArrayList<>(List.of(command));
        for (ArgSpec argument : arguments(command)) {
            boolean chosen = name(argument).equals(name(one)) || name(argument).equals(name(other));
            if (argument.isOption() && !chosen && !argument.required()) {
                continue;
            }
            Path path = name(argument).equals(name(one)) ? first : second;
            if (argument.isOption()) {
                words.add(name(argument));
            }
            words.add(
                    !chosen
                            ? "nothing" + words.size()
                            : (argument.paramLabel().startsWith("NAME=") ? "name=" : "") + path);
        }
        return words.toArray();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyFileOfEveryCommandHasARole(String command) {
        for (ArgSpec argument : arguments(command)) {
            boolean file = argument.paramLabel().matches("(NAME=)?(FILE|DATA|MODEL)\\S*");
            boolean reads = FileRoles.reads(argument) != null;
            boolean writes = FileRoles.writes(argument) != null;
            assertEquals(
                    file,
                    reads || writes,
                    () -> command + " " + name(argument) + ": mark its field with @Reads or @Writes");
            assertFalse(reads && writes, () -> command + " " + name(argument) + " has two roles");
            assertEquals(
                    name(argument).equals("--scale"),
                    FileRoles.readsByScaling(argument),
                    () -> command + " " + name(argument) + ": mark the field of a scaling with @ReadsByScaling");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void noOutputOfAnyCommandMayBeOneOfItsOtherFiles(String command) throws IOException {
        Path shared = file("shared.svg");
        Path spelled = folder.resolve("folder").resolve("..").resolve("shared.svg");
        Files.createDirectory(folder.resolve("folder"));
        for (ArgSpec output : arguments(command)) {
            for (ArgSpec other : arguments(command)) {
                Reads reads = FileRoles.reads(other);
                boolean second = FileRoles.writes(other) != null && !name(other).equals(name(output));
                boolean update = reads != null && reads.updatedBy().equals(name(output));
                if (FileRoles.writes(output) == null || update || (reads == null && !second)) {
                    continue;
                }
                Run.here(command(command, output, shared, other, spelled))
                        .refused(
                                Main.USAGE,
                                name(output) + " ",
                                name(other) + " ",
                                second ? "same file" : "is also an input");
            }
        }
        assertEquals(CONTENT, Files.readString(shared));
    }

    /** The ways in which inputs were lost. */
    @Test
    void inputsStayAsTheyWere() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        Path model = folder.resolve("m.bochner");
        Run.here("train", data, "--features", 10, "--model", model).worked();
        Path rows = Rings.npy(folder.resolve("rings.npy"), 40);
        Path labels = Rings.labels(folder.resolve("labels.txt"), 40);
        byte[] before = Files.readAllBytes(model);
        Run.here("predict", model, data, "--output", model).refused(Main.USAGE, "--output", "MODEL");
        assertArrayEquals(before, Files.readAllBytes(model));
        before = Files.readAllBytes(labels);
        Run.here("train", rows, "--labels", labels, "--model", labels).refused(Main.USAGE, "--model", "--labels");
        Run.here("train", data, "--test", rows, "--test-labels", labels, "--model", labels)
                .refused(Main.USAGE, "--model", "--test-labels");
        Run.here("train", data, "--test", labels, "--model", labels).refused(Main.USAGE, "--model", "--test");
        Run.here("train", data, "--pca", 2, "--unlabelled", labels, "--model", labels)
                .refused(Main.USAGE, "--model", "--unlabelled");
        Run.here("train", "--channel", "a=" + data, "--channel", "b=" + labels, "--model", labels)
                .refused(Main.USAGE, "--model", "--channel b=");
        assertArrayEquals(before, Files.readAllBytes(labels));
    }

    @Nested
    class SameFile {
        private void refused(Path input, Path output) throws IOException {
            Run.here("train", input, "--model", output).refused(Main.USAGE, "is also an input");
            assertEquals(CONTENT, Files.readString(input));
        }

        @Test
        void byAnotherSpelling() throws IOException {
            Path data = file("data.csv");
            refused(data, folder.resolve(".").resolve("data.csv"));
            Path here = Path.of("").toAbsolutePath();
            assumeTrue(here.getRoot().equals(data.getRoot()), "the temporary folder is on another drive");
            refused(data, here.relativize(data.toAbsolutePath()));
        }

        @Test
        void byASymbolicLink() throws IOException {
            Path data = file("data.csv");
            refused(data, Files.createSymbolicLink(folder.resolve("link"), data));
            refused(folder.resolve("link"), data);
        }

        @Test
        void byAHardLink() throws IOException {
            Path data = file("data.csv");
            refused(data, Files.createLink(folder.resolve("link"), data));
        }

        @Test
        void thatDoesNotExistYetInALinkedFolder() throws IOException {
            Path real = Files.createDirectory(folder.resolve("real"));
            Path linked = Files.createSymbolicLink(folder.resolve("linked"), real);
            Run.here("error", "--domain", "0:1", "--csv", real.resolve("z"), "--plot", linked.resolve("z"))
                    .refused(Main.USAGE, "--csv", "--plot", "name the same file");
            assertFalse(Files.exists(real.resolve("z")));
        }

        @Test
        void thatStdinComesFrom() throws IOException {
            assumeTrue(Files.exists(Path.of("/dev/stdin")), "this system cannot tell which file stdin is");
            Path data = file("data.csv");
            Process process = new ProcessBuilder(Run.commandLine(List.of(), "train", "-", "--model", data))
                    .redirectInput(data.toFile())
                    .start();
            Run.finish(process, new byte[0]).refused(Main.USAGE, "--model", "DATA -");
            assertEquals(CONTENT, Files.readString(data));
        }
    }

    @Test
    void differentFilesOfOneNameAreNotConfused() throws IOException {
        Path data = file("data.csv");
        Path other = Files.createDirectory(folder.resolve("other")).resolve("data.csv");
        Run.here("transform", data, "--kernel", "gaussian(sigma=1)", "--features", 2, "--output", other)
                .worked();
        assertTrue(Files.exists(other));
        assertEquals(CONTENT, Files.readString(data));
    }

    @Test
    void aModelMayBeUpdatedInPlaceWhereTheCommandGoesOnFromIt() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 60);
        Path model = folder.resolve("m.bochner");
        Run.here("train", data, "--features", 10, "--learner", "logistic(l2=1)", "--model", model)
                .worked();
        Run.here("train", data, "--learner", "logistic(l2=2)", "--start", model, "--model", model)
                .worked();
        Run.here("learn-kernel", data, "--iterations", 1, "--resume", model, "--model", model)
                .worked();
        Run.here("evaluate", model, data).worked();
    }

    @Test
    void stdoutIsNoFileToWriteTo() throws IOException {
        Path data = file("data.csv");
        Run.here("train", data, "--model", "-").refused(Main.USAGE, "--model -", "stdout", "give a file name");
        Run.here("predict", "m", data, "--output", "-").refused(Main.USAGE, "--output -", "stdout");
        Run.here("error", "--domain", "0:1", "--plot", "-").refused(Main.USAGE, "--plot -", "stdout");
        assertFalse(Files.exists(Path.of("-")));
    }

    @Test
    void linksThatLeadToNoFileAreNamed() throws IOException {
        Path data = file("data.csv");
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("gone.csv"));
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        Run.here("train", dangling).refused(Main.FAILED, "dangling: is a symbolic link to", "gone.csv", "not exist");
        Run.here("predict", loop, data).refused(Main.FAILED, "loop: is a symbolic link that leads back to itself");
        Run.here("train", data, "--labels", loop).refused(Main.FAILED, "loop: is a symbolic link");
        Run.here("train", data, "--model", dangling).refused(Main.FAILED, "dangling: is a symbolic link to");
        Run.here("train", data, "--model", loop).refused(Main.FAILED, "loop: is a symbolic link");
        Run.here("train", data, "--model", folder).refused(Main.FAILED, "is a folder");
        assertTrue(Files.isSymbolicLink(dangling));
    }

    @Test
    void aLinkToAnOutputStaysALink() throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 40);
        Path real = folder.resolve("m.bochner");
        Run.here("train", data, "--features", 10, "--model", real).worked();
        long size = Files.size(real);
        Path link = Files.createSymbolicLink(folder.resolve("latest.bochner"), Path.of("m.bochner"));
        Run.here("train", data, "--features", 20, "--model", link).worked();
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.size(real) > size, "the file that the link leads to was not written");
    }
}
