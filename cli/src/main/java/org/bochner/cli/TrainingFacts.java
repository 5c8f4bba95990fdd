package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataIdentity;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.map.FeatureMaps;
import org.bochner.model.AdditiveCurves;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.numeric.Workers;

/** Prints the training record of a model, one line per fact. */
final class TrainingFacts {
    private TrainingFacts() {}

    static void add(KernelModel model, Facts facts) {
        TrainingRecord training = model.training();
        if (isFromLibsvm(model)) {
            addLibsvm(model, facts);
            return;
        }
        addData("data", training.data(), facts);
        facts.add(model.ofSets() ? "sets" : "rows", training.rows());
        boolean tree = model.tree().isPresent();
        if (tree) {
            facts.add("tree", MemberFindings.machines(model)).add("kernel asked for", training.kernel());
        } else {
            addMachine(model, facts);
        }
        if (!model.predicts()) {
            facts.add("components", ComponentFindings.line(model.transformer()));
        }
        model.axes().ifPresent(axes -> facts.add("discriminant axes", ComponentFindings.line(axes)));
        String components = Objects.toString(training.components(), "");
        if (model.predicts() && !components.isEmpty()) {
            facts.add("principal components", components);
        } else if (!components.isEmpty()
                && !components.equals(Integer.toString(model.map().outputDimension()))) {
            facts.add("components asked for", components);
        }
        if (training.unlabelled() != null) {
            addData("unlabelled data", training.unlabelled(), facts);
        }
        addChannels(training, facts);
        Learner learner = training.learner();
        if (learner != null) {
            facts.add("learner", learner);
        }
        if (learner != null && !tree) {
            facts.add(learner.strengthName(), Spelling.print(learner.spelled(training.lambda())));
        }
        if (training.refit() != null) {
            facts.add("weights learned again", training.refit());
        }
        Convergence convergence = training.convergence();
        if (convergence != null && !convergence.direct() && !tree) {
            facts.add(
                    "solver",
                    String.format(
                            Locale.ROOT,
                            "%s, %d iterations, %s %.2g: %s",
                            convergence.method(),
                            convergence.iterations(),
                            convergence.measure(),
                            convergence.residual(),
                            convergence.end().reason()));
        }
        facts.add("class weights", classWeights(training));
        if (training.calibration() != null) {
            facts.add("calibration", training.calibration());
        }
        model.uncertainty().ifPresent(recipe -> facts.add("uncertainty", uncertainty(model, recipe)));
        if (!training.pruning().isEmpty()) {
            facts.add("pruned", pruning(training));
            for (TrainingRecord.PruningStep step : training.pruning()) {
                addData("pruning data", step.data(), facts);
            }
        }
        facts.add("precision", model.precision().name().toLowerCase(Locale.ROOT))
                .add("seed", training.seed().value())
                .add("bochner", training.version())
                .add("created", training.created());
    }

    /** Adds the kernel, the map and the scaling of a machine. */
    private static void addMachine(KernelModel model, Facts facts) {
        TrainingRecord training = model.training();
        facts.add("kernel", model.map().kernel()).add("kernel asked for", training.kernel());
        if (training.kernelSearch() != null) {
            facts.add("kernel learned by", training.kernelSearch());
        }
        facts.add("map", training.map())
                .add("features", model.transformer().projectedFeatures())
                .add("scaling", model.scaler());
        FeatureMaps.describeDesigns(model.map()).forEach(line -> facts.add("design", line));
        addCompiled(model, facts);
        if (model.map().dataRows() > 0) {
            facts.add(
                    "contains",
                    Text.count(
                            model.map().dataRows(), training.map().keepsTrainingRows() ? "training row" : "landmark"));
        }
    }

    /** Returns a line on the uncertainty of a model. */
    static String uncertainty(KernelModel model, UncertaintyRecipe recipe) {
        String rows = Text.count(model.uncertaintyRows(), model.ofSets() ? "set" : "row");
        return recipe.isConformal()
                ? Text.of(
                        "%s, errors of %s, levels up to %s",
                        recipe, rows, Spelling.roundedDown(model.highestLevel(), 4))
                : Text.of("%s, noise estimated from %s", recipe, rows);
    }

    /** Returns the uncertainty of a model for JSON; empty if it has none. */
    static Map<String, Object> json(KernelModel model) {
        Map<String, Object> map = new LinkedHashMap<>();
        model.uncertainty().ifPresent(recipe -> {
            map.put("recipe", recipe.toString());
            map.put("rows", model.uncertaintyRows());
            map.put("highestLevel", model.highestLevel());
        });
        return map;
    }

    /** Returns true for a LIBSVM model and its compiled form, whose training is not known. */
    static boolean isFromLibsvm(KernelModel model) {
        return model.training().rows() == 0 && model.training().pruning().isEmpty();
    }

    private static void addLibsvm(KernelModel model, Facts facts) {
        facts.add("made from", "a LIBSVM model file, which does not tell how it was trained");
        if (model.map().dataRows() > 0) {
            facts.add("support vectors", model.map().dataRows());
        }
        facts.add("kernel", model.map().kernel());
        addCompiled(model, facts);
        facts.add("intercept", "%s (rho or -rho)", Spelling.print(model.intercepts()[0]))
                .add("probabilities", model.hasProbabilities() ? "by probA and probB" : "none");
    }

    private static void addCompiled(KernelModel model, Facts facts) {
        if (AdditiveCurves.isCompiled(model)) {
            AdditiveCurves curves = AdditiveCurves.of(model, null, new Workers(1), Progress.NONE);
            facts.add(
                    "compiled",
                    "%s, %s, %s",
                    Text.count(curves.columns().size(), "curve"),
                    curves.form(),
                    Text.count(curves.knotCount(), "knot"));
        }
    }

    private static void addData(String name, DataIdentity data, Facts facts) {
        for (DataIdentity.File file : data.files()) {
            facts.add(name, file.file() + ", " + file.bytes() + " bytes, sha256 " + file.sha256());
        }
        if (data.groupColumn() != null) {
            facts.add("grouped by", data.groupColumn());
        }
        data.selections().forEach(facts::add);
    }

    private static void addChannels(TrainingRecord training, Facts facts) {
        TrainingRecord.ChannelWeighting channels = training.channels();
        if (channels != null) {
            facts.add(
                            "channels",
                            channels.channels().stream()
                                    .map(ColumnRange::toString)
                                    .collect(Collectors.joining(",")))
                    .add("norm", channels.norm())
                    .add("loss", channels.loss())
                    .add("lambda of the norm", Spelling.print(channels.lambda()))
                    .add("folds", channels.folds());
            if (Boolean.TRUE.equals(channels.plain())) {
                facts.add("solution", "plain: no refit and no threshold for small weights");
            }
            if (channels.joint()) {
                facts.add(
                        "scales",
                        "learned together with the weights, scale-prior " + Spelling.print(channels.scalePrior())
                                + ", scale-l2 " + Spelling.print(channels.scaleL2()));
            }
        }
    }

    private static String classWeights(TrainingRecord training) {
        List<String> parts = new ArrayList<>();
        if (training.balancedClasses()) {
            parts.add("balanced");
        }
        training.classWeights().forEach((name, factor) -> parts.add(name + "=" + Spelling.print(factor)));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    /** Returns the last reduction of the map and those before it: {@code 250 of 500 projections}. */
    static String pruning(TrainingRecord training) {
        List<String> steps = new ArrayList<>();
        for (TrainingRecord.PruningStep step : training.pruning()) {
            steps.add(0, step.kept() + " of " + step.of() + " " + step.unit());
        }
        return String.join(", before that ", steps);
    }
}
