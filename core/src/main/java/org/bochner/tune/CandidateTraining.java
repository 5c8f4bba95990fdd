package org.bochner.tune;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.bochner.base.Note;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.tune.search.Candidate;
import org.bochner.tune.search.Rung;
import org.bochner.tune.search.SampledRows;
import org.jspecify.annotations.Nullable;

/**
 * Trains the candidates of a search. What the first fold of a sample has chosen, scales and penalty, is used for the other
 * folds and for all rows: to choose it again would take most of the time. What is used does not depend on the order of the
 * tests, so that a resumed search has the same results; it is computed again if it is missing.
 */
final class CandidateTraining {
    private final KernelMachine base;
    private final RowSource source;
    private final Workers workers;
    private final List<Rung> rungs;
    private final Function<Rung, SampledRows> samples;
    private final LongSupplier clock;
    private final Map<SampledRatios.Key, SampledRatios> ratios = new HashMap<>();
    private final Map<ChoiceKey, Choice> choices = new HashMap<>();
    private long sharedNanos;

    CandidateTraining(
            KernelMachine base,
            RowSource source,
            Workers workers,
            List<Rung> rungs,
            Function<Rung, SampledRows> samples,
            LongSupplier clock) {
        this.base = base;
        this.source = source;
        this.workers = workers;
        this.rungs = rungs;
        this.samples = samples;
        this.clock = clock;
    }

    /**
     * A trained machine.
     *
     * @param notes the choices of the training
     * @param spelling the kernel with its scales, as a machine takes it; null if the candidate itself says all
     */
    record Trained(
            TrainingResult result,
            List<Note> notes,
            @Nullable String spelling) {
        KernelModel model() {
            return result.model();
        }
    }

    private record ChoiceKey(Candidate candidate, long rows) {}

    /**
     * What a training has chosen.
     *
     * @param lambda the penalty of ridge regression; NaN for other learners
     */
    private record Choice(KernelRecipe kernel, Scaling scaling, double lambda) {}

    /** Returns the machine of a candidate for some rows: if all of them would be landmarks, it is the exact one. */
    private KernelMachine machine(Candidate candidate, RowSource training) {
        TrainingSettings settings = ModelAccess.settings(base).copy();
        String kernel = candidate.kernel();
        settings.kernelIsOpen = kernel == null;
        settings.kernel = Kernels.recipe(kernel == null ? "gaussian" : kernel);
        settings.map = FeatureMaps.parse(candidate.map());
        settings.chooseKernel();
        settings.features = candidate.features() == 0 ? OptionalInt.empty() : OptionalInt.of(candidate.features());
        String scaling = candidate.scaling();
        settings.scaling = scaling == null ? null : Scalings.parse(scaling);
        settings.learner = Learner.parse(candidate.learner());
        if (settings.map instanceof LandmarkRecipe landmarks) {
            long rows = RowCount.of(training);
            if (landmarks.count(settings.features) >= rows) {
                settings.map = settings.learner.isRidge()
                        ? FeatureMaps.none()
                        : FeatureMaps.parse(LandmarkRecipe.NAME + "(" + (rows + 1) / 2 + ")");
            }
        }
        return ModelAccess.machine(settings);
    }

    /** Trains a candidate on all folds of a sample but one. */
    Trained test(Candidate candidate, Rung rung, int fold, Progress progress) {
        RowSource training = samples.apply(rung).fold(fold).train();
        if (fold == 0 || !keepsChoices(candidate)) {
            Trained trained = search(candidate, training, fold, progress);
            if (fold == 0) {
                choices.putIfAbsent(new ChoiceKey(candidate, rung.rows()), choice(trained));
            }
            return trained;
        }
        return fit(candidate, choice(candidate, rung, progress), training, progress);
    }

    /**
     * Trains a candidate on all rows.
     *
     * @param top the highest rung that it was tested on
     */
    Trained last(Candidate candidate, Rung top, Progress progress) {
        boolean open = candidate.kernel() == null && candidate.method() == null;
        if (!hasSamples() || open) {
            return search(candidate, source, 0, progress);
        }
        boolean all = top.rows() == allRows();
        if (!all && (candidate.method() == null || candidate.method().equals(Candidate.SAMPLED_RATIOS))) {
            return search(candidate, source, 0, progress);
        }
        Choice choice = choice(candidate, top, progress);
        // More rows suit shorter scales.
        Choice kept = all ? choice : new Choice(choice.kernel.withOpenFactors(), choice.scaling, Double.NaN);
        return fit(candidate, kept, source, progress);
    }

