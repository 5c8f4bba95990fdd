package org.bochner.design;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.design.Target.Axis;
import org.jspecify.annotations.Nullable;

/**
 * Stores designs in a folder, one small text file per question. The name of a file is a hash of the question: kernel,
 * range, error weight, plan, dimension or error, the version of the algorithm, and the Java virtual machine, whose
 * exponentials may differ in their last bit. A kept design has the bits of the design that was computed.
 *
 * <p>A file is used only if its checksum is right, if it answers this question, and if the error measured on a coarse
 * grid agrees with the stated error. Other files are ignored and replaced. Files appear whole, so several processes may
 * share the folder. If the folder cannot be read or written, designs are computed; the first failure gives a note.
 *
 * <p>Only designs for kernels with a spelling are stored: no other function can be recognised.
 *
 * <p>Threads: safe.
 */
final class DesignStore {
    /** The version of the algorithm. Increase it with every change that may change a bit of a design. */
    static final int ALGORITHM = 1;

    private static final String HEADER = "bochner-design";
    private static final String SUFFIX = ".design";

    /**
     * The largest file that is read, in bytes. The largest design has at most {@link Design#MOST_DIMENSIONS} terms of
     * four numbers, about 100 bytes each, and takes less than a tenth of it.
     */
    private static final long MOST_BYTES = 1 << 20;

    /** The points per axis of the coarse grid, indexed by the number of columns. */
    private static final int[] POINTS = {0, 2000, 80, 24};

    private static final AtomicReference<@Nullable DesignStore> CURRENT = new AtomicReference<>();

    private final Path folder;
    private final Consumer<String> notes;
    private final AtomicBoolean noted = new AtomicBoolean();

    private DesignStore(Path folder, Consumer<String> notes) {
        this.folder = folder;
        this.notes = notes;
    }

    /**
     * Stores all designs of the process in a folder from now on.
     *
     * @return ends the storing
     * @throws BochnerException if designs are stored in another folder
     */
    static Runnable use(Path folder, Consumer<String> notes) {
        DesignStore store = new DesignStore(folder, notes);
        CURRENT.updateAndGet(used -> {
            if (used != null && !used.folder.equals(folder)) {
                throw new BochnerException("design: designs are stored in " + used.folder
                        + " already, and a process has one folder; got " + folder);
            }
            return store;
        });
        return () -> CURRENT.compareAndSet(store, null);
    }

    /**
     * Returns the kept design of a question, or computes and stores it.
     *
     * @param dimension the dimension that is asked for; 0 if an error is
     */
    static Design get(Target target, Plan plan, int dimension, double error, Supplier<Design> search) {
        DesignStore store = CURRENT.get();
        Optional<String> question = store == null ? Optional.empty() : question(target, plan, dimension, error);
        if (store == null || question.isEmpty()) {
            return search.get();
        }
        Path file = store.folder.resolve(hash(question.get()).substring(0, 40) + SUFFIX);
        Optional<Design> kept = store.read(file, question.get(), target, plan);
        if (kept.isPresent()) {
            return kept.get();
        }
        Design design = search.get();
        store.write(file, text(question.get(), design));
        return design;
    }

    private static Optional<String> question(Target target, Plan plan, int dimension, double error) {
        return target.spelling()
                .map(spelling -> String.join(
                        "\n",
                        "algorithm " + ALGORITHM,
                        "java " + System.getProperty("java.vm.version") + " " + System.getProperty("os.arch"),
                        spelling,
                        "plan " + plan.norm() + " " + plan.form() + " " + plan.pool() + " " + plan.search() + " "
                                + hex(plan.spacing()),
                        "dimension " + dimension + " error " + hex(error)));
    }

    static String hex(double value) {
        return Double.toHexString(value);
    }

    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String text(String question, Design design) {
        List<String> lines = new ArrayList<>();
        lines.add(HEADER);
        lines.addAll(question.lines().toList());
        Terms terms = design.terms();
        lines.add("form " + terms.form() + " terms " + terms.count() + " points " + design.gridPoints());
        lines.add("error " + hex(design.error()) + " certificate " + hex(design.certificate()));
        for (Axis axis : design.target().axes()) {
            lines.add("axis " + hex(axis.length()) + " " + axis.periodic());
        }
        for (int j = 0; j < terms.count(); j++) {
            lines.add(Arrays.stream(terms.term(j)).mapToObj(DesignStore::hex).collect(Collectors.joining(" ")));
        }
        String body = String.join("\n", lines) + "\n";
        return body + "sha256 " + hash(body) + "\n";
    }

