package org.bochner.tune;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.RowSource;
import org.bochner.data.sample.CountingSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelProblem;
import org.bochner.tune.channels.ChannelSolution;
import org.bochner.tune.channels.PenaltyPath;
import org.bochner.tune.scales.ScalePenalty;

/** One run of {@link MultipleKernels} on a source: what runs with and without features have in common. */
abstract class ChannelRun {
    /** Digits of the kernel weights in the learned kernel. */
    private static final MathContext DIGITS = new MathContext(6);

    final MultipleKernels recipe;
    final KernelMachine machine;
    final TrainingSettings settings;
    final CountingSource source;
    final Workers workers;
    final Seed foldSeed;
    final Notes notes = new Notes();
    Progress progress;

    ChannelRun(MultipleKernels recipe, RowSource source, Workers workers, Progress progress) {
        this.recipe = recipe;
        machine = recipe.resumedMachine();
        settings = ModelAccess.settings(machine);
        this.source = new CountingSource(source);
        this.workers = workers;
        this.progress = progress;
        foldSeed = settings.seed.derive("channels");
    }

    abstract LearnedSum run();

    /**
     * Returns true if the user has stopped the step that ends now. The other steps then run to their ends, and the note is
     * added: who stops the learning of scales wants the best ones so far, and the weights in full.
     */
    final boolean stopped(String note) {
        boolean stopped = progress.stopRequested();
        if (stopped) {
            notes.solver(note);
            progress = new UnstoppableProgress(progress);
        }
        return stopped;
    }

    /** Fails if the labels do not fit the problem; notes classes without rows. */
    final void requireLabels(ChannelProblem problem) {
        ChannelChecks.requireClasses(recipe, source, problem);
        source.requireTargets();
        source.noteLabels(notes);
    }

    final BochnerException emptyFold(int fold) {
        return new BochnerException(source.name() + ": fold " + (fold + 1) + " of " + recipe.folds()
                + " has no rows, or none with a row weight above 0; use fewer folds or another seed");
    }

    final PenaltyPath path(ChannelProblem problem, Notes to) {
        return new PenaltyPath(problem, recipe.steps, progress, to)
                .setPlain(recipe.isPlain())
                .setOnly(recipe.lambda)
                .setFirst(recipe.firstPenalty);
    }

    /** Returns a kernel weight with the digits that it has in the learned kernel. */
    static double rounded(double kernelWeight) {
        return new BigDecimal(kernelWeight).round(DIGITS).doubleValue();
    }

    /** Returns the results of the channels. */
    final List<LearnedSum.Channel> channels(
            ChannelFeatures initial, ChannelFeatures channels, ChannelSolution solution) {
        double[] kernelWeights = solution.kernelWeights();
        double total = Arrays.stream(kernelWeights).sum();
        List<LearnedSum.Channel> learned = new ArrayList<>();
        for (int c = 0; c < channels.count(); c++) {
            learned.add(new LearnedSum.Channel(
                    recipe.channels().get(c),
                    kernel(initial, c),
                    kernel(channels, c),
                    channels.size(c),
                    solution.norms()[c],
                    kernelWeights[c],
                    kernelWeights[c] / total));
        }
        return learned;
    }

    /** Returns the kernel of a channel, without its columns. */
    private static Kernel kernel(ChannelFeatures channels, int channel) {
        Kernel term = channels.part(channel).kernel();
        return term instanceof ChannelKernel own ? own.kernel() : term;
    }

    final TrainingRecord.ChannelWeighting weighting(double lambda, ScalePenalty scalePenalty) {
        return new TrainingRecord.ChannelWeighting(
                recipe.channels(),
                recipe.norm(),
                recipe.loss().toString(),
                lambda,
                recipe.folds(),
                recipe.isPlain(),
                recipe.isJoint(),
                scalePenalty.l2(),
                scalePenalty.scalePrior());
    }
}
