package org.bochner.tune;

import java.util.List;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowSource;
import org.bochner.data.sample.NoSets;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.WarmStart;
import org.bochner.numeric.Workers;
import org.bochner.tune.scales.ScalePenalty;
import org.jspecify.annotations.Nullable;

/**
 * Kernel learning: finds the length-scales of a machine's kernel, or the frequencies of its map, together with the
 * penalty, by minimising a {@link Criterion}. Random numbers are drawn once and then multiplied by the scales, so
 * that the criterion is smooth (Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012). Immutable; change it
 * with the {@code with} methods, then {@link #learn} from a source.
 *
 * <pre>{@code
 * LearnedKernel learned = KernelLearning.of(KernelMachine.of("gaussian").withFeatures(1000))
 *         .withSharing(Sharing.COLUMN)
 *         .learn(FileSource.open(DataOptions.of("train.csv")));
 * learned.kernel();            // gaussian(sigma=[0:1=0.81, 1:2=3.2, ...])
 * learned.trained().model();   // a model with that kernel
 * }</pre>
 *
 * <p>Cost: one evaluation of the criterion with all its derivatives costs about two ridge fits, for leave-one-out
 * about eight. A search takes some dozens of evaluations, the first of them on a sample of the rows. Memory: that of
 * one ridge fit per fold. Rows are kept if they fit into the memory, and read again otherwise.
 *
 * <p>With the map {@link org.bochner.map.FeatureMaps#none}, the criteria are those of exact kernel ridge regression: an
 * evaluation factors matrices of all kernel values between the n rows, and the memory is 16·n² bytes, or 24·n² bytes for
 * leave-one-out and generalised cross-validation.
 */
public final class KernelLearning {
    private static final String OWNER = "kernel learning";
    private static final int DEFAULT_ITERATIONS = 100;
    private static final double DEFAULT_TOLERANCE = 1e-4;

    // Only the with methods write these fields, on a copy that nobody else has seen.
    final KernelMachine machine;
    Sharing sharing = Sharing.COLUMN;
    Criterion criterion = Criterion.usual();
    LearningMethod method = LearningMethod.GRADIENT;
    ScalePenalty penalty = ScalePenalty.NONE;
    List<ColumnRange> ranges = List.of();
    int iterations = DEFAULT_ITERATIONS;
    double tolerance = DEFAULT_TOLERANCE;
    boolean sampling = true;

    @Nullable
    KernelModel start;

    private KernelLearning(KernelMachine machine) {
        this.machine = machine;
    }

    /** Creates kernel learning for a machine: one scale per column, by cross-validation. */
    public static KernelLearning of(KernelMachine machine) {
        return new KernelLearning(machine);
    }

    private KernelLearning with(Consumer<KernelLearning> change) {
        KernelLearning copy = new KernelLearning(machine);
        copy.sharing = sharing;
        copy.criterion = criterion;
        copy.method = method;
        copy.penalty = penalty;
        copy.ranges = ranges;
        copy.iterations = iterations;
        copy.tolerance = tolerance;
        copy.sampling = sampling;
        copy.start = start;
        change.accept(copy);
        return copy;
    }

    /** Sets which scales share a value, or that frequencies are learned. */
    public KernelLearning withSharing(Sharing chosen) {
        return with(copy -> copy.sharing = chosen);
    }

    /** Sets the criterion. */
    public KernelLearning withCriterion(Criterion chosen) {
        return with(copy -> copy.criterion = chosen);
    }

    /** Sets the criterion by its spelling, such as {@code loo} or {@code cv(folds=10)}. */
    public KernelLearning withCriterion(String chosen) {
        return withCriterion(Criterion.parse(chosen));
    }

    /**
     * Sets how scales are searched: {@code gradient} follows the derivatives of the criterion; {@code agop} makes the
     * frequency scales proportional to the root mean square of the gradients of fitted functions, in a few rounds;
     * {@code gradient(start=agop)} follows derivatives from there.
     */
    public KernelLearning withMethod(String spelling) {
        return with(copy -> copy.method = LearningMethod.parse(spelling));
    }

