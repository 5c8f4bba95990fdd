package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataIdentity;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;

/** Trains machines of all kinds: single ones, and those that are made of several. */
public final class Training {
    private Training() {}

    /** Trains a machine. */
    public static TrainingResult fit(TrainingSettings settings, RowSource source, Workers workers, Progress progress) {
        UncertaintyRecipe uncertainty = settings.uncertainty;
        TreeRecipe tree = settings.tree;
        boolean combined = !settings.stages.isEmpty() || settings.average > 1 || (tree != null && tree.leaves() > 1);
        if (uncertainty == null || !combined) {
            return fitWhole(settings, source, workers, progress);
        }
        Holdout split = UncertaintyFit.split(settings, source);
        if (split == null) {
            throw new BochnerException(
                    "a model that is made of several gets its intervals from rows set aside, not by " + uncertainty,
                    Remedy.set(Setting.UNCERTAINTY, "conformal(share=0.2)", ""));
        }
        UncertaintyFit.check(settings, source);
        TrainingSettings members = settings.copy();
        members.uncertainty = null;
        TrainingResult trained = fitWhole(members, split.train(), workers, progress);
        Notes notes = new Notes();
        notes.addAll(trained.report().notes());
        KernelModel model = new UncertaintyFit(uncertainty, settings.seed, workers, progress, notes)
                .aside(trained.model(), split.test());
        TrainingReport report = trained.report();
        return new TrainingResult(model, report(List.of(report), 0, report.rows(), notes.list()));
    }

    private static TrainingResult fitWhole(
            TrainingSettings settings, RowSource source, Workers workers, Progress progress) {
        if (!settings.stages.isEmpty()) {
            return new CascadeFit(settings, source.forTraining(), workers, progress).run();
        }
        if (settings.average > 1) {
            return new AverageFit(settings, source.forTraining(), workers, progress).run();
        }
        TreeRecipe tree = settings.tree;
        if (tree != null && tree.leaves() > 1) {
            return new TreeFit(settings, tree, source.forTraining(), workers, progress).run();
        }
        TrainingSettings single = settings;
        if (tree != null) {
            single = settings.copy();
            single.tree = null;
        }
        return TrainingRun.train(single, source, workers, progress, null);
    }

    /** Throws if settings ask for what machines that are made of several cannot do. */
    static void requireCombinable(String what, TrainingSettings settings) {
        if (settings.start != null) {
            throw new BochnerException(
                    what + " cannot start from a model, which has one map",
                    Remedy.set(Setting.START, "must be left out"));
        }
        CalibrationRecipe calibration = settings.calibration;
        if (calibration != null && calibration.method() == CalibrationRecipe.Method.QUANTILE) {
            throw new BochnerException(
                    calibration + ": shifts the scores of a single model, not those of " + what,
                    Remedy.set(Setting.CALIBRATION, "platt", "gives probabilities"));
        }
    }

    /** Returns a model that is made of others, with the probabilities of the loss. */
    static KernelModel model(CombinedParts combined, TrainingRecord record, TrainingSettings settings) {
        Loss loss = Formulation.of(settings.learner).loss();
        return ModelAccess.model(ModelParts.of(combined, record, null).withProbabilitiesOf(loss));
    }

    /**
     * Returns a model with the calibration of the settings; the model itself if they have none.
     *
     * @param fit trains a model on other rows in the same way
     */
    static KernelModel calibrated(
            KernelModel model,
            TrainingSettings settings,
            RowSource source,
            Workers workers,
            Progress progress,
            Function<RowSource, KernelModel> fit) {
        CalibrationRecipe recipe = settings.calibration;
        if (recipe == null) {
            return model;
        }
        return new Calibrator(recipe, settings.classWeighting.of(source), settings.seed, workers, progress)
                .calibrate(model, source, fit);
    }

    /** Returns the record of a member as that of the whole, with other rows and with the calibration of the settings. */
    static TrainingRecord record(TrainingRecord member, DataIdentity data, long rows, TrainingSettings settings) {
        return new TrainingRecord(
                data,
                rows,
                settings.kernel,
                member.map(),
                member.learner(),
                member.lambda(),
                member.refit(),
                settings.classWeighting.balanced(),
                settings.classWeighting.factors(),
                settings.seed,
                member.components(),
                member.unlabelled(),
                settings.calibration,
                member.kernelSearch(),
                member.channels(),
                member.convergence(),
                member.pruning(),
                member.version(),
                member.created());
    }

    /**
     * Returns the report of one of several trainings, with the times of all.
     *
     * @param shown the index of the report whose kernel, map and learner stand for all
     */
    public static TrainingReport report(List<TrainingReport> reports, int shown, long rows, List<Note> notes) {
        TrainingReport of = reports.get(shown);
        return new TrainingReport(
                rows,
                of.kernel(),
                of.map(),
                of.learner(),
                of.chosen(),
                of.reason(),
                of.path(),
                of.convergence(),
                of.features(),
                of.nonZeros(),
                notes,
                reports.stream().mapToDouble(TrainingReport::prepareSeconds).sum(),
                reports.stream().mapToDouble(TrainingReport::designSeconds).sum(),
                reports.stream().mapToDouble(TrainingReport::fitSeconds).sum(),
                reports.stream().mapToDouble(TrainingReport::mapSeconds).sum(),
                reports.stream().mapToDouble(TrainingReport::gramSeconds).sum(),
                reports.stream().mapToDouble(TrainingReport::solveSeconds).sum(),
                reports.stream().mapToLong(TrainingReport::bytesNeeded).max().orElse(0));
    }

    /** Returns notes of a member with its name before them. */
    static List<Note> named(String name, List<Note> notes) {
        List<Note> named = new ArrayList<>();
        for (Note note : notes) {
            named.add(new Note(note.kind(), name + ": " + note.text(), note.remedies()));
        }
        return named;
    }
}
