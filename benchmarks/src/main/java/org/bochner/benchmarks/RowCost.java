package org.bochner.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.benchmarks.exact.ExactModel;
import org.bochner.benchmarks.exact.ExactRidge;
import org.bochner.benchmarks.exact.GeneralizedMkl;
import org.bochner.benchmarks.exact.MklSolution;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.linear.Loss;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;

/**
 * Time and memory over the number of rows, in a process of its own for each number: learning a scale a column by
 * cross-validation, and weights of three channels, both streamed from disk with no rows kept; and the exact baselines, while
 * they are possible. Rows are like those of a9a: each is one of its rows, of which one value in ten is that of another row.
 */
final class RowCost {
    private static final int FEATURES = 500;
    private static final int ITERATIONS = 10;
    private static final int EXACT_ITERATIONS = 5;
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
            if (methods.equals("fourier")) {
                learnScales(source, tests, rows);
                weighChannels(source, tests, rows);
            } else {
                exactRidge(source, tests, rows);
                exactMkl(source, tests, rows);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void learnScales(RowSource source, RowSource tests, int rows) throws IOException {
        long start = System.nanoTime();
        LearnedKernel learned = KernelLearning.of(
                        KernelMachine.of("gaussian").withFeatures(FEATURES).withMemory(0))
                .withIterations(ITERATIONS)
                .withTolerance(0)
                .learn(source);
        print(
                "RFF-SKL",
                rows,
                String.format(
                        Locale.ROOT,
                        "%7.1f s, %6.2f s an evaluation, error %.2f%%",
                        (System.nanoTime() - start) * 1e-9,
                        learned.evaluationSeconds(),
                        100 * Evaluation.of(learned.trained().model(), tests).error()));
    }

    private static void weighChannels(RowSource source, RowSource tests, int rows) throws IOException {
        long start = System.nanoTime();
        LearnedSum learned = MultipleKernels.of(MultipleKernels.channels("a=0:41,b=41:82,c=82:123"), "gaussian")
                .withFeatures(FEATURES / 2)
                .withSteps(10)
                .fit(source);
        print(
                "RFF-MKL",
                rows,
                String.format(
                        Locale.ROOT,
                        "%7.1f s, error %.2f%%",
                        (System.nanoTime() - start) * 1e-9,
                        100 * Evaluation.of(learned.model(), tests).error()));
    }

    private static void exactRidge(RowSource source, RowSource tests, int rows) throws IOException {
        ExactRidge exact = ExactRidge.of(Kernels.gaussian(4), 0.5)
                .withColumns(COLUMNS)
                .withLeaveOneOut()
                .withOptions(DescentOptions.withDefaults().withIterations(EXACT_ITERATIONS));
        long start = System.nanoTime();
        try {
            ExactModel model = exact.fit(source);
            print("KRR-GD", rows, told(start, model.minimum().evaluations(), model, 0, tests));
        } catch (BochnerException e) {
            print("KRR-GD", rows, "impossible: " + e.getMessage());
        }
    }

    private static void exactMkl(RowSource source, RowSource tests, int rows) throws IOException {
        long start = System.nanoTime();
        try {
            double[] targets = new double[rows];
            EachRow.of(source, (block, i, at) -> targets[at] = block.target(i, 0) == 1 ? 1 : -1);
            double mean = Arrays.stream(targets).average().orElseThrow();
            double[] centred =
                    Arrays.stream(targets).map(target -> target - mean).toArray();
            List<Kernel> kernels = Stream.of("[0:41]", "[41:82]", "[82:123]")
                    .map(columns -> Kernels.parse("gaussian(sigma=2.5)" + columns))
                    .toList();
            MklSolution solution = GeneralizedMkl.of(1, new Loss.HalfSquare())
                    .withOptions(DescentOptions.withDefaults().withIterations(EXACT_ITERATIONS))
                    .fit(kernels.size(), k -> GeneralizedMkl.gram(kernels.get(k), source, Workers.all()), centred);
            print(
                    "GMKL",
                    rows,
                    told(start, solution.minimum().evaluations(), solution.model(kernels, source), mean, tests));
        } catch (BochnerException e) {
            print("GMKL", rows, "impossible: " + e.getMessage());
        }
    }

    private static String told(long start, int evaluations, ExactModel model, double offset, RowSource tests) {
        double seconds = (System.nanoTime() - start) * 1e-9;
        long[] wrong = new long[1];
        long[] count = new long[1];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = tests.open()) {
            while (cursor.next(builder, 1024)) {
                RowBlock block = builder.build();
                double[] scores = model.predict(block, Workers.all());
                for (int i = 0; i < block.rows(); i++) {
                    wrong[0] += scores[i] + offset > 0 == (block.target(i, 0) == 1) ? 0 : 1;
                    count[0]++;
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "%7.1f s, %6.2f s an evaluation, error %.2f%%",
                seconds,
                seconds / evaluations,
                100.0 * wrong[0] / count[0]);
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
