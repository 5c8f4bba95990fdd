package org.bochner.benchmarks;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
 * Gradient-boosted trees of XGBoost with fixed settings, for comparison: the test error in percent or the root mean squared
 * error, and the seconds of reading the training rows and of boosting.
 *
 * <p>Arguments: the number of trees, their depth, the learning rate, the share of rows and columns per tree, and the seed; then,
 * once or more, a file of training rows, a file of test rows, both with the label last, and {@code classify}, {@code regress},
 * {@code auto} or {@code positive=CLASS}. One line of output per pair of files: error and seconds.
 */
public final class BoostedTrees {
    private static final int BLOCK_ROWS = 4096;

    private BoostedTrees() {}

    public static void main(String[] arguments) throws XGBoostError {
        int trees = Integer.parseInt(arguments[0]);
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("max_depth", Integer.parseInt(arguments[1]));
        parameters.put("eta", Double.parseDouble(arguments[2]));
        parameters.put("subsample", Double.parseDouble(arguments[3]));
        parameters.put("colsample_bytree", Double.parseDouble(arguments[3]));
        parameters.put("seed", Integer.parseInt(arguments[4]));
        parameters.put("tree_method", "hist");
        parameters.put("nthread", Runtime.getRuntime().availableProcessors());
        parameters.put("verbosity", 0);
        parameters.put("verbose_eval", 0);
        for (int a = 5; a + 2 < arguments.length; a += 3) {
            long start = System.nanoTime();
            FileSource training = FileSource.open(options(arguments[a], arguments[a + 2]));
            Rows rows = Rows.read(training);
            Booster booster = boost(rows, trees, new HashMap<>(parameters));
            double seconds = (System.nanoTime() - start) * 1e-9;
            Rows tests = Rows.read(FileSource.open(options(arguments[a + 1], arguments[a + 2]), training.encoding()));
            float[][] predictions = booster.predict(tests.matrix());
            System.out.printf(Locale.ROOT, "%.6g %.2f%n", tests.error(predictions), seconds);
        }
    }

    private static DataOptions options(String file, String task) {
        DataOptions options = DataOptions.of(file).withLabel("last");
        return task.startsWith("positive=")
                ? options.withPositive(task.substring("positive=".length()))
                : options.withTask(Task.valueOf(task.toUpperCase(Locale.ROOT)));
    }

    private static Booster boost(Rows rows, int trees, Map<String, Object> parameters) throws XGBoostError {
        int classes = rows.classes;
        parameters.put(
                "objective", classes == 0 ? "reg:squarederror" : classes == 2 ? "binary:logistic" : "multi:softprob");
        if (classes > 2) {
            parameters.put("num_class", classes);
        }
        return XGBoost.train(rows.matrix(), parameters, trees, Map.of(), null, null);
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
