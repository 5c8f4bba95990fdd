package org.bochner.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.Task;

/**
 * Gradient-boosted trees of XGBoost for comparison, with fixed or searched settings: the test error in percent or the root mean
 * squared error, the seconds of reading the training rows, searching and boosting, and the processor seconds of all threads.
 *
 * <p>Arguments: the number of trees, their depth, the learning rate, the share of rows and columns per tree, and the seed; or
 * {@code search=N} and the seed. Then, once or more, a file of training rows, a file of test rows, both with the label last, and
 * {@code classify}, {@code regress}, {@code auto} or {@code positive=CLASS}. One line of output per pair of files: error, seconds
 * and processor seconds. A search draws N settings at random, boosts with each of them on four fifths of the first training rows
 * until the error on the others has not fallen for {@value #PATIENCE} trees, and uses the best settings for all files.
 */
public final class BoostedTrees {
    private static final int BLOCK_ROWS = 4096;
    private static final String SEARCH = "search=";
    private static final int MOST_TREES = 1000;
    private static final int PATIENCE = 30;
    private static final double VALIDATION_SHARE = 0.2;

    private BoostedTrees() {}

    public static void main(String[] arguments) throws XGBoostError {
        boolean searches = arguments[0].startsWith(SEARCH);
        int first = searches ? 2 : 5;
        long seed = Long.parseLong(arguments[first - 1]);
        Settings settings = searches
                ? null
                : new Settings(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Double.parseDouble(arguments[2]),
                        Double.parseDouble(arguments[3]),
                        Double.parseDouble(arguments[3]),
                        1,
                        1);
        for (int a = first; a + 2 < arguments.length; a += 3) {
            long start = System.nanoTime();
            double used = processorSeconds();
            FileSource training = FileSource.open(options(arguments[a], arguments[a + 2]));
            Rows rows = Rows.read(training);
            if (settings == null) {
                settings = search(rows, Integer.parseInt(arguments[0].substring(SEARCH.length())), seed);
                System.err.println(settings);
            }
            Booster booster = boost(rows, settings, seed);
            double seconds = (System.nanoTime() - start) * 1e-9;
            double processor = processorSeconds() - used;
            Rows tests = Rows.read(FileSource.open(options(arguments[a + 1], arguments[a + 2]), training.encoding()));
            double error = tests.error(booster.predict(tests.matrix()));
            System.out.printf(Locale.ROOT, "%.6g %.2f %.2f%n", error, seconds, processor);
        }
    }

