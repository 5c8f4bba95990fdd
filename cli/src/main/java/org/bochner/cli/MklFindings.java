package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bochner.base.Note;
import org.bochner.model.Evaluation;
import org.bochner.model.TrainingRecord;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.jspecify.annotations.Nullable;

/**
 * The results of the mkl command.
 *
 * @param evaluation evaluation of the model; null without test rows
 * @param resumed the model that the path continued from; null for none
 * @param plot the file of the plot; null for none
 * @param model the file of the model; null if it was not saved
 */
record MklFindings(
        Session session,
        MultipleKernels recipe,
        LearnedSum learned,
        @Nullable Evaluation evaluation,
        @Nullable Path resumed,
        @Nullable Path plot,
        @Nullable Path model) {
    /** Returns the notes of learning, then one if the model is no better than a constant. */
    List<Note> notes() {
        return Stream.concat(
                        learned.notes().stream(),
                        Results.noBetterThanAConstant(
                                evaluation, learned.model().training())
                                .stream())
                .toList();
    }

    String text(boolean heldOut) {
        LearnedSum.Step chosen = learned.path().get(learned.chosen());
        Facts facts = new Facts()
                .add("rows", "%,d", learned.rows())
                .add(
                        "norm",
                        recipe.norm() + ", loss " + recipe.loss() + (recipe.isPlain() ? ", plain solution" : "")
                                + (recipe.isJoint() ? ", scales learned jointly" : ""))
                .add(
                        "lambda",
                        learned.path().size() > 1
                                ? "%.4g: cross-validated loss %.5g, chosen from %d penalties"
                                : "%.4g: cross-validated loss %.5g",
                        learned.lambda(),
                        chosen.loss(),
                        learned.path().size())
                .add("kernel", learned.kernel());
        if (recipe.isJoint()) {
            facts.add(
                    "objective",
                    "%.5g -> %.5g by the learned scales (a constant prediction has 1), scale-prior %.4g, scale-l2 %.4g",
                    learned.before(),
                    learned.after(),
                    weighting().scalePrior(),
                    weighting().scaleL2());
        }
        facts.add("learner", learned.learner())
                .add(
                        "map",
                        learned.map().makesFeatures()
                                ? "%s, %,d features, of which %,d are in the model"
                                : "%s, %,d rows",
                        learned.map(),
                        learned.features(),
                        learned.model().map().outputDimension())
                .add("scaling", learned.model().scaler())
                .add(
                        "time",
                        "%.2f s: prepare %.2f, map %.2f, solve %.2f",
                        learned.prepareSeconds() + learned.mapSeconds() + learned.solveSeconds(),
                        learned.prepareSeconds(),
                        learned.mapSeconds(),
                        learned.solveSeconds());
        if (evaluation != null) {
            facts.add(heldOut ? "holdout" : "test", Results.headline(evaluation));
            Results.addCalibrationEffect(facts, evaluation);
        }
        if (plot != null) {
            facts.add("plot", plot);
        }
        if (model != null) {
            facts.add("model", model);
        }
        return channels() + System.lineSeparator() + facts;
    }

    private TrainingRecord.ChannelWeighting weighting() {
        return Objects.requireNonNull(learned.model().training().channels());
    }

    private String channels() {
        List<String> names = new ArrayList<>(List.of("channel", "columns", "kernel", "weight", "share"));
        if (recipe.isJoint()) {
            names.add(2, "initial kernel");
        }
        Table table = new Table().line(names.toArray(String[]::new));
        for (LearnedSum.Channel channel : learned.channels()) {
            List<String> line = new ArrayList<>(List.of(
                    channel.columns().name(),
                    channel.columns().from() + ":" + channel.columns().to(),
                    channel.kernel().toString(),
                    channel.kernelWeight() == 0 ? "0" : Text.of("%.4g", channel.kernelWeight()),
                    Text.of("%.1f%%", 100 * channel.share())));
            if (recipe.isJoint()) {
                line.add(2, channel.initialKernel().toString());
            }
            table.line(line.toArray(String[]::new));
        }
        return table.toString();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", session.source().name());
        map.put("rows", learned.rows());
        map.put("columns", session.source().columns());
        map.put("norm", recipe.norm());
        map.put("plain", recipe.isPlain());
        map.put("joint", recipe.isJoint());
        map.put("scaleL2", weighting().scaleL2());
        map.put("scalePrior", weighting().scalePrior());
        map.put("loss", recipe.loss().toString());
        map.put("folds", recipe.folds());
        map.put(
                "channels",
                learned.channels().stream().map(MklFindings::channel).toList());
        map.put("kernel", learned.kernel().toString());
        map.put("learner", learned.learner().toString());
        map.put("lambda", learned.lambda());
        map.put("before", recipe.isJoint() ? (Double) learned.before() : null);
        map.put("after", recipe.isJoint() ? (Double) learned.after() : null);
        map.put("path", learned.path().stream().map(MklFindings::step).toList());
        map.put("chosen", learned.chosen());
        map.put("map", learned.map().toString());
        map.put("features", learned.features());
        map.put("modelFeatures", learned.model().map().outputDimension());
        map.put("scaling", learned.model().scaler().toString());
        map.put("precision", Text.word(learned.model().precision()));
        map.put("seed", learned.model().training().seed().value());
        map.put("threads", session.workers().threads());
        Results.addTo(map, evaluation);
        map.put("readSeconds", session.readSeconds());
        map.put("prepareSeconds", learned.prepareSeconds());
        map.put("mapSeconds", learned.mapSeconds());
        map.put("solveSeconds", learned.solveSeconds());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("resumed", resumed == null ? null : resumed.toString());
        map.put("plot", plot == null ? null : plot.toString());
        map.put("model", model == null ? null : model.toString());
        map.put("notes", session.notes(notes()));
        return map;
    }

    private static Map<String, Object> channel(LearnedSum.Channel channel) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", channel.columns().name());
        map.put("from", channel.columns().from());
        map.put("to", channel.columns().to());
        map.put("kernel", channel.kernel().toString());
        map.put("startKernel", channel.initialKernel().toString());
        map.put("features", channel.features());
        map.put("weight", channel.kernelWeight());
        map.put("share", channel.share());
        map.put("norm", channel.norm());
        return map;
    }

    private static Map<String, Object> step(LearnedSum.Step step) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lambda", step.lambda());
        map.put("l2", step.l2());
        map.put("loss", step.loss());
        map.put("standardError", step.standardError());
        map.put("active", step.active());
        map.put("weights", step.kernelWeights());
        map.put("scaleFactors", step.scaleFactors());
        map.put("converged", step.converged());
        return map;
    }
}