    private Optional<Design> read(Path file, String question, Target target, Plan plan) {
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            if (Files.size(file) <= MOST_BYTES) {
                Optional<Design> design = parse(Files.readString(file), question, target, plan);
                if (design.isPresent()) {
                    return design;
                }
            }
            note("the kept design " + file + " is damaged and is computed again");
        } catch (IOException | SecurityException e) {
            note("the kept design " + file + " cannot be read and is computed again");
        }
        return Optional.empty();
    }

    /** Returns the design of a file; empty if the file does not hold the answer to the question. */
    private static Optional<Design> parse(String text, String question, Target target, Plan plan) {
        int end = text.lastIndexOf("sha256 ");
        if (end < 0 || !text.substring(end).equals("sha256 " + hash(text.substring(0, end)) + "\n")) {
            return Optional.empty();
        }
        String start = HEADER + "\n" + question + "\n";
        if (!text.startsWith(start) || end < start.length()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(text.substring(start.length(), end).lines().iterator(), target, plan))
                    .filter(DesignStore::holds);
        } catch (RuntimeException e) {
            // A number, a word or a line that does not belong there.
            return Optional.empty();
        }
    }

    private static Design parse(Iterator<String> lines, Target target, Plan plan) {
        String[] facts = lines.next().split(" ", -1);
        String[] errors = lines.next().split(" ", -1);
        List<Axis> axes = new ArrayList<>();
        for (int l = 0; l < target.columns(); l++) {
            String[] axis = lines.next().split(" ", -1);
            axes.add(new Axis(Double.parseDouble(axis[1]), Boolean.parseBoolean(axis[2])));
        }
        List<double[]> terms = new ArrayList<>();
        while (lines.hasNext()) {
            double[] term = Arrays.stream(lines.next().split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            if (term.length != axes.size() + 1 || !Arrays.stream(term).allMatch(Double::isFinite)) {
                throw new IllegalArgumentException("no term");
            }
            terms.add(term);
        }
        if (terms.size() != Integer.parseInt(facts[3])) {
            throw new IllegalArgumentException("terms are missing");
        }
        return new Design(
                target.on(axes),
                plan,
                Terms.of(Form.valueOf(facts[1]), axes.size(), terms),
                Double.parseDouble(errors[1]),
                Double.parseDouble(errors[3]),
                Integer.parseInt(facts[5]));
    }

    /**
     * Returns true if the error on a coarse grid agrees with the stated error. The coarse grid misses a part of the
     * error, and a design for all ratios has some of it beyond its range, so the measured error may be down to 0.3
     * times the stated one. It may exceed it by 0.1%, or by 30% for the mean, which depends on the points.
     */
    private static boolean holds(Design design) {
        if (design.target().axes().stream().anyMatch(axis -> !axis.finite())) {
            return false;
        }
        Norm norm = design.plan().norm();
        double measured =
                new Lattice(design.target(), design.form(), norm, POINTS[design.columns()]).norm(design.terms());
        double rounding = 1e-12 * (1 + design.at(new double[design.columns()]));
        double above = norm == Norm.LARGEST ? 1.001 : 1.3;
        return measured <= above * design.error() + rounding && measured >= 0.3 * design.error() - rounding;
    }

    private void write(Path file, String text) {
        try {
            Files.createDirectories(folder);
            try (AtomicFile stored = AtomicFile.create(file)) {
                stored.stream().write(text.getBytes(StandardCharsets.UTF_8));
                stored.commit();
            }
        } catch (FileAlreadyExistsException e) {
            noteNotStored(folder + " is not a folder");
        } catch (IOException e) {
            noteNotStored(
                    String.valueOf(AtomicFile.unwritable(folder.toString(), e).getMessage()));
        } catch (DataException | SecurityException e) {
            noteNotStored(String.valueOf(e.getMessage()));
        }
    }

    private void noteNotStored(String why) {
        note("designs are not stored: " + why);
    }

    private void note(String text) {
        if (noted.compareAndSet(false, true)) {
            notes.accept(text);
        }
    }
}
