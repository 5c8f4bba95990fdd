package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.bochner.base.Note;
import org.bochner.base.Require;
import org.bochner.base.text.Escape;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.data.sample.RowPass;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * The k-fold cross-validation of a machine: each fold is tested once, by a model that was trained on all other folds.
 * Scaling, bandwidths, map, penalty and probabilities are fitted again for every fold, from its training rows only.
 *
 * <pre>{@code
 * CrossValidation cv = CrossValidation.of(machine, rows, 5, 1, new Seed(1), Workers.all(), Progress.NONE);
 * System.out.println(cv.errorOrRmse() + " with a standard error of " + cv.standardError());
 * }</pre>
 *
 * <p>A hash of the seed and the row's index, or its group if rows have groups, decides the fold of a row.
 *
 * <p>Cost: folds · repeats trainings. Memory: that of one training.
 *
 * @param labels the labels of the rows
 * @param folds the number of folds
 * @param repeats the number of times that the rows were divided into folds
 * @param results the results of all folds, repeat by repeat
 */
public record CrossValidation(Labels labels, int folds, int repeats, List<CrossValidation.Fold> results) {
    public CrossValidation {
        results = List.copyOf(results);
    }

    /**
     * The test of one fold.
     *
     * @param repeat the index of the repeat, from 0
     * @param fold the index of the fold, from 0
     * @param trainRows the number of rows in all other folds
     * @param testRows the number of rows in this fold
     * @param errorOrRmse the share of rows with a wrong predicted class, or the root mean squared error
     * @param mae the mean absolute error; NaN for classes
     * @param r2 the share of variance explained; NaN for classes
     */
    public record Fold(
            int repeat, int fold, long trainRows, long testRows, double errorOrRmse, double mae, double r2) {}

    /**
     * Trains and tests on every fold.
     *
     * @param folds the number of folds, at least 2
     * @param repeats the number of times that rows are divided into folds, each time differently; at least 1
     * @param seed the seed of the folds; the machine has its own seed
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
        RowSource objects = source.bySet();
        List<Fold> results = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Holdout> splits = Holdout.folds(objects, folds, own.derive(repeat));
            for (int fold = 0; fold < folds; fold++) {
                TrainingResult trained = machine.fit(splits.get(fold).train(), workers, progress);
                Evaluation evaluation =
                        Evaluation.of(trained.model(), splits.get(fold).test(), workers, progress);
                double error = classes ? evaluation.error() : evaluation.rmse();
                double mae = classes ? Double.NaN : evaluation.mae();
                double r2 = classes ? Double.NaN : evaluation.r2();
                long rows = trained.report().rows();
                results.add(new Fold(repeat, fold, rows, evaluation.rows(), error, mae, r2));
            }
        }
        return new CrossValidation(source.labels(), folds, repeats, results);
    }

    /** Returns notes on data whose classes have too few rows for a number of folds, or too few sets. */
    public static List<Note> notes(SurveyedSource source, int folds) {
        List<Long> counts = source.inSets() ? setCounts(source.bySet()) : source.classCounts();
        long few = counts.stream().filter(rows -> rows < 2L * folds).count();
        if (few == 0 || !(source.labels() instanceof Labels.Classes classes)) {
            return List.of();
        }
        long least = Collections.min(counts);
        String name = Escape.line(classes.names().get(counts.indexOf(least)));
        String have = few == 1 ? " has" : "es have";
        String text = "%,d class%s fewer than %d %s for %d folds ('%s' has %,d); a fold may train or test without %4$s"
                + " of one of these classes";
        String objects = source.inSets() ? "sets" : "rows";
        text = String.format(Locale.ROOT, text, few, have, 2 * folds, objects, folds, name, least);
        return List.of(new Note(Note.Kind.DATA, text));
    }

    /** Returns the number of sets of each class; empty if the labels are no classes. */
    private static List<Long> setCounts(RowSource sets) {
        long[] counts = new long
                [sets.labels() instanceof Labels.Classes classes
                        ? classes.names().size()
                        : 0];
        if (counts.length > 0) {
            RowPass.each(sets, (block, i) -> counts[(int) block.target(i, 0)]++);
        }
        return Arrays.stream(counts).boxed().toList();
    }

    /** Returns the number of test rows per repeat. */
    public long rows() {
        return results.stream()
                .filter(fold -> fold.repeat() == 0)
                .mapToLong(Fold::testRows)
                .sum();
    }

    /** Returns the mean error of the folds: the share of rows with a wrong class, or the root mean squared error. */
    public double errorOrRmse() {
        return mean(Fold::errorOrRmse);
    }

    /** Returns the mean of the folds' mean absolute errors; NaN for classes. */
    public double mae() {
        return mean(Fold::mae);
    }

    /** Returns the mean of the folds' r²; NaN for classes. */
    public double r2() {
        return mean(Fold::r2);
    }

    private double mean(ToDoubleFunction<Fold> measure) {
        return results.stream().mapToDouble(measure).average().orElse(Double.NaN);
    }

    /**
     * Returns the standard deviation of the errors of k folds, the square root of Σ (eᵢ − ē)² / (k − 1). With
     * repeats, the variance is averaged over the repeats.
     */
    public double standardDeviation() {
        double variance = 0;
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Fold> own = results.subList(repeat * folds, (repeat + 1) * folds);
            double mean = own.stream().mapToDouble(Fold::errorOrRmse).average().orElse(Double.NaN);
            for (Fold fold : own) {
                variance += (fold.errorOrRmse() - mean) * (fold.errorOrRmse() - mean) / (folds - 1);
            }
        }
        return Math.sqrt(variance / repeats);
    }

    /**
     * Returns the standard error of the mean: {@link #standardDeviation} / √k. Repeats make it more stable but not
     * smaller, because they test on the rows of the first repeat again.
     */
    public double standardError() {
        return standardDeviation() / Math.sqrt(folds);
    }

    /**
     * Returns the standard error of a share of n independent rows, √(e·(1 − e)/n) with the error e; NaN for numbers.
     */
    public double binomialStandardError() {
        return labels instanceof Labels.Classes ? Math.sqrt(errorOrRmse() * (1 - errorOrRmse()) / rows()) : Double.NaN;
    }
}
