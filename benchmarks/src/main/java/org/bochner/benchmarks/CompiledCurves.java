package org.bochner.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.bochner.data.DataOptions;
import org.bochner.data.DenseRows;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.model.AdditiveCurves;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;

/**
 * The time of one row of an intersection machine on one thread: a plain double loop over support vectors and columns, and
 * compiled curves; with the errors and decisions of the curves.
 *
 * <p>Rows are images of Fashion-MNIST of the classes 0, 2, 4 and 6: 784 pixels and the means of their 2×2 and 4×4 blocks, 1029
 * columns in all; as they are, or divided by their sum, which leaves hardly two equal values. The machine tells shirts (6) from the other classes.
 */
public final class CompiledCurves {
    private static final int SIDE = 28;
    private static final int COLUMNS = SIDE * SIDE * (16 + 4 + 1) / 16;
    private static final int TESTED = 500;
    private static final int TURNS = 9;
    private static final long LEAST_NANOS = 150_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CompiledCurves() {}

    private record Images(List<float[]> rows, List<Integer> classes) {}

    /** Arguments: the folder of the data sets, the number of training rows, C, and {@code raw} or {@code unit}. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]).resolve("fashion-mnist");
        boolean unit = arguments[3].equals("unit");
        Images train = images(folder, "train", Integer.parseInt(arguments[1]), unit);
        Images test = images(folder, "t10k", TESTED, unit);
        long start = System.nanoTime();
        KernelModel model = KernelMachine.of("intersection")
                .withMap(FeatureMaps.none())
                .withScaling("none")
                .withLearner("svm(C=" + arguments[2] + ")")
                .fit(source(train))
                .model();
        print(
                "%s values, %d training rows, C=%s, trained in %.0f s%n",
                arguments[3], train.rows.size(), arguments[2], (System.nanoTime() - start) * 1e-9);
        measure(model, test);
    }

    private static void measure(KernelModel model, Images test) {
        Loop loop = new Loop(model);
        print("%d support vectors, %d columns%n", loop.coefficients.length, COLUMNS);
        AdditiveCurves exact = compiled(model, "exact");
        AdditiveCurves linear = compiled(model, "linear");
        AdditiveCurves constant = compiled(model, "constant");
        List<double[]> rows = new ArrayList<>();
        for (float[] row : test.rows) {
            double[] values = new double[COLUMNS];
            for (int j = 0; j < COLUMNS; j++) {
                values[j] = row[j];
            }
            rows.add(values);
        }
        compare("exact", exact.model(), loop, rows);
        compare("linear", linear.model(), loop, rows);
        compare("constant", constant.model(), loop, rows);
        List<Timed> timed = new ArrayList<>();
        timed.add(new Timed("double loop", loop::score));
        for (AdditiveCurves curves : List.of(exact, linear, constant)) {
            FeatureMap map = curves.model().map();
            double[] out = new double[1];
            float[] values = new float[COLUMNS];
            DenseRows block = DenseRows.of(1, COLUMNS, values);
            timed.add(new Timed(curves.form() + ", curves", row -> {
                for (int j = 0; j < COLUMNS; j++) {
                    values[j] = (float) row[j];
                }
                map.apply(block, out, 0, 1);
                return out[0];
            }));
            KernelModel whole = curves.model();
            timed.add(new Timed(curves.form() + ", model", row -> whole.score(row)[0]));
        }
        timed.add(new Timed("original model", row -> model.score(row)[0]));
        time(timed, rows);
    }

    private static AdditiveCurves compiled(KernelModel model, String form) {
        long start = System.nanoTime();
        AdditiveCurves curves = AdditiveCurves.compile(model, form, 100, null, new Workers(1), Progress.NONE);
        print(
                "%s: %d curves, %d knots, %.1f MB, compiled in %.1f s%n",
                form,
                curves.columns().size(),
                curves.knotCount(),
                curves.model().fileBytes() * 1e-6,
                (System.nanoTime() - start) * 1e-9);
        return curves;
    }

    /** The plain double loop. */
    private static final class Loop {
        private final double[] support;
        private final double[] coefficients;
        private final double intercept;

        Loop(KernelModel model) {
            RowBlock rows = ((LandmarkMap) model.map()).landmarks();
            LinearModel linear = ModelAccess.parts(model).requireLinear();
            support = new double[rows.rows() * COLUMNS];
            coefficients = linear.weights();
            intercept = linear.intercept(0);
            double[] row = new double[COLUMNS];
            for (int i = 0; i < rows.rows(); i++) {
                rows.copyRow(i, row);
                System.arraycopy(row, 0, support, i * COLUMNS, COLUMNS);
            }
        }

