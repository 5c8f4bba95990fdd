package org.bochner.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * How well a model does on labelled rows: error and a confusion table for classes, with the error of the first k answers
 * and that of the probabilities where they are wanted and there; rmse, mae and r² for numbers.
 *
 * <p>Classes are compared by name. Rows of a class the model has never seen count as errors.
 *
 * <p>Memory: with c classes 8·c² bytes up to a thousand, beyond that about 100 bytes for each pair of classes that is
 * confused.
 */
public final class Evaluation {
    private final Labels labels;
    private final long rows;
    private final Confusion confusion;
    private final long unseen;
    private final int top;
    private final long topCorrect;
    private final @Nullable Probabilities probabilities;
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

    /**
     * How good probabilities are, over the rows of classes that the model knows.
     *
     * @param logLoss mean of −log of the probability of the row's class, which counts as at least 2⁻⁵²
     * @param brier mean of Σ (p − y)² over the classes, y being 1 for the row's class and 0 for the others; of two classes
     *     only the second counts
     * @param calibrationError mean of |share that is right − probability of the class predicted|, over 15 bins of that
     *     probability of equal width, weighted by their rows
     */
    public record Probabilities(double logLoss, double brier, double calibrationError) {}

    private Evaluation(Counter counter, List<NumberScore> numbers) {
        labels = counter.model.labels();
        rows = counter.rows;
        confusion = counter.confusion;
        unseen = counter.unseen;
        top = counter.top;
        topCorrect = counter.topCorrect;
        boolean known = counter.order != null && counter.order.hasProbabilities() && unseen < rows;
        probabilities = known ? counter.probabilities.result() : null;
        this.numbers = numbers;
    }

    /** Predicts every row of the source, on all processors, and compares with its label. */
    public static Evaluation of(KernelModel model, RowSource source) {
        return of(model, source, Workers.all(), Progress.NONE);
    }

    /** Predicts every row of the source and compares with its label. */
    public static Evaluation of(KernelModel model, RowSource source, Workers workers, Progress progress) {
        return of(model, source, workers, progress, 1);
    }

    /**
     * The same, and counts too how often the class of a row is among the first answers.
     *
     * @param top how many answers; 1 for models of numbers, less than the classes for others
     */
    public static Evaluation of(KernelModel model, RowSource source, Workers workers, Progress progress, int top) {
        if (source.labels() instanceof Labels.None) {
            throw new BochnerException(source.name() + ": has no labels to compare with");
        }
        Counter counter = new Counter(model, source, top);
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
        return 1 - (double) confusion.correct() / rows;
    }

    /** Of how many answers {@link #topError} is: k. */
    public int top() {
        return top;
    }

    /** The share of rows whose class is not among the first k answers. */
    public double topError() {
        return 1 - (double) topCorrect / rows;
    }

    /** Rows whose class the model does not know. */
    public long unseen() {
        return unseen;
    }

    /** How good the probabilities are; empty where the model has none, or knows the class of no row. */
    public Optional<Probabilities> probabilities() {
        return Optional.ofNullable(probabilities);
    }

    /** Rows of class {@code actual} that were said to be of class {@code predicted}. */
    public long confusion(int actual, int predicted) {
        return confusion.count(actual, predicted);
    }

    /** A line for every class; empty for numbers. */
    public List<ClassScore> classes() {
        List<ClassScore> scores = new ArrayList<>();
        if (labels instanceof Labels.Classes classes) {
            for (int c = 0; c < confusion.classes(); c++) {
                scores.add(new ClassScore(
                        classes.names().get(c), confusion.actual(c), confusion.correct(c), confusion.predicted(c)));
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
            if (top > 1) {
                map.put("topK", top);
                map.put("topError", topError());
            }
            if (probabilities != null) {
                map.put("logLoss", probabilities.logLoss());
                map.put("brier", probabilities.brier());
                map.put("calibrationError", probabilities.calibrationError());
            }
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

        private final Confusion confusion;
        private final int top;
        private final @Nullable ClassOrder order;
        private final ProbabilityErrors probabilities = new ProbabilityErrors();
        private final double[] squares;
        private final double[] absolutes;
        private final double[] mean;
        private final double[] scatter;
        private long rows;
        private long unseen;
        private long topCorrect;

        Counter(KernelModel model, RowSource source, int top) {
            this.model = model;
            this.top = Require.atLeast("evaluation", "top", top, 1);
            outputs = model.linear().outputs();
            if (model.labels() instanceof Labels.Classes known && source.labels() instanceof Labels.Classes given) {
                if (top > 1 && top >= known.names().size()) {
                    throw new BochnerException("the first " + top + " answers cannot be wrong: the model has "
                            + known.names().size() + " classes");
                }
                Map<String, Integer> index = new HashMap<>();
                known.names().forEach(name -> index.put(name, index.size()));
                classes = given.names().stream()
                        .mapToInt(name -> index.getOrDefault(name, -1))
                        .toArray();
                confusion = new Confusion(known.names().size());
                order = new ClassOrder(model);
            } else if (model.labels() instanceof Labels.Numbers && source.labels() instanceof Labels.Numbers given) {
                Require.sameSize(source.name(), "numbers a row", given.width(), outputs);
                Require.that(top == 1, "evaluation", "numbers have no first " + top + " answers");
                classes = new int[0];
                confusion = new Confusion(0);
                order = null;
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
                if (order != null) {
                    order.take(scores, i);
                    addClass(block.target(i, 0), order);
                } else {
                    for (int o = 0; o < outputs; o++) {
                        addNumber(o, block.target(i, o), scores[i * outputs + o]);
                    }
                }
            }
        }

        private void addClass(double target, ClassOrder answers) {
            int actual = Double.isNaN(target) ? -1 : classes[(int) target];
            if (actual < 0) {
                unseen++;
                return;
            }
            int predicted = answers.first();
            confusion.add(actual, predicted);
            topCorrect += actual == predicted || (top > 1 && answers.placeOf(actual) < top) ? 1 : 0;
            if (answers.hasProbabilities()) {
                probabilities.add(answers, confusion.classes(), actual, predicted);
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
            return new Evaluation(this, List.copyOf(numbers));
        }
    }
}
