package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * How well a model does on labelled rows: error and a confusion table for classes, or rmse, mae and r² for numbers.
 *
 * <p>Classes are compared by name. Rows of a class the model has never seen count as errors.
 */
public final class Evaluation {
    private final Labels labels;
    private final long rows;
    private final long[][] confusion;
    private final long unseen;
    private final List<NumberScore> numbers;

    /** What is known of one class: its rows, how many of them were found, how many rows were said to be of it. */
    public record ClassScore(String name, long rows, long correct, long predicted) {
        /** The share of its rows that were found. */
        public double recall() {
            return rows == 0 ? Double.NaN : (double) correct / rows;
        }

        /** The share of the rows said to be of it that are. */
        public double precision() {
            return predicted == 0 ? Double.NaN : (double) correct / predicted;
        }
    }

    /** How well one number is predicted. */
    public record NumberScore(String name, double rmse, double mae, double r2) {}

    private Evaluation(Labels labels, long rows, long[][] confusion, long unseen, List<NumberScore> numbers) {
        this.labels = labels;
        this.rows = rows;
        this.confusion = confusion;
        this.unseen = unseen;
        this.numbers = numbers;
    }

    /** Predicts every row of the source, on all processors, and compares with its label. */
    public static Evaluation of(KernelModel model, RowSource source) {
        return of(model, source, Workers.all(), Progress.NONE);
    }

    /** Predicts every row of the source and compares with its label. */
    public static Evaluation of(KernelModel model, RowSource source, Workers workers, Progress progress) {
        if (source.labels() instanceof Labels.None) {
            throw new BochnerException(source.name() + ": has no labels to compare with");
        }
        Counter counter = new Counter(model, source);
        model.score(source, workers, progress, counter::add);
        return counter.result(source.name());
    }

    public Labels labels() {
        return labels;
    }

    public long rows() {
        return rows;
    }

    /** The share of rows given the wrong class. */
    public double error() {
        long correct = 0;
        for (int c = 0; c < confusion.length; c++) {
            correct += confusion[c][c];
        }
        return 1 - (double) correct / rows;
    }

    /** Rows whose class the model does not know. */
    public long unseen() {
        return unseen;
    }

    /** Rows of class {@code actual} that were said to be of class {@code predicted}. */
    public long confusion(int actual, int predicted) {
        return confusion[actual][predicted];
    }

    /** A line for every class; empty for numbers. */
    public List<ClassScore> classes() {
        List<ClassScore> scores = new ArrayList<>();
        if (labels instanceof Labels.Classes classes) {
            for (int c = 0; c < confusion.length; c++) {
                long predicted = 0;
                for (long[] row : confusion) {
                    predicted += row[c];
                }
                scores.add(new ClassScore(
                        classes.names().get(c), Arrays.stream(confusion[c]).sum(), confusion[c][c], predicted));
            }
        }
        return scores;
    }

    /** A line for every number that is predicted; empty for classes. */
    public List<NumberScore> numbers() {
        return numbers;
    }

    /** Root mean squared error, over all numbers where there are several. */
    public double rmse() {
        return Math.sqrt(
                numbers.stream().mapToDouble(n -> n.rmse() * n.rmse()).average().orElse(Double.NaN));
    }

    /** Mean absolute error, averaged over the numbers where there are several. */
    public double mae() {
        return numbers.stream().mapToDouble(NumberScore::mae).average().orElse(Double.NaN);
    }

    /** The share of variance explained, averaged over the numbers where there are several. */
    public double r2() {
        return numbers.stream().mapToDouble(NumberScore::r2).average().orElse(Double.NaN);
    }

    /** The whole as plain values, for JSON. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("rows", rows);
        if (labels instanceof Labels.Classes) {
            map.put("error", error());
            map.put("accuracy", 1 - error());
            map.put("unseenClassRows", unseen);
            List<Map<String, Object>> lines = new ArrayList<>();
            for (ClassScore score : classes()) {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("class", score.name());
                line.put("rows", score.rows());
                line.put("recall", score.recall());
                line.put("precision", score.precision());
                lines.add(line);
            }
            map.put("classes", lines);
        } else {
            map.put("rmse", rmse());
            map.put("mae", mae());
            map.put("r2", r2());
            if (numbers.size() > 1) {
                List<Map<String, Object>> lines = new ArrayList<>();
                for (NumberScore score : numbers) {
                    Map<String, Object> line = new LinkedHashMap<>();
                    line.put("name", score.name());
                    line.put("rmse", score.rmse());
                    line.put("mae", score.mae());
                    line.put("r2", score.r2());
                    lines.add(line);
                }
                map.put("outputs", lines);
            }
        }
        return map;
    }

    private static final class Counter {
        private final KernelModel model;
        private final int outputs;
        /** The model's number for each class of the source; −1 where it has none. */
        private final int[] classes;

        private final long[][] confusion;
        private final double[] squares;
        private final double[] absolutes;
        private final double[] mean;
        private final double[] scatter;
        private long rows;
        private long unseen;

        Counter(KernelModel model, RowSource source) {
            this.model = model;
            outputs = model.linear().outputs();
            if (model.labels() instanceof Labels.Classes known && source.labels() instanceof Labels.Classes given) {
                classes =
                        given.names().stream().mapToInt(known.names()::indexOf).toArray();
                confusion = new long[known.names().size()][known.names().size()];
            } else if (model.labels() instanceof Labels.Numbers && source.labels() instanceof Labels.Numbers given) {
                Require.sameSize(source.name(), "numbers a row", given.width(), outputs);
                classes = new int[0];
                confusion = new long[0][0];
            } else {
                throw new BochnerException(source.name() + ": has " + kind(source.labels()) + " for labels; the model"
                        + " predicts " + kind(model.labels()));
            }
            squares = new double[outputs];
            absolutes = new double[outputs];
            mean = new double[outputs];
            scatter = new double[outputs];
        }

        void add(RowBlock block, double[] scores) {
            for (int i = 0; i < block.rows(); i++) {
                rows++;
                if (confusion.length > 0) {
                    addClass(block.target(i, 0), model.classOf(scores, i));
                } else {
                    for (int o = 0; o < outputs; o++) {
                        addNumber(o, block.target(i, o), scores[i * outputs + o]);
                    }
                }
            }
        }

        private void addClass(double actual, int predicted) {
            int known = Double.isNaN(actual) ? -1 : classes[(int) actual];
            if (known < 0) {
                unseen++;
            } else {
                confusion[known][predicted]++;
            }
        }

        private static String kind(Labels labels) {
            return labels instanceof Labels.Classes ? "classes" : "numbers";
        }

        private void addNumber(int o, double actual, double predicted) {
            double difference = predicted - actual;
            squares[o] += difference * difference;
            absolutes[o] += Math.abs(difference);
            double step = actual - mean[o];
            mean[o] += step / rows;
            scatter[o] += step * (actual - mean[o]);
        }

        Evaluation result(String name) {
            if (rows == 0) {
                throw new BochnerException(name + ": holds no rows to evaluate");
            }
            List<NumberScore> numbers = new ArrayList<>();
            if (model.labels() instanceof Labels.Numbers labels) {
                for (int o = 0; o < outputs; o++) {
                    numbers.add(new NumberScore(
                            labels.names().get(o),
                            Math.sqrt(squares[o] / rows),
                            absolutes[o] / rows,
                            1 - squares[o] / scatter[o]));
                }
            }
            return new Evaluation(model.labels(), rows, confusion, unseen, List.copyOf(numbers));
        }
    }
}