        double score(double[] row) {
            double score = intercept;
            for (int i = 0; i < coefficients.length; i++) {
                double sum = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    sum += Math.min(row[j], support[i * COLUMNS + j]);
                }
                score += coefficients[i] * sum;
            }
            return score;
        }

        double sizes() {
            double sum = 0;
            for (double coefficient : coefficients) {
                sum += Math.abs(coefficient);
            }
            return sum;
        }
    }

    private static void compare(String name, KernelModel model, Loop loop, List<double[]> rows) {
        double largest = 0;
        double squares = 0;
        double mean = 0;
        double deviation = 0;
        int same = 0;
        for (int i = 0; i < rows.size(); i++) {
            double exact = loop.score(rows.get(i));
            double score = model.score(rows.get(i))[0];
            largest = Math.max(largest, Math.abs(exact - score));
            squares += (exact - score) * (exact - score);
            same += exact > 0 == score > 0 ? 1 : 0;
            double step = exact - mean;
            mean += step / (i + 1);
            deviation += step * (exact - mean);
        }
        deviation = Math.sqrt(deviation / rows.size());
        print(
                "%-9s largest error %.2e = %.2e of the sum of |coefficients| = %.4f%% of the scores' deviation; rms"
                        + " %.4f%%; %d of %d decisions equal%n",
                name,
                largest,
                largest / loop.sizes(),
                100 * largest / deviation,
                100 * Math.sqrt(squares / rows.size()) / deviation,
                same,
                rows.size());
    }

    /** A function whose time is measured. */
    private static final class Timed {
        private final String name;
        private final ToDoubleFunction<double[]> function;
        private double nanos = Double.POSITIVE_INFINITY;

        Timed(String name, ToDoubleFunction<double[]> function) {
            this.name = name;
            this.function = function;
        }
    }

    private static void time(List<Timed> timed, List<double[]> rows) {
        double sum = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            for (Timed one : timed) {
                long begin = THREADS.getCurrentThreadCpuTime();
                long elapsed;
                long count = 0;
                do {
                    // Several rows between readings of the clock, which cost as much as a row.
                    for (int k = 0; k < 8; k++) {
                        sum += one.function.applyAsDouble(rows.get((int) (count++ % rows.size())));
                    }
                    elapsed = THREADS.getCurrentThreadCpuTime() - begin;
                } while (elapsed < LEAST_NANOS);
                one.nanos = Math.min(one.nanos, (double) elapsed / count);
            }
        }
        for (Timed one : timed) {
            print("%-17s %9.2f us a row, %7.1fx%n", one.name, one.nanos * 1e-3, timed.get(0).nanos / one.nanos);
        }
        print("checksum %.3f%n", sum);
    }

    private static MemorySource source(Images images) {
        float[] values = new float[images.rows.size() * COLUMNS];
        int[] shirts = new int[images.rows.size()];
        for (int i = 0; i < shirts.length; i++) {
            System.arraycopy(images.rows.get(i), 0, values, i * COLUMNS, COLUMNS);
            shirts[i] = images.classes.get(i) == 6 ? 1 : 0;
        }
        return MemorySource.of(COLUMNS, values).withClasses(List.of("other", "shirt"), shirts);
    }

    /** Returns the first images of the classes 0, 2, 4 and 6. */
    private static Images images(Path folder, String part, int count, boolean unit) {
        DataOptions options = DataOptions.of(
                        folder.resolve(part + "-images-idx3-ubyte.gz").toString())
                .withLabelsFile(folder.resolve(part + "-labels-idx1-ubyte.gz").toString());
        FileSource source = FileSource.open(options);
        Images images = new Images(new ArrayList<>(), new ArrayList<>());
        double[] pixels = new double[SIDE * SIDE];
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (images.rows.size() < count && cursor.next(builder, 256)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows() && images.rows.size() < count; i++) {
                    int label = Integer.parseInt(source.labels().names().get((int) block.target(i, 0)));
                    if (label % 2 == 0 && label <= 6) {
                        block.copyRow(i, pixels);
                        images.rows.add(pyramid(pixels, unit));
                        images.classes.add(label);
                    }
                }
                builder = new RowBlockBuilder();
            }
        }
        return images;
    }

    private static float[] pyramid(double[] pixels, boolean unit) {
        double[] all = new double[COLUMNS];
        int next = 0;
        double total = 0;
        for (int block : new int[] {1, 2, 4}) {
            for (int y = 0; y < SIDE; y += block) {
                for (int x = 0; x < SIDE; x += block) {
                    double sum = 0;
                    for (int k = 0; k < block * block; k++) {
                        sum += pixels[(y + k / block) * SIDE + x + k % block];
                    }
                    all[next++] = sum / (block * block);
                    total += sum / (block * block);
                }
            }
        }
        float[] values = new float[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            values[j] = (float) (unit ? all[j] / Math.max(total, 1) : all[j]);
        }
        return values;
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
