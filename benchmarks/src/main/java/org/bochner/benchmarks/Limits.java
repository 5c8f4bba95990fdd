package org.bochner.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bochner.data.DataOptions;
import org.bochner.data.DenseRows;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowWriter;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.MappedRows;

/**
 * Our stages against the bare BLAS calls that bound them, in one run: shape, our seconds, the bare seconds, the ratio.
 *
 * <p>Both sides run on one thread and take turns, and the median of the rounds' ratios counts, so that a noisy machine
 * disturbs both alike.
 */
public final class Limits {
    private static final long WARM_NANOS = 1_500_000_000L;
    private static final long MEASURE_NANOS = 1_500_000_000L;
    private static final int FEWEST_ROUNDS = 5;

    private final Blas blas = Blas.get();

    private Limits() {}

    public static void main(String[] arguments) {
        new Limits().run();
    }

    private void run() {
        System.out.println("Linear algebra: " + blas.name() + "; Java "
                + Runtime.version().feature() + "; one thread; medians of rounds in turns");
        System.out.printf("%-44s %-22s %10s %10s %7s %7s%n", "stage", "shape", "ours s", "bare s", "ratio", "limit");
        map("feature map, fourier(phase)", "fourier(phase)", FeaturePass.TILE_ROWS, 128, 2048, 2048, 1.5);
        map("feature map, fourier (pairs)", "fourier", FeaturePass.TILE_ROWS, 128, 2048, 1024, 1.5);
        gram(4096, 2048);
        fit(32768, 128, 2048);
        cholesky(2048);
        LibsvmScan.report();
    }

    private interface Round {
        void run();
    }

    /** Prints a line; the ratio is the median over rounds in which both sides ran one after the other. */
    private void compare(String stage, String shape, double bound, Round ours, Round bare) {
        // Short stages need many runs until their loops are compiled and caches settle.
        long warm = System.nanoTime() + WARM_NANOS;
        do {
            ours.run();
            bare.run();
        } while (System.nanoTime() < warm);
        List<Double> ourSeconds = new ArrayList<>();
        List<Double> bareSeconds = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        long end = System.nanoTime() + MEASURE_NANOS;
        while (ratios.size() < FEWEST_ROUNDS || System.nanoTime() < end) {
            double ourTime = seconds(ours);
            double bareTime = seconds(bare);
            ourSeconds.add(ourTime);
            bareSeconds.add(bareTime);
            ratios.add(ourTime / bareTime);
        }
        print(stage, shape, median(ourSeconds), median(bareSeconds), median(ratios), bound);
    }

    void print(String stage, String shape, double ours, double bare, double ratio, double bound) {
        System.out.printf(
                Locale.ROOT, "%-44s %-22s %10.4f %10.4f %7.2f %7.2f%n", stage, shape, ours, bare, ratio, bound);
    }

    private static double seconds(Round round) {
        long start = System.nanoTime();
        round.run();
        return (System.nanoTime() - start) * 1e-9;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static float[] uniform(int count, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (stream.nextUniform() - 0.5);
        }
        return values;
    }

    private void map(String stage, String spelling, int rows, int columns, int features, int products, double bound) {
        FeatureMap map = FeatureMaps.parse(spelling).build(Kernels.gaussian(3), columns, features, new Seed(1));
        float[] x = uniform(rows * columns, 1);
        float[] out = new float[rows * features];
        float[] weights = uniform(products * columns, 2);
        float[] product = new float[rows * products];
        RowBlock block = DenseRows.of(rows, columns, x);
        compare(
                stage,
                rows + "x" + columns + "x" + features,
                bound,
                () -> map.apply(block, out, 0, features),
                () -> blas.multiply(
                        Matrix.of(x, rows, columns),
                        Matrix.of(weights, products, columns).transposed(),
                        product));
    }

    /** Features that are there already: what is measured is centring, the Gram matrix and its merge. */
    private static FeatureMap copy(int columns) {
        return new CopyMap(columns);
    }