    private long allRows() {
        return rungs.get(rungs.size() - 1).rows();
    }

    /** Returns true if small samples are tested before all rows. */
    private boolean hasSamples() {
        return rungs.get(0).rows() < allRows();
    }

    /**
     * Returns true if further folds have the choices of the first one. The rows of a small table that learned the scales of the
     * columns must not test them.
     */
    private boolean keepsChoices(Candidate candidate) {
        return candidate.method() == null ? candidate.kernel() != null : hasSamples();
    }

    private Choice choice(Candidate candidate, Rung rung, Progress progress) {
        ChoiceKey key = new ChoiceKey(candidate, rung.rows());
        Choice known = choices.get(key);
        if (known == null) {
            // The search was resumed: its log has the results of tests and not the models.
            known = choice(search(candidate, samples.apply(rung).fold(0).train(), 0, progress));
            choices.put(key, known);
        }
        return known;
    }

    private static Choice choice(Trained trained) {
        KernelModel model = trained.model();
        Learner learner = model.training().requireLearner();
        return new Choice(
                KernelRecipe.of(model.map().kernel()),
                model.scaler().scaling(),
                learner.isRidge() && learner.isAuto() ? model.training().lambda() : Double.NaN);
    }

    /** Trains a candidate with choices that are made already. */
    private Trained fit(Candidate candidate, Choice choice, RowSource training, Progress progress) {
        TrainingSettings settings =
                ModelAccess.settings(machine(candidate, training)).copy();
        settings.kernelIsOpen = false;
        settings.kernel = choice.kernel;
        settings.scaling = choice.scaling;
        if (choice.lambda >= 0) {
            settings.learner = settings.learner.withLambda(choice.lambda);
        }
        if (!settings.map.takesFeatures()) {
            settings.features = OptionalInt.empty();
        }
        TrainingResult result = ModelAccess.machine(settings).fit(training, workers, progress);
        String spelling = choice.kernel.needsData()
                ? choice.kernel.toString()
                : result.model().map().kernel().toString();
        return new Trained(result, result.report().notes(), spelling);
    }

    private SampledRatios ratios(@Nullable String scaling, int fold, Progress progress) {
        SampledRatios.Key key = new SampledRatios.Key(fold, scaling);
        SampledRatios known = ratios.get(key);
        if (known == null) {
            long start = clock.getAsLong();
            RowSource rows = samples.apply(rungs.get(0)).fold(fold).train();
            known = SampledRatios.learn(base, scaling, rows, workers, progress);
            ratios.put(key, known);
            sharedNanos += clock.getAsLong() - start;
        }
        return known;
    }

    /** Returns the nanoseconds of work so far whose results other candidates use too. */
    long sharedNanos() {
        return sharedNanos;
    }

    /**
     * Trains a candidate, which makes all choices.
     *
     * @param fold the fold that the rows are the other ones of; the first one for all rows
     */
    private Trained search(Candidate candidate, RowSource training, int fold, Progress progress) {
        KernelMachine machine = machine(candidate, training);
        String method = candidate.method();
        if (method == null) {
            TrainingResult result = machine.fit(training, workers, progress);
            return new Trained(result, result.report().notes(), null);
        }
        if (method.equals(Candidate.SAMPLED_RATIOS)) {
            SampledRatios found = ratios(candidate.scaling(), fold, progress);
            KernelMachine with = found.machine(machine);
            TrainingResult result = with.fit(training, workers, progress);
            return new Trained(result, result.report().notes(), with.kernel().toString());
        }
        LearnedKernel learned = KernelLearning.of(machine).withMethod(method).learn(training, workers, progress);
        List<Note> notes = new ArrayList<>(learned.notes());
        notes.addAll(learned.trained().report().notes());
        return new Trained(
                learned.trained(),
                notes,
                learned.reproducible() ? learned.kernel().toString() : null);
    }
}
