package org.bochner.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.bochner.base.Note;
import org.bochner.base.Require;
import org.bochner.base.text.Escape;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * The error that a machine makes on rows it has not learned from, by k-fold cross-validation: each fold is tested on
 * once, by a model that was trained on all other folds. The scaling, the bandwidths, the map, the penalty and the
 * probabilities are found anew for every fold, from its training rows alone.
 *
 * <pre>{@code
 * CrossValidation cv = CrossValidation.of(machine, rows, 5, 1, new Seed(1), Workers.all(), Progress.NONE);
 * System.out.println(cv.error() + " with a standard error of " + cv.standardError());
 * }</pre>
 *
 * <p>A hash of the seed and a row's index, or its group where rows have groups, decides which fold the row is in.
 *
 * <p>Cost: folds · repeats trainings. Memory: that of one training.
 */
public final class CrossValidation {
    private final Labels labels;
    private final int folds;
    private final int repeats;
    private final List<Fold> results;

    /**
     * The test of one fold.
     *
     * @param repeat from 0
     * @param fold from 0
     * @param trainRows rows in all other folds
     * @param testRows rows in this fold
     * @param error the share of rows given the wrong class, or the root mean squared error
     * @param mae the mean absolute error; NaN for classes
     * @param r2 the share of variance explained; NaN for classes
     */
    public record Fold(int repeat, int fold, long trainRows, long testRows, double error, double mae, double r2) {}

    private CrossValidation(Labels labels, int folds, int repeats, List<Fold> results) {
        this.labels = labels;
        this.folds = folds;
        this.repeats = repeats;
        this.results = List.copyOf(results);
    }

    /**
     * Trains and tests on every fold.
     *
     * @param folds how many, at least 2
     * @param repeats how often rows are divided into folds, each time otherwise; at least 1
     * @param seed decides which fold a row is in; the machine has its own
     */
    public static CrossValidation of(
            KernelMachine machine,
            RowSource source,
            int folds,
            int repeats,
            Seed seed,
            Workers workers,
            Progress progress) {
        Require.atLeast("cross-validation", "repeats", repeats, 1);
        Seed own = seed.derive("cross-validation");
        boolean classes = source.labels() instanceof Labels.Classes;
        List<Fold> results = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Holdout> splits = Holdout.folds(source, folds, own.derive(repeat));
            for (int fold = 0; fold < folds; fold++) {
                TrainingResult trained = machine.fit(splits.get(fold).train(), workers, progress);
                Evaluation evaluation =
                        Evaluation.of(trained.model(), splits.get(fold).test(), workers, progress);
                results.add(new Fold(
                        repeat,
                        fold,
                        trained.report().rows(),
                        evaluation.rows(),
                        classes ? evaluation.error() : evaluation.rmse(),
                        evaluation.mae(),
                        evaluation.r2()));
            }
        }
        return new CrossValidation(source.labels(), folds, repeats, results);
    }

    /** Returns notes on data whose classes have too few rows for a number of folds. */
    public static List<Note> notes(FileSource source, int folds) {
        List<Long> counts = source.classCounts();
        long few = counts.stream().filter(rows -> rows < 2L * folds).count();
        if (few == 0 || !(source.labels() instanceof Labels.Classes classes)) {
            return List.of();
        }
        long least = Collections.min(counts);
        return List.of(new Note(
                Note.Kind.DATA,
                String.format(
                        Locale.ROOT,
                        "%,d class%s fewer than %d rows for %d folds ('%s' has %,d); a fold may train or test without rows"
                                + " of one of these classes",
                        few,
                        few == 1 ? " has" : "es have",
                        2 * folds,
                        folds,
                        Escape.line(classes.names().get(counts.indexOf(least))),
                        least)));
    }

    public int folds() {
        return folds;
    }

    public int repeats() {
        return repeats;
    }

    /** What came of every fold, those of the first repeat first. */
    public List<Fold> results() {
        return results;
    }

    /** Rows that were tested on in each repeat. */
    public long rows() {
        return results.stream()
                .filter(fold -> fold.repeat() == 0)
                .mapToLong(Fold::testRows)
                .sum();
    }

    /** The mean error of the folds: the share of rows given the wrong class, or the root mean squared error. */
    public double error() {
        return mean(Fold::error);
    }

    /** The mean of the folds' mean absolute errors; NaN for classes. */
    public double mae() {
        return mean(Fold::mae);
    }

    /** The mean of the folds' r²; NaN for classes. */
    public double r2() {
        return mean(Fold::r2);
    }

    private double mean(ToDoubleFunction<Fold> measure) {
        return results.stream().mapToDouble(measure).average().orElse(Double.NaN);
    }

    /**
     * The standard deviation of the errors of k folds, Σ (eᵢ − ē)² / (k − 1) under the root. With repeats, the
     * variance is averaged over them.
     */
    public double standardDeviation() {
        double variance = 0;
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Fold> own = results.subList(repeat * folds, (repeat + 1) * folds);
            double mean = own.stream().mapToDouble(Fold::error).average().orElse(Double.NaN);
            for (Fold fold : own) {
                variance += (fold.error() - mean) * (fold.error() - mean) / (folds - 1);
            }
        }
        return Math.sqrt(variance / repeats);
    }

    /**
     * The standard error of the mean: {@link #standardDeviation} / √k. Repeats make it steadier but not smaller: they
     * test on the same rows again.
     */
    public double standardError() {
        return standardDeviation() / Math.sqrt(folds);
    }

    /** The standard error of a share of n independent rows, √(e·(1 − e)/n) with e the error; NaN for numbers. */
    public double binomialStandardError() {
        return labels instanceof Labels.Classes ? Math.sqrt(error() * (1 - error()) / rows()) : Double.NaN;
    }
}
