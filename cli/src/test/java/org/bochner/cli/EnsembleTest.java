package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code train --average}, {@code --member} and {@code --cells}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnsembleTest {
    private static final int ROWS = 400;

    private final Path folder;
    private final Path data;
    private final Path first;
    private final Path second;

    EnsembleTest(@TempDir Path folder) {
        this.folder = folder;
        data = folder.resolve("points.csv");
        first = folder.resolve("first.bochner");
        second = folder.resolve("second.bochner");
    }

    @BeforeAll
    void train() throws IOException {
        Rings.csv(data, ROWS);
        train(first, "--kernel", "gaussian(sigma=0.3)", "--features", 40);
        train(second, "--kernel", "gaussian(sigma=0.2)", "--features", 40, "--learner", "svm");
    }

    private Run train(Path model, Object... flags) {
        Object[] all = new Object[4 + flags.length];
        System.arraycopy(new Object[] {"train", data, "--model", model}, 0, all, 0, 4);
        System.arraycopy(flags, 0, all, 4, flags.length);
        return Run.here(all).worked();
    }

    /** Writes rows that no model was trained on. */
    private Path other() throws IOException {
        return Rings.write(
                folder.resolve("other.csv"),
                "x,y,where",
                300,
                i -> Rings.x(i + ROWS, 0) + "," + Rings.x(i + ROWS, 1) + "," + Rings.label(i + ROWS));
    }

    @Test
    void averages() {
        Path mean = folder.resolve("mean.bochner");
        Run run = train(mean, "--kernel", "gaussian(sigma=0.3)", "--features", 40, "--average", 3);
        assertTrue(run.out().contains("Members:"), run.out());
        Run inspected = Run.here("inspect", mean).worked();
        assertTrue(inspected.out().contains("3 gaussian(sigma=0.3)"), inspected.out());
        assertTrue(inspected.out().contains("0.3333"), inspected.out());
        assertEquals(3, Run.here("inspect", mean, "--json").list("members").size());
        Run.here("evaluate", mean, data).worked();
    }

    @Test
    void membersAreWeighted() throws IOException {
        Path both = folder.resolve("both.bochner");
        Run run = Run.process("train", other(), "--member", first, "--member", second, "--model", both, "--json");
        assertEquals(0, run.code(), run.err());
        assertTrue(Run.number(run.list("members").get(0), "weight") > 0, run.out());
        assertFalse(run.err().contains("was trained on"), run.err());
        Path copy = Files.copy(first, folder.resolve("copy.bochner"));
        Run copied =
                Run.here("train", other(), "--member", first, "--member", copy).worked();
        assertTrue(copied.err().contains("member 2 is equal to member 1"), copied.err());
        Run again =
                Run.here("train", data, "--member", first, "--member", second).worked();
        assertTrue(again.err().contains(first + " was trained on rows of " + data + ": the weights"), again.err());
    }

    @Test
    void trees() {
        Path tree = folder.resolve("tree.bochner");
        Run run = train(tree, "--kernel", "gaussian(sigma=0.3)", "--features", 30, "--cells", 3, "--holdout", 0.2);
        assertTrue(run.out().contains("leaf 3: gaussian(sigma=0.3)"), run.out());
        Run inspected = Run.here("inspect", tree).worked();
        assertTrue(inspected.out().matches("(?s).*\\b[xy] below 0\\.\\d+.*"), inspected.out());
        for (Run printed : List.of(run, inspected)) {
            String top = printed.out().substring(0, printed.out().indexOf("Tree:"));
            assertTrue(top.contains("3 machines with settings of their own"), top);
            for (String fact : List.of("kernel  ", "map  ", "scaling  ", "lambda  ")) {
                assertTrue(top.lines().noneMatch(line -> line.startsWith(fact)), top);
            }
            assertTrue(printed.out().matches("(?s).* scaling +learner +lambda +rows\\R.*"), printed.out());
        }
        Run json = Run.here("inspect", tree, "--json").worked();
        assertEquals(2, json.list("splits").size());
        assertEquals(3, json.list("members").size());
        Run.here("predict", tree, data).worked();
        Run refused = Run.here("transform", data, "--model", tree, "--output", folder.resolve("z.csv"));
        assertEquals(2, refused.code(), refused.err());
        assertTrue(refused.err().contains("is made of several models"), refused.err());
        Run pruned = Run.here("prune", tree, data, "--keep", 0.5, "--output", folder.resolve("p.bochner"));
        assertEquals(1, pruned.code(), pruned.err());
        assertTrue(pruned.err().contains("a tree of 3 machines"), pruned.err());
    }

    @Test
    void sameCommandSameBytes() throws IOException {
        Path one = folder.resolve("one.bochner");
        Path two = folder.resolve("two.bochner");
        Object[] flags = {"--kernel", "gaussian", "--features", 30, "--cells", "agop(leaves=2)", "--average", 2};
        train(one, append(flags, "--threads", 1));
        train(two, append(flags, "--threads", 3));
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
    }

    private static Object[] append(Object[] flags, Object... more) {
        Object[] all = new Object[flags.length + more.length];
        System.arraycopy(flags, 0, all, 0, flags.length);
        System.arraycopy(more, 0, all, flags.length, more.length);
        return all;
    }

    @Test
    void wrongUsage() {
        assertUsage("at least twice", "train", data, "--member", first);
        assertUsage("trained already; remove --features", "train", data, "--member", first, "--features", 10);
        assertUsage("--average must be between 1 and 1,000, got 0", "train", data, "--average", 0);
        assertUsage("got 1,000,000,000", "train", data, "--average", 1_000_000_000);
        assertUsage("--average and --cascade exclude", "train", data, "--average", 2, "--cascade", "auto");
        assertUsage("--cells and --start exclude", "train", data, "--cells", 2, "--start", first);
        assertUsage("leaves must be at least 1", "train", data, "--cells", 0);
        assertUsage("overlap", "train", data, "--cells", "columns(overlap=0.7)");
        assertUsage("cells", "train", data, "--cells", "kd");
    }

    private static void assertUsage(String words, Object... arguments) {
        Run run = Run.here(arguments);
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains(words), run.err());
    }

    @Test
    void theOutputIsNoMember() {
        Run run = Run.here("train", data, "--member", first, "--member", second, "--model", first);
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains(first.toString()), run.err());
    }

    @Test
    void modelsThatDisagree() throws IOException {
        Path numbers = folder.resolve("numbers.bochner");
        Run.here("train", data, "--label", "y", "--ignore", "where", "--kernel", "linear", "--model", numbers)
                .worked();
        Run run = Run.here("train", other(), "--member", first, "--member", numbers);
        assertEquals(1, run.code(), run.err());
        assertTrue(run.err().contains("member 2 of the average has other labels"), run.err());
        Run equal = Run.here("train", data, "--kernel", "linear", "--average", 2);
        assertEquals(1, equal.code(), equal.err());
        assertTrue(equal.err().contains("do not depend on the seed"), equal.err());
    }
}
