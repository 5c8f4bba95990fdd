package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.model.evaluate.ClassDisagreement;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/** Predicts one row, one record or one set of rows with a model. Threads: safe; immutable. */
final class RowPredictor {
    private static final String OWNER = "KernelModel";

    private final KernelModel model;
    private final ModelParts parts;
    private final ModelInputs inputs;
    /** Scores rows without copies of them; null if the model cannot. */
    private final @Nullable StageScorer direct;

    RowPredictor(KernelModel model, ModelParts parts, ModelInputs inputs, @Nullable StageScorer own) {
        this.model = model;
        this.parts = parts;
        this.inputs = inputs;
        direct = own != null && inputs.roundsRows() && own.scoresRows() ? own : null;
    }

    double[] score(double[] row) {
        if (direct != null && row.length == model.columns()) {
            double score = direct.scoreOrNan(row);
            if (Math.abs(score) < Double.POSITIVE_INFINITY) {
                return new double[] {score};
            }
        }
        return score(mapped(row));
    }

    double[] score(Map<String, ? extends @Nullable Object> record) {
        return score(mapped(record));
    }

    double[] score(double[][] set) {
        requireSet(set);
        double[] means = new double[outputs()];
        if (parts.cascade() != null) {
            // A cascade decides about the whole set.
            model.score(
                    sourceOf(set),
                    new Workers(1),
                    Progress.NONE,
                    (rows, scores) -> System.arraycopy(scores, 0, means, 0, means.length));
            return means;
        }
        for (double[] row : set) {
            double[] scores = score(row);
            Arrays.setAll(means, o -> means[o] + scores[o] / set.length);
        }
        return means;
    }

    private double[] score(MappedRows block) {
        return model.score(block, new double[outputs()]);
    }

    private MappedRows mapped(double[] row) {
        return model.mapped().take(inputs.block(row));
    }

    private MappedRows mapped(Map<String, ? extends @Nullable Object> record) {
        return model.mapped().take(inputs.block(record));
    }

    private int outputs() {
        return parts.requireLinear().outputs();
    }

    private void requireSet(double[][] set) {
        Require.that(model.ofSets(), OWNER, "the model predicts single rows, not sets");
        Require.that(set.length > 0, OWNER, "the set is empty; a set has at least one row");
    }

    /** Returns the rows of a set as a source. */
    private RowSource sourceOf(double[][] set) {
        requireSet(set);
        String[] ids = new String[set.length];
        Arrays.fill(ids, "set");
        return MemorySource.of(set).withSets(ids);
    }

    /** Returns the name of the class with given scores; throws before they are computed if the model predicts numbers. */
    String predictClass(Supplier<double[]> scores) {
        return requireClasses().get(model.classOf(scores.get(), 0));
    }

    /** Returns the number with given scores; throws before they are computed if the model does not predict one number. */
    double predictNumber(Supplier<double[]> scores) {
        parts.requireLinear();
        if (!(parts.labels() instanceof Labels.Numbers numbers)) {
            throw new BochnerException("the model predicts classes, not numbers; use predictClass");
        }
        if (numbers.targets() > 1) {
            throw new BochnerException("the model predicts " + numbers.targets() + " numbers, "
                    + String.join(", ", numbers.names()) + "; score returns them all, in this order");
        }
        return scores.get()[0];
    }

    private List<String> requireClasses() {
        parts.requireLinear();
        if (parts.labels() instanceof Labels.Classes classes) {
            return classes.names();
        }
        throw new BochnerException("the model predicts numbers, not classes; use predictNumber");
    }

    /** Returns the probabilities of a row with given scores, by class. */
    Map<String, Double> probabilities(double[] scores) {
        double[] probabilities = new double[model.requireCalibration().classes()];
        model.probabilities(scores, 1, probabilities);
        Map<String, Double> byClass = new LinkedHashMap<>();
        List<String> names = requireClasses();
        for (int k = 0; k < probabilities.length; k++) {
            byClass.put(names.get(k), probabilities[k]);
        }
        return Collections.unmodifiableMap(byClass);
    }

    List<PredictionInterval> intervals(double[] row, double level) {
        return intervals(mapped(row), level);
    }

    List<PredictionInterval> intervals(Map<String, ? extends @Nullable Object> record, double level) {
        return intervals(mapped(record), level);
    }

    List<PredictionInterval> intervals(double[][] set, double level) {
        LevelLimits limits = LevelLimits.of(requireIntervals(), level);
        List<PredictionInterval> intervals = new ArrayList<>();
        model.scoreWithDeviations(
                sourceOf(set),
                new Workers(1),
                Progress.NONE,
                (rows, scores, deviations) -> addIntervals(limits, scores, deviations[0], intervals));
        return intervals;
    }

    private List<PredictionInterval> intervals(MappedRows block, double level) {
        LevelLimits limits = LevelLimits.of(requireIntervals(), level);
        UncertainScorer scorer = model.uncertainScorer();
        scorer.score(block);
        List<PredictionInterval> intervals = new ArrayList<>();
        addIntervals(limits, scorer.scores(), scorer.deviations()[0], intervals);
        return intervals;
    }

    private Uncertainty requireIntervals() {
        Uncertainty uncertainty = model.requireUncertainty();
        if (parts.labels() instanceof Labels.Classes) {
            throw new BochnerException("the model predicts classes, which have no intervals; use classSet");
        }
        return uncertainty;
    }

    private void addIntervals(LevelLimits limits, double[] scores, double deviation, List<PredictionInterval> to) {
        for (int o = 0; o < outputs(); o++) {
            to.add(limits.interval(o, scores[o], deviation));
        }
    }

    /** Returns the set of classes of a row with given scores. */
    List<String> classSet(double[] scores, double level) {
        List<String> names = requireClasses();
        LevelLimits limits = LevelLimits.of(model.requireUncertainty(), level);
        ClassDisagreement disagreement = model.disagreement();
        disagreement.take(scores, 0);
        return disagreement.within(limits.ofClasses()).stream()
                .mapToObj(names::get)
                .toList();
    }
}
