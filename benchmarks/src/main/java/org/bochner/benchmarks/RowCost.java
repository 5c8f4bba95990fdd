package org.bochner.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMaps;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;

/**
 * Time and memory over the number of rows, in a process of its own for each number: learning one scale per column, and the
 * weights of three channels, both by cross-validation with the same folds; with features, streamed from disk with no rows
 * kept, and with exact kernels as far as the memory allows. Rows are like those of a9a: each is one of its rows, of which
 * one value in ten is that of another row.
 */
final class RowCost {
    private static final int FEATURES = 500;
    private static final int ITERATIONS = 10;
    private static final int STEPS = 10;
    private static final int COLUMNS = 123;
    private static final double EXCHANGED = 0.1;

    private RowCost() {}

    static void run(Path folder, int rows, String methods) throws IOException {
        Path file = Files.createTempFile("a9a-like", ".libsvm");
        try {
            generate(folder.resolve("a9a/a9a.gz"), rows, file);
            RowSource source = FileSource.open(DataOptions.of(file.toString()).withColumns(COLUMNS));
            RowSource tests = FileSource.open(
                    DataOptions.of(folder.resolve("a9a/a9a.t.gz").toString()).withColumns(COLUMNS));
            boolean exact = methods.equals("exact");
            KernelMachine machine = exact
                    ? KernelMachine.of("gaussian").withMap(FeatureMaps.none())
                    : KernelMachine.of("gaussian").withFeatures(FEATURES).withMemory(0);
            learnScales(exact ? "KRR-GD" : "RFF-SKL", machine, source, tests, rows);
            MultipleKernels channels =
                    MultipleKernels.of(MultipleKernels.channels("a=0:41,b=41:82,c=82:123"), "gaussian");
            weighChannels(
                    exact ? "GMKL" : "RFF-MKL",
                    exact ? channels.withMap(FeatureMaps.none()) : channels.withFeatures(FEATURES / 2),
                    source,
                    tests,
                    rows);
        } finally {
            Files.delete(file);
        }
    }

    private static void learnScales(String name, KernelMachine machine, RowSource source, RowSource tests, int rows)
            throws IOException {
        long start = System.nanoTime();
        double spent = processorSeconds();
        try {
            LearnedKernel learned = KernelLearning.of(machine)
                    .withIterations(ITERATIONS)
                    .withTolerance(0)
                    .learn(source);
            print(
                    name,
                    rows,
                    String.format(
                            Locale.ROOT,
                            "%7.1f s, %7.1f s of processor time, %6.2f s per evaluation, criterion %.4f -> %.4f, error %.2f%%",
                            (System.nanoTime() - start) * 1e-9,
                            processorSeconds() - spent,
                            learned.evaluationSeconds(),
                            learned.before(),
                            learned.after(),
                            100
                                    * Evaluation.of(learned.trained().model(), tests)
                                            .error()));
        } catch (BochnerException e) {
            print(name, rows, "impossible: " + e.getMessage());
        }
    }

    private static void weighChannels(
            String name, MultipleKernels channels, RowSource source, RowSource tests, int rows) throws IOException {
        long start = System.nanoTime();
        double spent = processorSeconds();
        try {
            LearnedSum learned = channels.withSteps(STEPS).fit(source);
            print(
                    name,
                    rows,
                    String.format(
                            Locale.ROOT,
                            "%7.1f s, %7.1f s of processor time, loss %.4f, error %.2f%%",
                            (System.nanoTime() - start) * 1e-9,
                            processorSeconds() - spent,
                            learned.path().get(learned.chosen()).loss(),
                            100 * Evaluation.of(learned.model(), tests).error()));
        } catch (BochnerException e) {
            print(name, rows, "impossible: " + e.getMessage());
        }
    }

    /** Returns the time that all threads have computed; it does not depend on other processes. */
    private static double processorSeconds() {
        Duration time = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return time.toMillis() * 1e-3;
    }

    private static void print(String method, int rows, String what) throws IOException {
        System.out.printf(Locale.ROOT, "%-8s %,7d rows  %s; process so far %s%n", method, rows, what, peak());
    }

    /** The most memory that the process has had; empty where the system does not tell. */
    private static String peak() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return "unknown";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .map(line -> line.substring(6).strip())
                .findFirst()
                .orElse("unknown");
    }

    private static void generate(Path original, int rows, Path to) throws IOException {
        List<float[]> values = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        double[] row = new double[COLUMNS];
        EachRow.of(FileSource.open(DataOptions.of(original.toString()).withColumns(COLUMNS)), (block, i, at) -> {
            block.copyRow(i, row);
            float[] copy = new float[COLUMNS];
            for (int l = 0; l < COLUMNS; l++) {
                copy[l] = (float) row[l];
            }
            values.add(copy);
            labels.add((int) block.target(i, 0));
        });
        RandomStream stream = new Seed(1).stream();
        try (BufferedWriter writer = Files.newBufferedWriter(to, StandardCharsets.US_ASCII)) {
            for (int i = 0; i < rows; i++) {
                int chosen = stream.nextInt(values.size());
                float[] other = values.get(stream.nextInt(values.size()));
                StringBuilder line = new StringBuilder(labels.get(chosen) == 1 ? "+1" : "-1");
                for (int l = 0; l < COLUMNS; l++) {
                    float value = stream.nextUniform() < EXCHANGED ? other[l] : values.get(chosen)[l];
                    if (value != 0) {
                        line.append(' ').append(l + 1).append(":1");
                    }
                }
                writer.write(line.append('\n').toString());
            }
        }
    }
}
