package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingRecord;
import org.bochner.model.train.WarmStart;
import org.bochner.tune.scales.ScalePenalty;

/**
 * What {@link MultipleKernels#withStart} takes from a model.
 *
 * @param penalty the penalty of the model
 * @param scalePenalty the penalty of its scales
 * @param kernels one kernel per channel, with the scales of the model; the given kernel if the model has none
 */
record ResumedKernels(double penalty, ScalePenalty scalePenalty, List<KernelRecipe> kernels) {
    /**
     * Returns what a recipe takes from a model.
     *
     * @throws BochnerException if the model does not fit the recipe
     */
    static ResumedKernels of(MultipleKernels recipe, KernelModel model) {
        TrainingRecord.ChannelWeighting own = model.training().channels();
        if (own == null) {
            throw new BochnerException("the model was not made by multiple kernel learning");
        }
        requireSame("channels", own.channels(), recipe.channels());
        requireSame("norm", own.norm(), recipe.norm());
        requireSame("loss", own.loss(), recipe.loss().toString());
        Boolean plain = own.plain();
        if (plain != null) {
            requireSame("solution", solution(plain), solution(recipe.isPlain()));
        }
        requireSame("scales", scales(own.joint()), scales(recipe.isJoint()));
        ScalePenalty used = new ScalePenalty(0, own.scaleL2(), own.scalePrior());
        ScalePenalty given = recipe.scalePenalty == null ? used : recipe.scalePenalty;
        requireSame("scale prior", used.scalePrior(), given.scalePrior());
        requireSame("l2 of scales", used.l2(), given.l2());
        WarmStart.requireSeed(recipe.seed(), model);
        if (model.training().map().makesFeatures() != recipe.map().makesFeatures()) {
            requireSame("map", model.training().map(), recipe.map());
        }
        return new ResumedKernels(own.lambda(), used, kernels(recipe, model));
    }

    private static List<KernelRecipe> kernels(MultipleKernels recipe, KernelModel model) {
        List<ColumnRange> channels = recipe.channels();
        List<KernelRecipe> kernels = new ArrayList<>(recipe.kernels);
        for (Kernel term : ExactKernelRun.terms(model.map().kernel())) {
            Kernel unscaled = term instanceof ScaledKernel scaled ? scaled.kernel() : term;
            if (unscaled instanceof ChannelKernel of) {
                int place = channels.indexOf(channels.stream()
                        .filter(range -> range.from() == of.from() && range.to() == of.to())
                        .findFirst()
                        .orElseThrow());
                KernelRecipe given = recipe.kernels.get(place);
                if (!given.equals(KernelRecipe.of(of.kernel())) && !given.hasFamiliesOf(of.kernel())) {
                    requireSame("kernel of " + channels.get(place).name(), of.kernel(), given);
                }
                kernels.set(place, KernelRecipe.of(of.kernel()));
            }
        }
        return kernels;
    }

    private static String solution(boolean plain) {
        return plain ? "plain" : "refitted";
    }

    private static String scales(boolean joint) {
        return joint ? "learned together with the weights" : "given before the weights";
    }

    private static void requireSame(String name, Object own, Object given) {
        if (!own.equals(given)) {
            throw new BochnerException("the " + name + " of the model: " + own + ", not " + given);
        }
    }
}
