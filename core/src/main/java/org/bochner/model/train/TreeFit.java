package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.sample.KeptRows;
import org.bochner.data.sample.RowPass;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.TrainingReport;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.TreeParts;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.jspecify.annotations.Nullable;

/** Trains a tree of machines: grows the tree, then trains the machine of each leaf with the rows of the leaf. */
final class TreeFit {
    private final TrainingSettings settings;
    private final TreeRecipe recipe;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;

    TreeFit(TrainingSettings settings, TreeRecipe recipe, RowSource source, Workers workers, Progress progress) {
        Training.requireCombinable("a tree of machines", settings);
        if (source.ofSets()) {
            throw new BochnerException(
                    source.name() + ": a tree divides single rows, and these are sets of rows",
                    Remedy.advice("train one machine for sets"));
        }
        this.settings = settings;
        this.recipe = recipe;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
    }

    /** Trains all leaves; the report is that of the first machine, with the times of all. */
    TrainingResult run() {
        OutputCoding.require(source.name(), source.encoding() != null, source.labels());
        settings.learner.requireFits(source.labels());
        if (settings.calibration != null) {
            settings.calibration.check(source.labels());
        }
        TrainingResult trained = train(source, plain());
        if (ModelAccess.parts(trained.model()).combined() == null) {
            // One machine, with the calibration of the settings.
            return trained;
        }
        KernelModel calibrated = Training.calibrated(
                trained.model(),
                settings,
                source,
                workers,
                progress,
                rows -> train(rows, null).model());
        return new TrainingResult(calibrated, trained.report());
    }

    /** Returns the settings of one machine in place of the tree. */
    private TrainingSettings plain() {
        TrainingSettings plain = settings.copy();
        plain.tree = null;
        return plain;
    }

    /**
     * Trains a tree, or one machine if there are not two leaves with something to learn.
     *
     * @param whole the settings of that one machine; null for those of a leaf
     */
    private TrainingResult train(RowSource rows, @Nullable TrainingSettings whole) {
        Notes notes = new Notes();
        ClassWeights classWeights = settings.classWeighting.of(rows);
        TrainingSettings single = single(classWeights, rows.labels());
        TreeGrower.Grown grown = new TreeGrower(single, recipe, classWeights, rows, workers, progress, notes).grow();
        List<TreeGrower.Leaf> leaves = grown.leaves();
        if (leaves.stream().allMatch(TreeGrower.Leaf::constant)) {
            notes.choice("no leaf of the tree has anything to learn: one machine is trained for all rows");
            leaves = List.of();
        }
        if (leaves.size() < 2) {
            TrainingResult one = TrainingRun.train(whole == null ? single : whole, rows, workers, progress, null);
            notes.addAll(one.report().notes());
            return new TrainingResult(
                    one.model(),
                    Training.report(List.of(one.report()), 0, one.report().rows(), notes.list()));
        }
        notes.addAll(rows.trainingNotes());
        List<TreeParts.Leaf> trained = new ArrayList<>();
        List<TrainingReport> reports = new ArrayList<>();
        for (int l = 0; l < leaves.size(); l++) {
            TreeGrower.Leaf leaf = leaves.get(l);
            String name = "leaf " + (l + 1) + " of " + leaves.size();
            progress.report("training " + name, l, (double) l / leaves.size());
            trained.add(new TreeParts.Leaf(
                    leaf(name, leaf, single, classWeights, notes, reports),
                    leaf.rows().rows()));
        }
        TreeParts tree = new TreeParts(grown.tree(), trained);
        TrainingRecord record = Training.record(tree.main().training(), rows.identity(), grown.rows(), settings);
        return new TrainingResult(
                Training.model(tree, record, settings), Training.report(reports, 0, grown.rows(), notes.list()));
    }