    private static double processorSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() * 1e-9;
    }

    /** The settings of boosting; {@code minimum} is the least weight of a leaf, and {@code l2} the penalty of its value. */
    private record Settings(
            int trees, int depth, double rate, double rowShare, double columnShare, double minimum, double l2) {
        static Settings draw(Random random) {
            return new Settings(
                    MOST_TREES,
                    3 + random.nextInt(8),
                    logarithmic(random, 0.03, 0.3),
                    0.5 + 0.5 * random.nextDouble(),
                    0.5 + 0.5 * random.nextDouble(),
                    logarithmic(random, 1, 20),
                    logarithmic(random, 0.1, 10));
        }

        private static double logarithmic(Random random, double low, double high) {
            return low * Math.pow(high / low, random.nextDouble());
        }

        Settings withTrees(int count) {
            return new Settings(count, depth, rate, rowShare, columnShare, minimum, l2);
        }

        Map<String, Object> parameters(int classes, long seed) {
            Map<String, Object> parameters = new HashMap<>();
            parameters.put("max_depth", depth);
            parameters.put("eta", rate);
            parameters.put("subsample", rowShare);
            parameters.put("colsample_bytree", columnShare);
            parameters.put("min_child_weight", minimum);
            parameters.put("lambda", l2);
            parameters.put("seed", seed);
            parameters.put("tree_method", "hist");
            parameters.put("nthread", Runtime.getRuntime().availableProcessors());
            parameters.put("verbosity", 0);
            parameters.put("verbose_eval", 0);
            parameters.put("maximize_evaluation_metrics", "false");
            parameters.put(
                    "objective",
                    classes == 0 ? "reg:squarederror" : classes == 2 ? "binary:logistic" : "multi:softprob");
            parameters.put("eval_metric", classes == 0 ? "rmse" : classes == 2 ? "error" : "merror");
            if (classes > 2) {
                parameters.put("num_class", classes);
            }
            return parameters;
        }
    }

    /** Returns the settings with the least error on held-out rows. */
    private static Settings search(Rows rows, int count, long seed) throws XGBoostError {
        Random random = new Random(seed);
        boolean[] held = new boolean[rows.targets.length];
        for (int i = 0; i < held.length; i++) {
            held[i] = random.nextDouble() < VALIDATION_SHARE;
        }
        Rows training = rows.where(held, false);
        DMatrix trainingRows = training.matrix();
        DMatrix validationRows = rows.where(held, true).matrix();
        Settings best = Settings.draw(random);
        float least = Float.POSITIVE_INFINITY;
        for (int trial = 0; trial < count; trial++) {
            Settings drawn = trial == 0 ? best : Settings.draw(random);
            float[][] errors = new float[1][MOST_TREES];
            Arrays.fill(errors[0], Float.NaN);
            XGBoost.train(
                    trainingRows,
                    drawn.parameters(rows.classes, seed),
                    MOST_TREES,
                    Map.of("validation", validationRows),
                    errors,
                    null,
                    null,
                    PATIENCE);
            for (int tree = 0; tree < MOST_TREES; tree++) {
                // Not a number, or zero, after the last tree that was built.
                if (tree > 0 && !(errors[0][tree] > 0)) {
                    break;
                }
                if (errors[0][tree] < least) {
                    least = errors[0][tree];
                    best = drawn.withTrees(tree + 1);
                }
            }
        }
        return best;
    }

    private static DataOptions options(String file, String task) {
        DataOptions options = DataOptions.of(file).withLabel("last");
        return task.startsWith("positive=")
                ? options.withPositive(task.substring("positive=".length()))
                : options.withTask(Task.valueOf(task.toUpperCase(Locale.ROOT)));
    }

    private static Booster boost(Rows rows, Settings settings, long seed) throws XGBoostError {
        return XGBoost.train(
                rows.matrix(), settings.parameters(rows.classes, seed), settings.trees(), Map.of(), null, null);
    }

    /** The dense rows of a source. */
    static final class Rows {
        private final int classes;
        private final int columns;
        private final float[] values;
        private final float[] targets;

        private Rows(int classes, int columns, float[] values, float[] targets) {
            this.classes = classes;
            this.columns = columns;
            this.values = values;
            this.targets = targets;
        }

        static Rows read(RowSource file) {
            MemorySource source = MemorySource.load(file, row -> true);
            int columns = source.columns();
            int count = Math.toIntExact(source.rows());
            int classes = source.labels() instanceof Labels.Classes labels
                    ? labels.names().size()
                    : 0;
            float[] values = new float[Math.multiplyExact(count, columns)];
            float[] targets = new float[count];
            double[] row = new double[columns];
            RowBlockBuilder builder = new RowBlockBuilder();
            int next = 0;
            try (RowCursor cursor = source.open()) {
                while (cursor.next(builder, BLOCK_ROWS)) {
                    RowBlock block = builder.build();
                    for (int i = 0; i < block.rows(); i++, next++) {
                        block.copyRow(i, row);
                        for (int l = 0; l < columns; l++) {
                            values[next * columns + l] = (float) row[l];
                        }
                        targets[next] = (float) block.target(i, 0);
                    }
                }
            }
            return new Rows(classes, columns, values, targets);
        }

        /** Returns the rows that are held out, or the others. */
        Rows where(boolean[] held, boolean wanted) {
            float[] keptValues = new float[values.length];
            float[] keptTargets = new float[targets.length];
            int count = 0;
            for (int i = 0; i < held.length; i++) {
                if (held[i] == wanted) {
                    System.arraycopy(values, i * columns, keptValues, count * columns, columns);
                    keptTargets[count++] = targets[i];
                }
            }
            return new Rows(
                    classes, columns, Arrays.copyOf(keptValues, count * columns), Arrays.copyOf(keptTargets, count));
        }

        /** Returns the targets; the array is shared. */
        float[] targets() {
            return targets;
        }

        DMatrix matrix() throws XGBoostError {
            DMatrix matrix = new DMatrix(values, targets.length, columns, Float.NaN);
            matrix.setLabel(targets);
            return matrix;
        }

        double error(float[][] predictions) {
            double sum = 0;
            for (int i = 0; i < targets.length; i++) {
                float[] scores = predictions[i];
                if (classes == 0) {
                    sum += (scores[0] - targets[i]) * (double) (scores[0] - targets[i]);
                } else {
                    sum += targets[i] == answer(scores) ? 0 : 1;
                }
            }
            return classes == 0 ? Math.sqrt(sum / targets.length) : 100 * sum / targets.length;
        }

        private static int answer(float[] scores) {
            if (scores.length == 1) {
                return scores[0] > 0.5f ? 1 : 0;
            }
            int highest = 0;
            for (int c = 1; c < scores.length; c++) {
                highest = scores[c] > scores[highest] ? c : highest;
            }
            return highest;
        }
    }
}
