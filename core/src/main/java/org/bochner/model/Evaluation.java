package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.text.JsonFields;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.evaluate.Confusion;
import org.bochner.model.evaluate.ProbabilityErrors;
import org.bochner.model.evaluate.ResidualSummary;
import org.bochner.model.evaluate.ScoreRanks;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of a model on labelled rows. For classes: the error, a confusion table, and recall, precision, F1
 * and the area under the ROC curve per class; on request the top-k error, and the errors of probabilities if the
 * model has them. For numbers: rmse, mae and r², and a summary of the residuals.
 *
 * <p>Classes are compared by name. Rows of a class that the model does not know count as errors and are left out of
 * all other measures. Row weights are ignored, except by the areas under ROC curves.
 *
 * <p>Memory: 8·c² bytes for c classes up to a thousand; for more classes, about 100 bytes per confused pair of
 * classes. Up to 2,097,152 scores (one per class and row, or one per row for two classes) or residuals are kept, 16
 * MiB. More are counted in bins of 0.8% width; scores of one bin count as ties.
 */
public final class Evaluation {
    private final Labels labels;
    private final long rows;
    private final Confusion confusion;
    private final long unseen;
    private final int top;
    private final long topCorrect;
    private final ProbabilityErrors.@Nullable Result probabilities;
    private final List<NumberResult> numbers;
    private final ScoreRanks ranks;
    /** Computed on first use, because sorting all scores is expensive and the error does not need it. */
    private double @Nullable [] areas;

    /**
     * The measures of one class.
     *
     * @param rows the number of rows of the class
     * @param correct the number of rows of the class that were predicted correctly
     * @param predicted the number of rows predicted as the class
     * @param auc the area under the ROC curve of the class against all others: the probability that a row of the
     *     class has a higher score than a row of another class, where a tie counts half; NaN if no rows or all rows
     *     are of the class, or with more than 1000 classes
     */
    public record ClassResult(String name, long rows, long correct, long predicted, double auc) {
        /** Returns the share of the class's rows that were predicted correctly. */
        public double recall() {
            return rows == 0 ? Double.NaN : (double) correct / rows;
        }

        /** Returns the share of the rows predicted as the class that are of the class. */
        public double precision() {
            return predicted == 0 ? Double.NaN : (double) correct / predicted;
        }

        /** Returns the harmonic mean of recall and precision; NaN if the class has no rows and was never predicted. */
        public double f1() {
            return rows + predicted == 0 ? Double.NaN : 2.0 * correct / (rows + predicted);
        }
    }

    /**
     * Rows of one class that were said to be of another, or of the same.
     *
     * @param actual index of the class they are of
     * @param predicted index of the class they were said to be of
     */
    public record Confused(int actual, int predicted, long rows) {}

    /**
     * The measures of one predicted number, and the distribution of its residuals, actual − predicted.
     *
     * @param rmse root mean squared error
     * @param mae mean absolute error
     * @param r2 share of the variance that is explained
     * @param mean the mean residual: positive if predictions are too low
     * @param standardDeviation of the residuals about their mean
     * @param q05 the 5% quantile of the residuals; q25, q75 and q95 are the 25%, 75% and 95% quantiles
     * @param maxAbsolute the largest absolute residual
     * @param mape mean of |residual / actual|; NaN if an actual number is 0
     */
    public record NumberResult(
            String name,
            double rmse,
            double mae,
            double r2,
            double mean,
            double standardDeviation,
            double q05,
            double q25,
            double median,
            double q75,
            double q95,
            double maxAbsolute,
            double mape) {}

    private Evaluation(Counter counter, List<NumberResult> numbers) {
        labels = counter.model.labels();
        rows = counter.rows;
        confusion = counter.confusion;
        unseen = counter.unseen;
        top = counter.top;
        topCorrect = counter.topCorrect;
        boolean known = counter.order != null && counter.order.hasProbabilities() && unseen < rows;
        probabilities = known ? counter.probabilities.result() : null;
        this.numbers = numbers;
        ranks = counter.ranks;
    }

    /** Evaluates a model on a source, on all processors. */
    public static Evaluation of(KernelModel model, RowSource source) {
        return of(model, source, Workers.all(), Progress.NONE);
    }

    /** Evaluates a model on a source. */
    public static Evaluation of(KernelModel model, RowSource source, Workers workers, Progress progress) {
        return of(model, source, workers, progress, 1);
    }

