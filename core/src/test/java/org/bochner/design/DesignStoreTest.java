package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.shift.Gaussian;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Designs that are kept in a folder. */
class DesignStoreTest {
    private static final Target CHI2 = Target.ofRatios(new Chi2(1), 30);
    private static final Design KNOWN = Design.ofDimension(CHI2, Plan.DEFAULT, 3);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private final List<String> notes = new ArrayList<>();
    private Runnable end = () -> {};
    private final AtomicInteger searches = new AtomicInteger();

    @BeforeEach
    void useTheFolder() {
        use(folder.resolve("a").resolve("b"));
    }

    @AfterEach
    void useNoFolder() {
        end.run();
    }

    private void use(Path other) {
        end.run();
        end = DesignStore.use(other, notes::add);
    }

    private Design get(Target target, Plan plan, int dimension, double error, Design computed) {
        return DesignStore.get(target, plan, dimension, error, () -> {
            searches.incrementAndGet();
            return computed;
        });
    }

    private Design get() {
        return get(CHI2, Plan.DEFAULT, 3, 0, KNOWN);
    }

    private List<Path> files() throws IOException {
        Path inner = folder.resolve("a").resolve("b");
        if (!Files.isDirectory(inner)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(inner)) {
            return all.toList();
        }
    }

    private static String bits(Design design) {
        StringBuilder text = new StringBuilder();
        text.append(design.target()).append(design.plan()).append(design.form()).append(design.gridPoints());
        for (double number : new double[] {design.error(), design.certificate()}) {
            text.append(' ').append(Double.doubleToLongBits(number));
        }
        for (int j = 0; j < design.count(); j++) {
            for (double number : design.terms().term(j)) {
                text.append(' ').append(Double.doubleToLongBits(number));
            }
        }
        return text.toString();
    }

    @Test
    void keepsEveryBit() {
        useNoFolder();
        Plan mean = Plan.DEFAULT.withNorm(Norm.MEAN);
        Target gaussian = Target.of(new Gaussian(0.7), Axis.upTo(2));
        Target box = Target.of(new Gaussian(0.9), Axis.upTo(1), Axis.upTo(0.5));
        Target relative = CHI2.relative();
        Target all = Target.ofAllRatios(new Chi2(1));
        List<Design> designs = List.of(
                KNOWN,
                Design.ofDimension(all, Plan.DEFAULT, 3),
                Design.ofDimension(relative, Plan.DEFAULT, 3),
                Design.ofDimension(gaussian, mean, 3),
                Design.ofDimension(gaussian, Plan.DEFAULT.withSpacing(0.5), 3),
                Design.ofDimension(box, Plan.DEFAULT, 3));
        useTheFolder();
        List<Target> targets = List.of(CHI2, all, relative, gaussian, gaussian, box);
        for (int i = 0; i < designs.size(); i++) {
            Design computed = designs.get(i);
            int before = searches.get();
            for (int time = 0; time < 2; time++) {
                Design kept = get(targets.get(i), computed.plan(), 3, 0, computed);
                assertEquals(bits(computed), bits(kept));
                assertEquals(before + 1, searches.get(), computed::toString);
            }
        }
        assertEquals(List.of(), notes);
    }

    @Test
    void theFolderChangesNoResult() throws IOException {
        // Fresh targets, which no cache in memory knows.
        Target target = Target.of(new Gaussian(0.7123), Axis.upTo(2.01));
        Design first = Design.ofDimension(target, Plan.DEFAULT, 3);
        assertEquals(1, files().size());
        useNoFolder();
        Target equal = Target.of((Signature) z -> target.signature().applyAsDouble(z), Axis.upTo(2.01));
        Design without = Design.ofDimension(equal, Plan.DEFAULT, 3);
        assertEquals(without.error(), first.error());
        assertTrue(Arrays.equals(without.terms().frequencies(), first.terms().frequencies()));
        assertTrue(Arrays.equals(without.terms().weights(), first.terms().weights()));
    }

    @Test
    void eachQuestionHasItsFile() throws IOException {
        Plan mean = Plan.DEFAULT.withNorm(Norm.MEAN);
        Design unused = get();
        unused = get(CHI2, Plan.DEFAULT, 5, 0, KNOWN);
        unused = get(CHI2, Plan.DEFAULT, 0, 0.5, KNOWN);
        unused = get(CHI2, mean, 3, 0, KNOWN);
        unused = get(CHI2.relative(), Plan.DEFAULT, 3, 0, KNOWN);
        unused = get(Target.ofRatios(new Chi2(1), 30.001), Plan.DEFAULT, 3, 0, KNOWN);
        unused = get(Target.ofRatios(new Chi2(0.5), 30), Plan.DEFAULT, 3, 0, KNOWN);
        assertEquals(7, files().size());
        assertEquals(7, searches.get());
    }

    @Test
    void functionsWithoutASpellingAreNotKept() throws IOException {
        Target function = Target.of(Signature.of(z -> Math.exp(-z * z)), Axis.upTo(1));
        Design unused = get(function, Plan.DEFAULT, 3, 0, KNOWN);
        unused = get(CHI2.weighted(z -> 2), Plan.DEFAULT, 3, 0, KNOWN);
        assertEquals(List.of(), files());
        assertEquals(2, searches.get());
    }

