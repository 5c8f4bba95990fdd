package org.bochner.model;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.model.evaluate.Confusion;
import org.bochner.model.evaluate.ProbabilityErrors;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
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
    private static final int USUAL_TOP = 5;

    private final RowCounter counted;
    private final Labels labels;
    private final ProbabilityErrors.@Nullable Result probabilities;
    private final List<NumberResult> numbers;
    private final List<CascadeStage> stages;
    private final List<Coverage> coverages;
    private final @Nullable Evaluation uncalibrated;
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

    /**
     * How often intervals of one level contain the actual number, or sets the actual class.
     *
     * @param output the name of the number; empty for classes
     * @param level the level that was asked for, such as 0.9
     * @param coverage the share of the rows whose interval or set contains the actual number or class; a class that the
     *     model does not know is in no set
     * @param size the mean width of the intervals, infinite if one of them is, or the mean number of classes in the sets
     */
    public record Coverage(String output, double level, double coverage, double size) {}

    private Evaluation(
            Labels labels, RowCounter counted, List<CascadeStage> stages, @Nullable Evaluation uncalibrated) {
        this.labels = labels;
        this.stages = stages;
        this.uncalibrated = uncalibrated;
        this.counted = counted;
        probabilities = counted.probabilities();
        numbers = counted.takeNumbers();
        coverages = counted.coverages();
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
        return of(model, source, workers, progress, top, new double[0]);
    }

    /**
     * Evaluates a model on a source, with the coverage of intervals or sets.
     *
     * @param top k of the top-k error, less than the number of classes; 1 for models that predict numbers
     * @param levels the levels of the intervals or sets, each between 0 and 1; none if the model has no uncertainty
     */
    public static Evaluation of(
            KernelModel model, RowSource source, Workers workers, Progress progress, int top, double... levels) {
        if (source.labels().targets() == 0) {
            throw new BochnerException(source.name() + ": has no labels to compare with");
        }
        model.require(source);
        ModelParts parts = ModelAccess.parts(model);
        CoverageCounter coverage =
                levels.length == 0 ? null : new CoverageCounter(parts, model.requireUncertainty(), levels);
        RowCounter counter = new RowCounter(parts, source, top, coverage);
        RowCounter plain = parts.calibrationChangesOrder() ? counter.uncalibrated(parts, source) : null;
        CascadeParts cascade = parts.cascade();
        StageCounter stages = cascade == null ? null : new StageCounter(model, cascade);
        if (plain != null) {
            model.score(source, workers, progress, (block, scores) -> {
                counter.add(block, scores);
                plain.add(block, parts.uncalibrated(scores, block.rows()));
            });
        } else if (stages == null && coverage != null) {
            model.scoreWithDeviations(source, workers, progress, counter::add);
        } else if (stages == null) {
            model.score(source, workers, progress, (block, scores) -> counter.add(block, scores));
        } else {
            stages.run(source, workers, progress, counter);
        }
        if (counter.rows == 0) {
            throw new BochnerException(source.name() + ": holds no rows to evaluate");
        }
        return new Evaluation(
                model.labels(),
                counter,
                stages == null ? List.of() : stages.stages(),
                plain == null ? null : new Evaluation(model.labels(), plain, List.of(), null));
    }

    /**
     * Returns the CPU time of one prediction in microseconds, measured on one thread with blocks of the first rows in
     * memory. For cascades see {@link KernelModel#timedStages}.
     */
    public static double microsecondsPerRow(KernelModel model, RowSource source) {
        return new PredictionSpeed(model, model.accept(source)).microseconds(model);
    }

    public Labels labels() {
        return labels;
    }

    /** Returns the stages of a cascade, with their counts and times on the rows; empty for other models. */
    public List<CascadeStage> stages() {
        return stages;
    }

    /** Returns true if {@link #rows} and all other counts are of sets of rows, which the model predicts. */
    public boolean ofSets() {
        return counted.ofSets;
    }

    public long rows() {
        return counted.rows;
    }

    /** Returns the share of rows with a wrong predicted class; throws if the model predicts numbers. */
    public double error() {
        requireClasses();
        return (double) (rows() - counted.confusion.correct()) / rows();
    }

    /** Returns the share of rows whose class is predicted. */
    double accuracy() {
        return (double) counted.confusion.correct() / rows();
    }

    /** Returns k, the number of answers of {@link #topError}. */
    public int top() {
        return counted.top;
    }

    /** Returns the share of rows whose class is not among the first k answers; throws if the model predicts numbers. */
    public double topError() {
        return topError(top());
    }

    /**
     * Returns the share of rows whose class is not among the first k answers; throws if the model predicts numbers.
     *
     * @param k at least 1; the error is 0 from the number of classes on, unless classes are unseen
     */
    public double topError(int k) {
        requireClasses();
        return (double) (rows() - counted.correctWithin(Require.atLeast("Evaluation", "k", k, 1))) / rows();
    }

    /**
     * Returns the mean rank of the class of a row among all classes, by probability or by score: 1 if the predicted class
     * is always right. Rows of unseen classes have no rank; NaN if there are no other rows. Throws if the model predicts
     * numbers.
     */
    public double meanRank() {
        requireClasses();
        return counted.sumOfRanks() / (rows() - unseen());
    }

    /**
     * Returns the evaluation of the model's scores before their calibration; empty unless a calibration was made that can
     * change the order of the classes of a row: {@code quantile}, {@code isotonic} and {@code platt}. Cascades have none.
     */
    public Optional<Evaluation> uncalibrated() {
        return Optional.ofNullable(uncalibrated);
    }

    /** Returns the k of the top-k error that rankings are compared by: {@link #top}, or 5 at most if that is 1. */
    public int rankingTop() {
        requireClasses();
        return top() > 1
                ? top()
                : Math.max(1, Math.min(USUAL_TOP, labels.names().size() - 1));
    }

    /** Returns the number of rows whose class the model does not know. */
    public long unseen() {
        return counted.unseen;
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
        return counted.confusion.count(actual, predicted);
    }

    /** Returns the measures of each class; empty for numbers. */
    public List<ClassResult> classes() {
        return classes(areas());
    }

    List<ClassResult> classes(double[] auc) {
        Confusion confusion = counted.confusion;
        List<String> names = labels.names();
        return IntStream.range(0, confusion.classes())
                .mapToObj(c -> new ClassResult(
                        names.get(c), confusion.actual(c), confusion.correct(c), confusion.predicted(c), auc[c]))
                .toList();
    }

    /**
     * Returns the numbers of rows that are not 0, by actual and by predicted class name, in the order of the classes; empty
     * for numbers.
     */
    public Map<String, Map<String, Long>> confusions() {
        Map<String, Map<String, Long>> rows = new LinkedHashMap<>();
        if (labels instanceof Labels.Classes classes) {
            List<String> names = classes.names();
            counted.confusion.forEach(
                    (actual, predicted, count) -> rows.computeIfAbsent(names.get(actual), name -> new LinkedHashMap<>())
                            .put(names.get(predicted), count));
        }
        return rows;
    }

    /**
     * Returns the area under the ROC curve; with more than two classes, the mean over the classes that have one.
     */
    public double auc() {
        requireClasses();
        return mean(Arrays.stream(areas()).filter(area -> !Double.isNaN(area)));
    }

    private synchronized double[] areas() {
        if (areas == null) {
            areas = counted.ranks.areas();
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
        requireClasses();
        return mean(classes().stream()
                .filter(score -> score.rows() + score.predicted() > 0)
                .mapToDouble(measure)
                .map(value -> Double.isNaN(value) ? 0 : value));
    }

    private static double mean(DoubleStream values) {
        return values.average().orElse(Double.NaN);
    }

    /**
     * Returns the coverage of intervals, one per level and predicted number, or of sets, one per level. Empty if no levels
     * were given.
     */
    public List<Coverage> coverages() {
        return coverages;
    }

    /** Returns the measures of each predicted number; empty for classes. */
    public List<NumberResult> numbers() {
        return numbers;
    }

    private void requireClasses() {
        if (!(labels instanceof Labels.Classes)) {
            throw new BochnerException("the model predicts numbers; use rmse, mae or r2");
        }
    }

    private void requireNumbers() {
        if (!(labels instanceof Labels.Numbers)) {
            throw new BochnerException("the model predicts classes; use error, auc or macroF1");
        }
    }

    /** Returns the root mean squared error over all numbers; throws if the model predicts classes. */
    public double rmse() {
        requireNumbers();
        return Math.sqrt(mean(numbers().stream().mapToDouble(n -> n.rmse() * n.rmse())));
    }

    /** Returns the mean absolute error, averaged over the numbers; throws if the model predicts classes. */
    public double mae() {
        requireNumbers();
        return mean(numbers().stream().mapToDouble(NumberResult::mae));
    }

    /** Returns the share of explained variance, averaged over the numbers; throws if the model predicts classes. */
    public double r2() {
        requireNumbers();
        return mean(numbers().stream().mapToDouble(NumberResult::r2));
    }

    /**
     * Returns the measures that {@link #toMap} leaves out, as plain values for JSON. Its entry {@code classes} replaces that
     * of the other map and has more fields.
     */
    public Map<String, Object> details() {
        return EvaluationJson.details(this);
    }

    /** Returns the measures as plain values for JSON; {@link #details} has more. */
    public Map<String, Object> toMap() {
        return EvaluationJson.measures(this);
    }

    /** Returns one line of text, for example {@code 361 rows, error 0.0083}. */
    @Override
    public String toString() {
        String measure = labels instanceof Labels.Classes
                ? String.format(Locale.ROOT, "error %.4g", error())
                : String.format(Locale.ROOT, "rmse %.4g, r2 %.4g", rmse(), r2());
        return rows() + " rows, " + measure;
    }
}