    /**
     * Evaluates a model on a source, with the top-k error.
     *
     * @param top k, less than the number of classes; 1 for models that predict numbers
     */
    public static Evaluation of(KernelModel model, RowSource source, Workers workers, Progress progress, int top) {
        if (source.labels().targets() == 0) {
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

    /** Returns the share of rows with a wrong predicted class. */
    public double error() {
        return 1 - (double) confusion.correct() / rows;
    }

    /** Returns k, the number of answers of {@link #topError}. */
    public int top() {
        return top;
    }

    /** Returns the share of rows whose class is not among the first k answers. */
    public double topError() {
        return 1 - (double) topCorrect / rows;
    }

    /** Returns the number of rows whose class the model does not know. */
    public long unseen() {
        return unseen;
    }

    /** Returns true if the model has probabilities and knows the class of at least one row. */
    public boolean hasProbabilities() {
        return probabilities != null;
    }

    /**
     * Returns the log loss: the mean of −log p over the rows of known classes, with p the probability of the row's
     * class, at least 2⁻⁵²; NaN without probabilities.
     */
    public double logLoss() {
        return probabilities == null ? Double.NaN : probabilities.logLoss();
    }

    /**
     * Returns the Brier score: the mean of Σ (p − y)² over the classes, with y = 1 for the row's class and 0 for the
     * others. With two classes, the sum has only the second class. NaN without probabilities.
     */
    public double brier() {
        return probabilities == null ? Double.NaN : probabilities.brier();
    }

    /**
     * Returns the expected calibration error: the mean of |accuracy − mean probability of the predicted class| over
     * 15 equal bins of that probability, weighted by their rows; NaN without probabilities.
     */
    public double calibrationError() {
        return probabilities == null ? Double.NaN : probabilities.calibrationError();
    }

    /** Returns the number of rows of class {@code actual} that were predicted as class {@code predicted}. */
    public long confusion(int actual, int predicted) {
        return confusion.count(actual, predicted);
    }

    /** Returns the measures of each class; empty for numbers. */
    public List<ClassResult> classes() {
        return classes(areas());
    }

    private List<ClassResult> classes(double[] auc) {
        List<ClassResult> scores = new ArrayList<>();
        if (labels instanceof Labels.Classes classes) {
            for (int c = 0; c < confusion.classes(); c++) {
                scores.add(new ClassResult(
                        classes.names().get(c),
                        confusion.actual(c),
                        confusion.correct(c),
                        confusion.predicted(c),
                        auc[c]));
            }
        }
        return scores;
    }

    /** Every pair of classes that occurs, ordered by the actual class and then by the predicted one. */
    public List<Confused> confusions() {
        return confusion.pairs();
    }

    /**
     * Returns the area under the ROC curve; with more than two classes, the mean over the classes that have one.
     */
    public double auc() {
        return Arrays.stream(areas())
                .filter(area -> !Double.isNaN(area))
                .average()
                .orElse(Double.NaN);
    }

    private synchronized double[] areas() {
        if (areas == null) {
            areas = ranks.areas();
        }
        return areas;
    }

    /** Returns the mean recall over the classes that have rows or were predicted; a class without rows counts as 0. */
    public double macroRecall() {
        return macro(ClassResult::recall);
    }

    /**
     * Returns the mean precision over the classes that have rows or were predicted; a class never predicted counts as
     * 0.
     */
    public double macroPrecision() {
        return macro(ClassResult::precision);
    }

    /** Returns the mean F1 over the classes that have rows or were predicted. */
    public double macroF1() {
        return macro(ClassResult::f1);
    }

    private double macro(ToDoubleFunction<ClassResult> measure) {
        return classes().stream()
                .filter(score -> score.rows() + score.predicted() > 0)
                .mapToDouble(measure)
                .map(value -> Double.isNaN(value) ? 0 : value)
                .average()
                .orElse(Double.NaN);
    }

    /** Returns the measures of each predicted number; empty for classes. */
    public List<NumberResult> numbers() {
        return numbers;
    }

    /** Returns the root mean squared error over all numbers. */
    public double rmse() {
        return Math.sqrt(
                numbers.stream().mapToDouble(n -> n.rmse() * n.rmse()).average().orElse(Double.NaN));
    }

    /** Returns the mean absolute error, averaged over the numbers. */
    public double mae() {
        return numbers.stream().mapToDouble(NumberResult::mae).average().orElse(Double.NaN);
    }

    /** Returns the share of explained variance, averaged over the numbers. */
    public double r2() {
        return numbers.stream().mapToDouble(NumberResult::r2).average().orElse(Double.NaN);
    }

    private static Map<String, Object> line(ClassResult score) {
        return JsonFields.of(
                "class", score.name(),
                "rows", score.rows(),
                "recall", score.recall(),
                "precision", score.precision());
    }

    /**
     * Returns the measures that {@link #toMap} leaves out, as plain values for JSON. Its entry {@code classes}
     * replaces that of the other map and has more fields.
     */
    public Map<String, Object> details() {
        if (!(labels instanceof Labels.Classes classes)) {
            return JsonFields.of(
                    "residuals", numbers.stream().map(Evaluation::residuals).toList());
        }
        List<Map<String, Object>> lines = new ArrayList<>();
        for (ClassResult score : classes()) {
            Map<String, Object> line = line(score);
            line.put("f1", score.f1());
            line.put("auc", score.auc());
            lines.add(line);
        }
        List<String> names = classes.names();
        return JsonFields.of(
                "classes", lines,
                "auc", auc(),
                "macroRecall", macroRecall(),
                "macroPrecision", macroPrecision(),
                "macroF1", macroF1(),
                "confusion",
                        confusions().stream()
                                .map(pair -> JsonFields.of(
                                        "actual", names.get(pair.actual()),
                                        "predicted", names.get(pair.predicted()),
                                        "rows", pair.rows()))
                                .toList());
    }

    private static Map<String, Object> residuals(NumberResult result) {
        return JsonFields.of(
                "name", result.name(),
                "mean", result.mean(),
                "standardDeviation", result.standardDeviation(),
                "q05", result.q05(),
                "q25", result.q25(),
                "median", result.median(),
                "q75", result.q75(),
                "q95", result.q95(),
                "maxAbsolute", result.maxAbsolute(),
                "mape", result.mape());
    }

    /** Returns the measures as plain values for JSON; {@link #details} has more. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = JsonFields.of("rows", rows);
        if (labels instanceof Labels.Classes) {
            map.putAll(JsonFields.of("error", error(), "accuracy", 1 - error(), "unseenClassRows", unseen));
            if (top > 1) {
                map.putAll(JsonFields.of("topK", top, "topError", topError()));
            }
            if (probabilities != null) {
                map.putAll(
                        JsonFields.of("logLoss", logLoss(), "brier", brier(), "calibrationError", calibrationError()));
            }
            map.put(
                    "classes",
                    classes(new double[confusion.classes()]).stream()
                            .map(Evaluation::line)
                            .toList());
            return map;
        }
        map.putAll(JsonFields.of("rmse", rmse(), "mae", mae(), "r2", r2()));
        if (numbers.size() > 1) {
            map.put(
                    "outputs",
                    numbers.stream()
                            .map(score -> JsonFields.of(
                                    "name", score.name(), "rmse", score.rmse(), "mae", score.mae(), "r2", score.r2()))
                            .toList());
        }
        return map;
    }

    private static final class Counter {
        private final KernelModel model;
        private final int outputs;
        /** The model's class index for each class of the source; −1 if the model does not know the class. */
        private final int[] classes;

        private final Confusion confusion;
        private final int top;
        private final @Nullable ClassRanking order;
        private final ProbabilityErrors probabilities = new ProbabilityErrors();
        private final ScoreRanks ranks;
        private final List<ResidualSummary> residuals = new ArrayList<>();
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
                order = new ClassRanking(ModelAccess.parts(model));
            } else if (model.labels() instanceof Labels.Numbers && source.labels() instanceof Labels.Numbers given) {
                Require.sameSize(source.name(), "numbers a row", given.targets(), outputs);
                Require.that(top == 1, "evaluation", "numbers have no first " + top + " answers");
                classes = new int[0];
                confusion = new Confusion(0);
                order = null;
            } else {
                throw new BochnerException(source.name() + ": has " + kind(source.labels()) + " for labels; the model"
                        + " predicts " + kind(model.labels()));
            }
            ranks = new ScoreRanks(confusion.classes(), ScoreRanks.MOST_KEPT);
            for (int o = 0; o < outputs && order == null; o++) {
                residuals.add(new ResidualSummary(ScoreRanks.MOST_KEPT / outputs));
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
                    int actual = addClass(block.target(i, 0), order);
                    if (actual >= 0) {
                        ranks.add(scores, i, outputs, actual, block.rowWeight(i));
                    }
                } else {
                    for (int o = 0; o < outputs; o++) {
                        addNumber(o, block.target(i, o), scores[i * outputs + o]);
                    }
                }
            }
        }

        /** Counts a row; returns its class, or −1 if the model does not know the class. */
        private int addClass(double target, ClassRanking answers) {
            int actual = Double.isNaN(target) ? -1 : classes[(int) target];
            if (actual < 0) {
                unseen++;
                return actual;
            }
            int predicted = answers.first();
            confusion.add(actual, predicted);
            topCorrect += actual == predicted || (top > 1 && answers.placeOf(actual) < top) ? 1 : 0;
            if (answers.hasProbabilities()) {
                probabilities.add(answers, confusion.classes(), actual, predicted);
            }
            return actual;
        }

        private static String kind(Labels labels) {
            return labels instanceof Labels.Classes ? "classes" : "numbers";
        }

        private void addNumber(int o, double actual, double predicted) {
            residuals.get(o).add(actual, predicted);
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
            List<NumberResult> numbers = new ArrayList<>();
            if (model.labels() instanceof Labels.Numbers labels) {
                for (int o = 0; o < outputs; o++) {
                    numbers.add(residuals
                            .get(o)
                            .result(
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