    @Test
    void noChangedFileIsTrusted() throws IOException {
        Design unused = get();
        Path file = files().get(0);
        byte[] good = Files.readAllBytes(file);
        List<byte[]> bad = new ArrayList<>();
        for (int i = 0; i < good.length; i++) {
            if (i % 50 != 0 && good[i - 1] != '\n') {
                continue;
            }
            byte[] changed = good.clone();
            changed[i] ^= (byte) (1 << i % 7);
            bad.add(changed);
        }
        for (int length = 0; length < good.length; length += 50) {
            bad.add(Arrays.copyOf(good, length));
        }
        bad.add(Arrays.copyOf(good, good.length + 1));
        bad.add(new byte[1 << 21]);
        bad.add(new byte[] {(byte) 0xff, (byte) 0xfe});
        for (byte[] changed : bad) {
            int before = searches.get();
            Files.write(file, changed);
            assertEquals(bits(KNOWN), bits(get()));
            assertEquals(before + 1, searches.get());
            assertTrue(Arrays.equals(good, Files.readAllBytes(file)));
        }
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).contains("damaged"), notes::toString);
    }

    /** A wrong design with a right checksum is found out by its error. */
    @Test
    void aWrongErrorIsFoundOut() throws IOException, NoSuchAlgorithmException {
        Design unused = get();
        Path file = files().get(0);
        String good = Files.readString(file);
        String body = good.substring(0, good.lastIndexOf("sha256"));
        List<String> lines = body.lines().toList();
        String term = lines.get(lines.size() - 1);
        String[] numbers = term.split(" ", -1);
        List<String> wrong = new ArrayList<>();
        wrong.add(body.replace(term, numbers[0] + " " + DesignStore.hex(2 * Double.parseDouble(numbers[1]))));
        wrong.add(body.replace(term, DesignStore.hex(1.2 * Double.parseDouble(numbers[0])) + " " + numbers[1]));
        wrong.add(body.replace(term, "NaN " + numbers[1]));
        wrong.add(body.replace(term, numbers[0] + " " + numbers[1] + " 0x1.0p0"));
        wrong.add(body.replace(term + "\n", ""));
        wrong.add(
                body.replace("error " + DesignStore.hex(KNOWN.error()), "error " + DesignStore.hex(KNOWN.error() / 2)));
        wrong.add(body.replace(
                "error " + DesignStore.hex(KNOWN.error()), "error " + DesignStore.hex(KNOWN.error() * 10)));
        wrong.add(body.replace("axis ", "axis Infinity "));
        for (String text : wrong) {
            assertTrue(!text.equals(body));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String hash = HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
            Files.writeString(file, text + "sha256 " + hash + "\n");
            int before = searches.get();
            assertEquals(bits(KNOWN), bits(get()));
            assertEquals(before + 1, searches.get(), text);
        }
    }

    @Test
    void aProcessHasOneFolder() throws IOException {
        Path other = folder.resolve("other");
        assertThrows(BochnerException.class, () -> Design.keepIn(other, notes::add));
        Design unused = get();
        assertEquals(1, files().size());
        useNoFolder();
        end = Design.keepIn(other, notes::add);
        unused = get();
        try (Stream<Path> all = Files.list(other)) {
            assertEquals(1, all.count());
        }
    }

    @Test
    void filesHaveThePermissionsOfOtherFiles() throws IOException {
        Design unused = get();
        Path other = Files.writeString(folder.resolve("other"), "");
        Path file = files().get(0);
        assumeTrue(Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class));
        assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(file));
    }

    @Test
    void aFolderThatIsAFileIsAProblemButNoFailure() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        use(file);
        assertEquals(bits(KNOWN), bits(get()));
        assertEquals(bits(KNOWN), bits(get()));
        assertEquals(2, searches.get());
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).contains("designs are not stored: " + file + " is not a folder"), notes::toString);
        assertEquals("text", Files.readString(file));
        use(file.resolve("inside"));
        assertEquals(bits(KNOWN), bits(get()));
        assertEquals(2, notes.size());
    }

    @Test
    void aFolderInPlaceOfTheFileIsAProblemButNoFailure() throws IOException {
        Design unused = get();
        Path file = files().get(0);
        Files.delete(file);
        Files.createDirectories(file.resolve("inside"));
        assertEquals(bits(KNOWN), bits(get()));
        assertEquals(1, notes.size());
        assertEquals(List.of(file), files());
    }

    @Test
    void threadsShareTheFolder() throws IOException, InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Design>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(threads.submit(() -> get()));
            }
            for (Future<Design> one : all) {
                assertEquals(bits(KNOWN), bits(one.get()));
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(1, files().size());
        int before = searches.get();
        assertEquals(bits(KNOWN), bits(get()));
        assertEquals(before, searches.get());
        assertEquals(List.of(), notes);
    }

    @Test
    void progressIsAShare() {
        List<Double> shares = new ArrayList<>();
        Target target = Target.of(new Gaussian(0.7321), Axis.upTo(2.02));
        Design design = Designs.ofDimension(target, Plan.DEFAULT.withSpacing(0.3), 3, shares::add);
        assertTrue(design.error() > 0);
        assertTrue(shares.size() > 5, shares::toString);
        assertTrue(shares.stream().allMatch(share -> share >= 0 && share <= 1), shares::toString);
        assertEquals(shares.stream().sorted().toList(), shares);
    }

    @Test
    void timeCountsOnceAndOnThisThread() {
        double before = Design.secondsOnThread();
        long start = System.nanoTime();
        Target box = Target.of(new Gaussian(0.9321), Axis.upTo(1), Axis.upTo(0.52));
        Design design = Design.ofError(box, Plan.DEFAULT, 0.3);
        double wall = (System.nanoTime() - start) * 1e-9;
        double counted = Design.secondsOnThread() - before;
        assertTrue(design.error() <= 0.3);
        assertTrue(counted > 0 && counted <= wall, counted + " of " + wall);
    }
}
