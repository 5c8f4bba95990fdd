package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.model.file.AverageParts;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.TreeParts;
import org.bochner.model.train.Stacking;
import org.bochner.numeric.Workers;
import org.bochner.stats.MappedRows;

/** Makes averages of trained models. */
final class StackedMembers {
    private static final String OTHER_LABELS =
            "take rows with the labels of the models, or train the models on all classes";

    private StackedMembers() {}

    /** Returns the mean of models. */
    static KernelModel mean(List<KernelModel> models) {
        return model(AverageParts.mean(parts(models, 1)));
    }

    private static KernelModel model(AverageParts average) {
        return ModelAccess.model(ModelParts.of(average, average.main().training(), null));
    }

    /** Returns the parts of models, which can be members of one average. */
    private static List<ModelParts> parts(List<KernelModel> models, int least) {
        Require.atLeast("average", "models", models.size(), least);
        List<ModelParts> parts = new ArrayList<>();
        for (KernelModel model : models) {
            ModelParts part = ModelAccess.parts(model);
            AverageParts.requireMember(parts.size(), part);
            if (!parts.isEmpty()) {
                CombinedParts.requireFit(
                        "member " + (parts.size() + 1) + " of the average",
                        part,
                        "member 1 of the average",
                        parts.get(0));
            }
            parts.add(part);
        }
        return parts;
    }

    /** Fits the weights of an average to rows that no model was trained on. */
    static KernelModel stack(
            List<KernelModel> models, RowSource rows, Workers workers, Progress progress, Notes notes) {
        List<ModelParts> parts = parts(models, 2);
        KernelModel first = models.get(0);
        requireLabels(rows, first);
        OutputCoding outputs = OutputCoding.of(first.labels());
        Stacking stacking =
                new Stacking(models.size(), outputs.count(), first.training().seed());
        models.forEach(model -> model.prepare(workers));
        double[] targets = new double[outputs.count()];
        long[] ignored = {0};
        first.pass(rows, workers).run(() -> new Bench(models), (block, bench) -> bench.score(block), (done, bench) -> {
            RowBlock block = done.last().rows();
            for (int i = 0; i < block.rows(); i++) {
                if (Double.isNaN(block.target(i, 0))) {
                    ignored[0]++;
                    continue;
                }
                for (int o = 0; o < targets.length; o++) {
                    targets[o] = outputs.target(block, i, o);
                }
                stacking.add(bench.scores, i, targets, block.rowWeight(i), block.group(i));
            }
            progress.report("scoring", done.rows(), done.fraction());
        });
        noteIgnored(rows, ignored[0], stacking.rows(), notes);
        noteCopies(parts, notes);
        return stacked(parts, stacking, rows, notes);
    }

    private static void requireLabels(RowSource rows, KernelModel model) {
        if (rows.labels().targets() == 0) {
            throw new BochnerException(
                    rows.name() + ": has no labels, to which the weights of the models are fitted",
                    Remedy.set(Setting.LABELS_FILE, "names them"));
        }
        if (!rows.labels().equals(model.labels())) {
            throw new BochnerException(
                    rows.name() + ": has other labels than the models",
                    Remedy.advice("open it with a model's encoding"));
        }
    }

    private static void noteIgnored(RowSource rows, long ignored, long used, Notes notes) {
        if (used == 0) {
            throw new BochnerException(
                    rows.name() + ": has no rows with a label of the models", Remedy.advice(OTHER_LABELS));
        }
        if (ignored > 0) {
            String found = String.format(
                    Locale.ROOT,
                    "%s: the labels of %,d of %,d rows are no classes of the models",
                    rows.name(),
                    ignored,
                    ignored + used);
            if (ignored > used) {
                throw new BochnerException(found, Remedy.advice(OTHER_LABELS));
            }
            notes.data(found + "; the weights are fitted without these rows");
        }
    }

    /** Notes models whose scores are equal, because they are copies. */
    private static void noteCopies(List<ModelParts> parts, Notes notes) {
        for (int m = 1; m < parts.size(); m++) {
            for (int other = 0; other < m; other++) {
                if (equal(parts.get(other), parts.get(m))) {
                    notes.data(
                            "member " + (m + 1) + " is equal to member " + (other + 1)
                                    + ", so it adds nothing to the sum",
                            Remedy.advice("give each model once"));
                    break;
                }
            }
        }
    }

    private static boolean equal(ModelParts one, ModelParts other) {
        if (one.combined() instanceof TreeParts tree) {
            return other.combined() instanceof TreeParts otherTree
                    && tree.tree().state().equals(otherTree.tree().state())
                    && equal(tree.members(), otherTree.members());
        }
        return other.combined() == null
                && one.requireLinear().state().equals(other.requireLinear().state())
                && one.transformer()
                        .scaler()
                        .state()
                        .equals(other.transformer().scaler().state())
                && one.map().state().equals(other.map().state());
    }

    private static boolean equal(List<ModelParts> some, List<ModelParts> others) {
        return some.size() == others.size()
                && IntStream.range(0, some.size()).allMatch(m -> equal(some.get(m), others.get(m)));
    }

    private static KernelModel stacked(List<ModelParts> parts, Stacking stacking, RowSource rows, Notes notes) {
        Stacking.Fit fit = stacking.fit();
        List<AverageParts.Member> members = new ArrayList<>();
        List<Double> intercepts = new ArrayList<>();
        for (int m = 0; m < parts.size(); m++) {
            ModelParts part = parts.get(m);
            if (fit.weights()[m] > 0) {
                members.add(new AverageParts.Member(part, fit.weights()[m]));
            } else {
                notes.choice("member " + (m + 1) + " (" + part.map().kernel() + ", "
                        + part.training().learner() + ") is left out: its weight is 0");
            }
        }
        if (members.isEmpty()) {
            throw new BochnerException(
                    rows.name() + ": no model predicts its labels better than a constant does",
                    Remedy.advice("take rows like those that the models were trained on"));
        }
        for (double intercept : fit.intercepts()) {
            intercepts.add(intercept);
        }
        return model(new AverageParts(
                members, intercepts, new AverageParts.Stacking(rows.identity(), stacking.rows(), fit.penalty())));
    }

    /** The working memory of one worker: the scores of its last block, by member. */
    private static final class Bench {
        private final List<BlockScorer.Member> members;
        private final double[][] scores;

        Bench(List<KernelModel> models) {
            members = models.stream().map(BlockScorer.Member::new).toList();
            scores = new double[models.size()][];
        }

        void score(MappedRows block) {
            for (int m = 0; m < scores.length; m++) {
                scores[m] = members.get(m).score(block.rows());
            }
        }
    }
}
