package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.evaluate.Confusion;
import org.bochner.model.evaluate.ProbabilityErrors;
import org.bochner.model.evaluate.ResidualSummary;
import org.bochner.model.evaluate.ScoreRanks;
import org.bochner.model.file.ModelParts;
import org.jspecify.annotations.Nullable;

/** Compares the scores of rows with their labels and sums the results. */
final class RowCounter {
    private final Labels labels;
    private final int outputs;
    /** The model's class index for each class of the source; −1 if the model does not know the class. */
    private final int[] classes;

    final Confusion confusion;
    /** The number of answers of the top-k error. */
    final int top;

    private final @Nullable ClassRanking ranking;
    private final @Nullable CoverageCounter coverage;
    private final ProbabilityErrors probabilities = new ProbabilityErrors();
    final ScoreRanks ranks;
    private final List<ResidualSummary> residuals = new ArrayList<>();
    /** True if each row is a set. */
    final boolean ofSets;

    long rows;
    /** The number of rows whose class the model does not know. */
    long unseen;
    /** The number of rows by the place of their class in the ranking, from 0. */
    private final long[] places;

    /**
     * Creates a counter; throws if the labels of the source are of another kind than those of the model.
     *
     * @param top the number of answers of the top-k error
     * @param coverage counts the rows that intervals or sets cover; null for none
     */
    RowCounter(ModelParts model, RowSource source, int top, @Nullable CoverageCounter coverage) {
        this.coverage = coverage;
        labels = model.labels();
        ofSets = model.ofSets();
        this.top = Require.atLeast("evaluation", "top", top, 1);
        outputs = model.requireLinear().outputs();
        if (labels instanceof Labels.Classes known && source.labels() instanceof Labels.Classes given) {
            if (top > 1 && top >= known.names().size()) {
                int count = known.names().size();
                throw new BochnerException(
                        "the top-" + top + " error of a model with " + count + " classes is always 0",
                        Remedy.advice("choose k below " + count));
            }
            Map<String, Integer> index = new HashMap<>();
            known.names().forEach(name -> index.put(name, index.size()));
            classes = given.names().stream()
                    .mapToInt(name -> index.getOrDefault(name, -1))
                    .toArray();
            confusion = new Confusion(known.names().size());
            ranking = new ClassRanking(model);
        } else if (labels instanceof Labels.Numbers && source.labels() instanceof Labels.Numbers given) {
            Require.sameSize(source.name(), "numbers per row", given.targets(), outputs);
            Require.that(top == 1, "evaluation", "numbers have no first " + top + " answers");
            classes = new int[0];
            confusion = new Confusion(0);
            ranking = null;
        } else {
            throw new BochnerException(source.name() + ": has " + kind(source.labels()) + " for labels; the model"
                    + " predicts " + kind(labels));
        }
        places = new long[confusion.classes()];
        ranks = new ScoreRanks(confusion.classes(), ScoreRanks.MOST_KEPT);
        for (int o = 0; o < outputs && ranking == null; o++) {
            residuals.add(new ResidualSummary(ScoreRanks.MOST_KEPT / outputs));
        }
    }

    /** Returns a new counter for scores of the model before their calibration. */
    RowCounter uncalibrated(ModelParts model, RowSource source) {
        return new RowCounter(model.withCalibration(null), source, top, null);
    }

    private static String kind(Labels labels) {
        return labels instanceof Labels.Classes ? "classes" : "numbers";
    }

    /** Adds rows with their scores; the deviations of their intervals are 1. */
    void add(RowBlock block, double[] scores) {
        add(block, scores, UncertainScorer.ones(coverage == null ? 0 : block.rows()));
    }

    /**
     * Adds rows with their scores.
     *
     * @param deviations the deviations of intervals, one per row; ignored if coverage is not counted
     */
    void add(RowBlock block, double[] scores, double[] deviations) {
        for (int i = 0; i < block.rows(); i++) {
            rows++;
            if (ranking != null) {
                ranking.take(scores, i);
                int actual = addClass(block.target(i, 0), ranking);
                if (coverage != null) {
                    coverage.addClass(scores, i, actual);
                }
                if (actual >= 0) {
                    ranks.add(scores, i, outputs, actual, block.rowWeight(i));
                }
            } else {
                if (coverage != null) {
                    coverage.addNumbers(block, scores, deviations, i);
                }
                for (int o = 0; o < outputs; o++) {
                    residuals.get(o).add(block.target(i, o), scores[i * outputs + o]);
                }
            }
        }
    }

    /** Returns the model's index of the class of a row; −1 if the model does not know the class. */
    int actual(double target) {
        return Double.isNaN(target) ? -1 : classes[(int) target];
    }

    /** Counts a row; returns its class, or −1 if the model does not know the class. */
    private int addClass(double target, ClassRanking answers) {
        int actual = actual(target);
        if (actual < 0) {
            unseen++;
            return actual;
        }
        int predicted = answers.first();
        confusion.add(actual, predicted);
        places[actual == predicted ? 0 : answers.placeOf(actual)]++;
        if (answers.hasProbabilities()) {
            probabilities.add(answers, confusion.classes(), actual, predicted);
        }
        return actual;
    }

    /** Returns the number of rows whose class is among the first k answers. */
    long correctWithin(int k) {
        return Arrays.stream(places).limit(k).sum();
    }

    /** Returns the coverage of intervals or sets; empty if it is not counted. */
    List<Evaluation.Coverage> coverages() {
        return coverage == null ? List.of() : coverage.results();
    }

    /** Returns the sum of the ranks, from 1, of the rows of known classes. */
    double sumOfRanks() {
        double sum = 0;
        for (int place = 0; place < places.length; place++) {
            sum += (place + 1.0) * places[place];
        }
        return sum;
    }

    /** Returns the errors of the probabilities; null if the model has none or knows the class of no row. */
    ProbabilityErrors.@Nullable Result probabilities() {
        return ranking != null && ranking.hasProbabilities() && unseen < rows ? probabilities.result() : null;
    }

    /** Returns the measures of each predicted number and releases the residuals; empty for classes. */
    List<Evaluation.NumberResult> takeNumbers() {
        List<Evaluation.NumberResult> numbers = IntStream.range(0, residuals.size())
                .mapToObj(o -> residuals.get(o).result(labels.names().get(o)))
                .toList();
        residuals.clear();
        return numbers;
    }
}
