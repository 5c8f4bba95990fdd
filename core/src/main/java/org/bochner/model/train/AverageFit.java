package org.bochner.model.train;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.file.AverageParts;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * Trains the mean of several machines, which differ in their seed and hence in the random features of their maps. The first
 * one has the seed of the run. The others use its scaling, and the scales of its kernel.
 */
final class AverageFit {
    private final TrainingSettings settings;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;

    AverageFit(TrainingSettings settings, RowSource source, Workers workers, Progress progress) {
        Training.requireCombinable("an average", settings);
        this.settings = settings;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
    }

    /** The members that were trained on some rows. */
    private record Trained(KernelModel mean, List<TrainingReport> reports, TrainingSettings shared) {}

    /** Trains all members; the report is that of the first one, with the times of all. */
    TrainingResult run() {
        TrainingSettings first = settings.copy();
        first.average = 1;
        first.calibration = null;
        Trained trained = train(first, source);
        Notes notes = new Notes();
        Set<Note> known = new LinkedHashSet<>(trained.reports.get(0).notes());
        notes.addAll(known);
        for (int m = 1; m < trained.reports.size(); m++) {
            List<Note> own = new ArrayList<>(trained.reports.get(m).notes());
            own.removeAll(known);
            known.addAll(own);
            notes.addAll(Training.named("member " + (m + 1), own));
        }
        KernelModel calibrated = Training.calibrated(
                trained.mean, settings, source, workers, progress, rows -> train(trained.shared, rows).mean);
        TrainingReport one = trained.reports.get(0);
        return new TrainingResult(calibrated, Training.report(trained.reports, 0, one.rows(), notes.list()));
    }

    private Trained train(TrainingSettings given, RowSource rows) {
        List<ModelParts> members = new ArrayList<>();
        List<TrainingReport> reports = new ArrayList<>();
        TrainingSettings shared = given;
        for (int m = 0; m < settings.average; m++) {
            TrainingSettings own = shared.copy();
            own.seed = seed(m);
            progress.report("training member " + (m + 1) + " of " + settings.average, 0, Double.NaN);
            TrainingResult result = Training.fit(own, rows, workers, progress);
            ModelParts parts = ModelAccess.parts(result.model());
            if (m == 0) {
                shared = shared(given, result);
                requireMemory(parts);
            } else {
                requireOther(members.get(0), parts);
            }
            members.add(parts);
            reports.add(result.report());
        }
        ModelParts first = members.get(0);
        TrainingRecord record = Training.record(
                first.training(), first.training().data(), first.training().rows(), settings);
        KernelModel mean = Training.model(AverageParts.mean(members), record, settings);
        return new Trained(mean, reports, shared);
    }

    /** Throws if as many models as there are members do not fit into memory. */
    private void requireMemory(ModelParts first) {
        MemoryBudget.whole()
                .require(
                        settings.average * bytes(first),
                        String.format(Locale.ROOT, "%,d machines", settings.average),
                        "train fewer machines",
                        MemoryCheck.FEWER_FEATURES);
    }

    /** Returns about the number of bytes of a trained model: its map and its linear functions. */
    static double bytes(ModelParts model) {
        CombinedParts combined = model.combined();
        if (combined != null) {
            return combined.members().stream().mapToDouble(AverageFit::bytes).sum();
        }
        int features = model.map().outputDimension();
        return model.training().map().bytesNeeded(model.map().inputDimension(), features)
                + 8.0 * features * model.requireLinear().outputs();
    }

    /** Returns the seed of a member: that of the run for the first one. */
    private Seed seed(int member) {
        return member == 0 ? settings.seed : settings.seed.derive("average").derive(member);
    }

    /** Returns settings with what the first member has chosen, except its penalty. */
    private static TrainingSettings shared(TrainingSettings given, TrainingResult first) {
        if (ModelAccess.parts(first.model()).combined() != null) {
            return given;
        }
        TrainingSettings shared = given.copy();
        shared.scaler = first.model().scaler();
        shared.kernel = KernelRecipe.of(first.report().kernel());
        shared.map = first.report().map();
        shared.kernelIsOpen = false;
        return shared;
    }

    /** Throws if a member has the features of another one. */
    private static void requireOther(ModelParts first, ModelParts other) {
        if (first.combined() == null && first.map().state().equals(other.map().state())) {
            throw new BochnerException(
                    "the features of the map " + first.training().map() + " of "
                            + first.map().kernel()
                            + " do not depend on the seed: all members of the average would be equal",
                    Remedy.advice("train one machine"),
                    Remedy.set(Setting.MAP, "fourier", "with a kernel such as gaussian has random features"));
        }
    }
}