    private ModelParts leaf(
            String name,
            TreeGrower.Leaf leaf,
            TrainingSettings single,
            ClassWeights classWeights,
            Notes notes,
            List<TrainingReport> reports) {
        if (leaf.constant()) {
            return constant(name, leaf.rows(), single, classWeights, notes);
        }
        RowSource rows = KeptRows.of(leaf.rows(), MemoryBudget.spare().bytes());
        TrainingResult result;
        try {
            result = TrainingRun.train(single, rows, workers, progress, null);
        } catch (BochnerException e) {
            throw new BochnerException(
                    name + ": " + e.problem(), e, e.remedies().toArray(Remedy[]::new));
        }
        reports.add(result.report());
        // Choices are in the model of the leaf, and missing classes are expected.
        List<Note> own = result.report().notes().stream()
                .filter(note -> note.kind() == Note.Kind.SOLVER || note.kind() == Note.Kind.PRECISION)
                .toList();
        notes.addAll(Training.named(name, own));
        return ModelAccess.parts(result.model());
    }

    /** Returns the settings of the leaves' machines. Classes are weighted as in all rows, not as in those of a leaf. */
    private TrainingSettings single(ClassWeights classWeights, Labels labels) {
        TrainingSettings single = settings.copy();
        single.tree = null;
        single.calibration = null;
        if (labels instanceof Labels.Classes classes && !settings.classWeighting.equals(ClassWeighting.NONE)) {
            Map<String, Double> factors = new LinkedHashMap<>();
            for (int c = 0; c < classes.names().size(); c++) {
                factors.put(classes.names().get(c), classWeights.factor(c));
            }
            single.classWeighting = new ClassWeighting(false, factors);
        }
        return single;
    }

    /** Returns a machine that predicts the means of the targets, for a leaf with one class or with equal rows. */
    private ModelParts constant(
            String name, RowSource rows, TrainingSettings single, ClassWeights classWeights, Notes notes) {
        OutputCoding outputs = OutputCoding.of(rows.labels());
        double[] intercepts = means(rows, outputs, classWeights);
        notes.choice(String.format(
                Locale.ROOT,
                "%s predicts a constant: its %,d rows have one class or number, or are all equal",
                name,
                rows.rows()));
        if (outputs.classes() && hasOdds()) {
            // The logarithm of the odds, with one row more of each class.
            Arrays.setAll(intercepts, o -> {
                double share = (1 + intercepts[o]) / 2;
                return Math.log1p(rows.rows() * share) - Math.log1p(rows.rows() * (1 - share));
            });
        }
        int columns = rows.columns();
        Kernel kernel = Kernels.recipe("linear").withUnitScales();
        FeatureMap map = FeatureMaps.auto()
                .build(kernel, RowSample.none(columns), OptionalInt.empty(), single.seed, new Notes(), workers);
        LinearModel linear = new LinearModel(
                columns, intercepts.length, new double[Math.multiplyExact(columns, intercepts.length)], intercepts);
        TrainingRecord record =
                single.record(rows, rows.rows(), FeatureMaps.auto(), single.learner, 0, null, null, null, List.of());
        return ModelParts.of(new Transformer(Scalings.identity(columns), map), linear, rows, single.precision, record);
    }

    private static double[] means(RowSource rows, OutputCoding outputs, ClassWeights classWeights) {
        RowWeights weights = new RowWeights(rows.labels(), classWeights);
        double[] means = new double[outputs.count()];
        double[] total = new double[1];
        RowPass.each(rows, (block, i) -> {
            double weight = weights.weight(block, i);
            total[0] += weight;
            for (int o = 0; o < means.length; o++) {
                means[o] += weight / total[0] * (outputs.target(block, i, o) - means[o]);
            }
        });
        return means;
    }

    /** Returns true if scores are logarithms of odds. */
    private boolean hasOdds() {
        Formulation formulation = Formulation.of(settings.learner);
        Loss loss = formulation.loss();
        return loss instanceof Loss.Logistic || loss instanceof Loss.Softmax || formulation.priors() != null;
    }
}