    /** Returns true if the method fits functions and averages the outer products of their gradients. */
    public boolean averagesGradients() {
        return method.rounds() > 0;
    }

    /** Returns true if the method learns a matrix in place of one scale per column. */
    public boolean learnsMatrix() {
        return averagesGradients() && method.full();
    }

    /**
     * Adds a penalty to the criterion, which is 1 without features: {@code l1·Σ s + l2·Σ s²} over the factors s by
     * which scales differ from their initial values. For frequencies, {@code l2} is the factor of their mean squared
     * distance from the initial frequencies.
     *
     * @param l1 drops columns if it is positive
     */
    public KernelLearning withScalePenalty(double l1, double l2) {
        return with(copy -> copy.penalty = new ScalePenalty(l1, l2));
    }

    /** Sets the ranges of {@link Sharing#RANGE}. The default is the ranges of the kernel's own length-scales. */
    public KernelLearning withRanges(List<ColumnRange> chosen) {
        return with(copy -> copy.ranges = List.copyOf(chosen));
    }

    /** Sets the largest number of iterations on all rows. */
    public KernelLearning withIterations(int most) {
        return with(copy -> copy.iterations = Require.atLeast(OWNER, "iterations", most, 0));
    }

    /** Stops when three iterations together reduce the criterion by less than this share. */
    public KernelLearning withTolerance(double relative) {
        return with(copy -> copy.tolerance = Require.notNegative(OWNER, "tolerance", relative));
    }

    /** Sets whether the search starts on a sample of the rows if there are many. */
    public KernelLearning withSampling(boolean begin) {
        return with(copy -> copy.sampling = begin);
    }

    /**
     * Continues from a model, such as one that kernel learning wrote before it was stopped. Its scaling, map and
     * length-scales are the initial ones.
     *
     * @throws BochnerException if the machine has another kernel, number of features or seed than the model
     */
    public KernelLearning withStart(KernelModel model) {
        ModelAccess.parts(model).requireOneStage("kernel learning");
        WarmStart.requireKernel(machine.kernel(), model);
        if (machine.features().isPresent()) {
            WarmStart.requireFeatures(machine.features().getAsInt(), model);
        }
        WarmStart.requireSeed(machine.seed(), model);
        return with(copy -> copy.start = model);
    }

    /** Learns the kernel and trains a model with it, on all processors. */
    public LearnedKernel learn(RowSource source) {
        return learn(source, Workers.all(), Progress.NONE);
    }

    /** Learns the kernel and trains a model with it. */
    public LearnedKernel learn(RowSource source, Workers workers, Progress progress) {
        NoSets.require(source, "searches for a kernel");
        return new ScaleSearch(this, source.forTraining(), workers, progress).run();
    }

    /**
     * Trains the model that the learned one is compared with, with the initial kernel. If the search has chosen a penalty for an
     * exact machine with that kernel, it has this penalty.
     */
    public TrainingResult fitInitial(LearnedKernel learned, RowSource source, Workers workers, Progress progress) {
        if (learned.hasOtherMap()) {
            return ModelAccess.machine(StandIn.ofModel(ModelAccess.settings(machine)))
                    .fit(source, workers, progress);
        }
        Learner learner = machine.learner();
        boolean chosen = learner.isRidge() && learner.isAuto() && learned.initialLambda() >= 0;
        KernelMachine initial = chosen ? machine.withLearner(learner.withLambda(learned.initialLambda())) : machine;
        return initial.fit(source, learned.initial(), workers, progress);
    }

    /**
     * Learns the kernel without training a model.
     *
     * @param notes receives the choices of the search
     */
    Transformer transformer(RowSource source, Workers workers, Progress progress, Notes notes) {
        NoSets.require(source, "searches for a kernel");
        return new ScaleSearch(this, source.forTraining(), workers, progress).transformer(notes);
    }
}