    private void gram(int rows, int features) {
        Labels labels = new Labels.Classes(List.of("a", "b"));
        RowBlock block = labelled(uniform(FeaturePass.TILE_ROWS * features, 3), FeaturePass.TILE_ROWS, features);
        MappedRows copy = new MappedRows(copy(features), Precision.FLOAT32);
        BlockGram gram = new BlockGram(features, labels, ClassWeights.none());
        GramAccumulator total = new GramAccumulator(features, labels);
        float[] z = uniform(rows * features, 4);
        float[] product = new float[features * features];
        // The copy stands for the map, which is measured above; what it takes is printed by itself.
        double[] copying = new double[1];
        compare(
                "Gram accumulation (incl. the copy of features)",
                rows + "x" + features,
                1.15,
                () -> {
                    gram.clear();
                    for (int t = 0; t < rows / FeaturePass.TILE_ROWS; t++) {
                        gram.add(copy.take(block), 0);
                    }
                    total.add(gram);
                    copying[0] = copy.takeNanos() * 1e-9;
                },
                () -> blas.gram(1f, Matrix.of(z, rows, features), 0f, Matrix.of(product, features, features)));
        System.out.printf(Locale.ROOT, "%-44s %-22s %10.4f%n", "  of which copying the features in", "", copying[0]);
    }

    private static RowBlock labelled(float[] values, int rows, int columns) {
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginDense(0, columns, 1, false);
        for (int i = 0; i < rows; i++) {
            int start = builder.startDenseRow();
            System.arraycopy(values, i * columns, builder.values(), start, columns);
            builder.endRow();
            builder.setTarget(0, i % 2);
        }
        return builder.build();
    }

    /** From a file to a ridge model, against the sum of the bare products and factorisation. */
    private void fit(int rows, int columns, int features) {
        int tileRows = FeaturePass.TILE_ROWS;
        float[] x = uniform(tileRows * columns, 6);
        float[] weights = uniform(features / 2 * columns, 7);
        float[] z = uniform(tileRows * features, 8);
        float[] product = new float[features * features];
        double[] matrix = new double[features * features];
        KernelMachine machine =
                KernelMachine.of("gaussian(sigma=3)").withFeatures(features).withLearner(Learner.ridge(1));
        Path file = write(rows, columns);
        try {
            FileSource source = FileSource.open(DataOptions.of(file.toString()).withLabel("last"));
            compare(
                    "ridge fit: read, map, Gram and solve",
                    rows + "x" + columns + "x" + features,
                    1.3,
                    () -> machine.fit(source, new Workers(1), Progress.NONE),
                    () -> {
                        for (int from = 0; from < rows; from += tileRows) {
                            blas.multiply(
                                    1f,
                                    Matrix.of(x, tileRows, columns),
                                    Matrix.of(weights, features / 2, columns).transposed(),
                                    0f,
                                    Matrix.of(z, 0, tileRows, features / 2, features));
                            blas.gram(1f, Matrix.of(z, tileRows, features), 0f, Matrix.of(product, features, features));
                        }
                        fillWellConditioned(matrix, features);
                        blas.factorUpper(features, matrix, 0, features);
                    });
        } finally {
            file.toFile().delete();
        }
    }

    /** A file of so many random rows, with a class last. */
    private static Path write(int rows, int columns) {
        try {
            Path file = Files.createTempFile("limits", ".npy");
            List<String> names = IntStream.rangeClosed(0, columns)
                    .mapToObj(Integer::toString)
                    .toList();
            float[] values = uniform(rows * (columns + 1), 5);
            for (int i = 0; i < rows; i++) {
                values[i * (columns + 1) + columns] = i % 2;
            }
            try (RowWriter writer = RowWriter.open(file.toString(), names, Labels.none())) {
                writer.write(DenseRows.of(rows, columns + 1, values));
                writer.finish();
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void cholesky(int n) {
        double[] a = new double[n * n];
        Workers one = new Workers(1);
        compare(
                "Cholesky factorisation",
                n + "x" + n,
                1.3,
                () -> {
                    fillWellConditioned(a, n);
                    Cholesky.factor(a, n, one);
                },
                () -> {
                    fillWellConditioned(a, n);
                    blas.factorUpper(n, a, 0, n);
                });
    }

    /** To factor: ones on and off the diagonal, and n more on it. */
    private static void fillWellConditioned(double[] a, int n) {
        Arrays.fill(a, 1);
        for (int i = 0; i < n; i++) {
            a[i * (n + 1)] += n;
        }
    }
}
