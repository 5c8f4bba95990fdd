package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnRange;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.data.Task;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingRecord;
import org.bochner.model.train.WarmStart;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.tune.scales.ScalePenalty;

/**
 * What {@link MultipleKernels#withStart} takes from a model.
 *
 * @param penalty the penalty of the model
 * @param scalePenalty the penalty of its scales
 * @param scaler its scaler
 * @param labels its labels
 * @param initialKernels one kernel per channel, with the scales before joint learning; the given kernel if the model does
 *     not hold them
 * @param kernels one kernel per channel, with the scales of the model; the initial kernel if the channel has no weight
 */
record ResumedKernels(
        double penalty,
        ScalePenalty scalePenalty,
        Scaler scaler,
        Labels labels,
        List<KernelRecipe> initialKernels,
        List<KernelRecipe> kernels) {
    /**
     * Returns what a recipe takes from a model.
     *
     * @throws BochnerException if the model does not fit the recipe
     */
    static ResumedKernels of(MultipleKernels recipe, KernelModel model) {
        TrainingRecord.ChannelWeighting own = model.training().channels();
        if (own == null) {
            throw new BochnerException(
                    "the model was not made by multiple kernel learning", Remedy.advice("start without it"));
        }
        requireSame("channels", own.channels(), recipe.channels(), Remedy.advice("name the channels of the model"));
        requireSame("norm", own.norm(), recipe.norm(), Remedy.set(Setting.NORM, own.norm(), "continues it"));
        requireSame("loss", own.loss(), recipe.loss().toString(), Remedy.advice("use the loss of the model"));
        Boolean plain = own.plain();
        if (plain != null) {
            requireSame("solution", solution(plain), solution(recipe.isPlain()), present(Setting.PLAIN, plain));
        }
        requireSame("scales", scales(own.joint()), scales(recipe.isJoint()), present(Setting.JOINT, own.joint()));
        ScalePenalty used = new ScalePenalty(0, own.scaleL2(), own.scalePrior());
        ScalePenalty given = recipe.scalePenalty == null ? used : recipe.scalePenalty;
        Remedy ownPenalty = Remedy.advice("leave the penalty of scales out to use that of the model");
        requireSame("scale prior", used.scalePrior(), given.scalePrior(), ownPenalty);
        requireSame("l2 of scales", used.l2(), given.l2(), ownPenalty);
        WarmStart.requireSeed(recipe.seed(), model);
        MapRecipe map = model.training().map();
        if (map.makesFeatures() != recipe.map().makesFeatures()) {
            requireSame("map", map, recipe.map(), Remedy.set(Setting.MAP, map.toString(), "continues it"));
        }
        Integer features = own.features();
        Integer asked = recipe.featuresPerChannel();
        if (features != null && asked != null) {
            requireSame(
                    "number of features per channel",
                    features,
                    asked,
                    Remedy.set(Setting.FEATURES, features, "continues it"));
        }
        Scaling scaling = model.scaler().scaling();
        if (recipe.scaling() != null) {
            requireSame("scaling", scaling, recipe.scaling(), Remedy.set(Setting.SCALING, "must be left out"));
        }
        List<KernelRecipe> initial = recipe.kernels;
        if (own.initialKernel() != null) {
            initial = kernels(recipe, initial, own.initialKernel().complete());
        }
        return new ResumedKernels(
                own.lambda(),
                used,
                model.scaler(),
                model.labels(),
                initial,
                kernels(recipe, initial, model.map().kernel()));
    }

    /** Returns kernels of channels, in which those of the terms of a kernel replace others. */
    private static List<KernelRecipe> kernels(MultipleKernels recipe, List<KernelRecipe> others, Kernel of) {
        List<ColumnRange> channels = recipe.channels();
        List<KernelRecipe> kernels = new ArrayList<>(others);
        for (Kernel term : ExactKernelRun.terms(of)) {
            Kernel unscaled = term instanceof ScaledKernel scaled ? scaled.kernel() : term;
            if (unscaled instanceof ChannelKernel in) {
                ColumnRange channel = channels.stream()
                        .filter(range -> range.from() == in.from() && range.to() == in.to())
                        .findFirst()
                        .orElseThrow(() -> new BochnerException("the model has no channel for its kernel " + in));
                int place = channels.indexOf(channel);
                KernelRecipe given = recipe.kernels.get(place);
                if (!given.equals(KernelRecipe.of(in.kernel())) && !given.hasFamiliesOf(in.kernel())) {
                    requireSame(
                            "kernel of " + channel.name(),
                            in.kernel(),
                            given,
                            Remedy.advice("use the kernels of the model"));
                }
                kernels.set(place, KernelRecipe.of(in.kernel()));
            }
        }
        return kernels;
    }

    /** Fails if the rows have classes and the model predicts numbers, or the other way round. */
    void requireTask(RowSource source) {
        boolean classes = labels instanceof Labels.Classes;
        if (classes != source.labels() instanceof Labels.Classes) {
            throw new SpellingException(
                    source.name() + ": the model to continue from predicts " + (classes ? "classes" : "numbers")
                            + ", and the labels of the rows are " + (classes ? "numbers" : "classes"),
                    Remedy.set(Setting.TASK, classes ? Task.CLASSIFY : Task.REGRESS, "reads them so"),
                    Remedy.advice("start without the model"));
        }
    }

    private static Remedy present(Setting setting, boolean present) {
        return Remedy.set(setting, present ? "must be added" : "must be left out");
    }

    private static String solution(boolean plain) {
        return plain ? "plain" : "refitted";
    }

    private static String scales(boolean joint) {
        return joint ? "learned together with the weights" : "given before the weights";
    }

    private static void requireSame(String name, Object own, Object given, Remedy remedy) {
        if (!own.equals(given)) {
            throw new BochnerException("the " + name + " of the model: " + own + ", not " + given, remedy);
        }
    }
}
