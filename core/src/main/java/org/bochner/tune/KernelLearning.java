package org.bochner.tune;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.data.ColumnRange;
import org.bochner.data.RowSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.tune.scales.ScalePenalty;
import org.jspecify.annotations.Nullable;

/**
 * The recipe of learning a machine's kernel: its scales, one for all columns, one a block or one a column, or its
 * frequencies, together with the penalty, such that a {@link Criterion} becomes least. Random numbers are drawn once:
 * what moves is what they are multiplied by (Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012). Immutable; change
 * it with the {@code with} methods, then {@link #learn} from a source.
 *
 * <pre>{@code
 * LearnedKernel learned = KernelLearning.of(KernelMachine.of("gaussian").withFeatures(1000))
 *         .withSharing(Sharing.COLUMN)
 *         .learn(DataFiles.open(DataOptions.of("train.csv")));
 * learned.kernel();            // gaussian(sigma=[0:1=0.81, 1:2=3.2, ...])
 * learned.trained().model();   // a model with that kernel
 * }</pre>
 *
 * <p>Cost: an evaluation of the criterion with all its derivatives costs about two ridge fits, for leave-one-out about
 * eight, and some dozen are needed, the first of them on a sample of the rows. Memory: that of a ridge fit a fold; rows are kept where they fit, and read
 * anew where not.
 */
public final class KernelLearning {
    private static final int MOST_ITERATIONS = 100;
    private static final double USUAL_TOLERANCE = 1e-4;

    private final KernelMachine machine;
    private Sharing sharing = Sharing.COLUMN;
    private Criterion criterion = Criterion.usual();
    private ScalePenalty penalty = ScalePenalty.NONE;
    private List<ColumnRange> ranges = List.of();
    private int iterations = MOST_ITERATIONS;
    private double tolerance = USUAL_TOLERANCE;
    private boolean sampling = true;
    private @Nullable KernelModel start;

    private KernelLearning(KernelMachine machine) {
        this.machine = machine;
    }

    private KernelLearning(KernelLearning from) {
        machine = from.machine;
        sharing = from.sharing;
        criterion = from.criterion;
        penalty = from.penalty;
        ranges = from.ranges;
        iterations = from.iterations;
        tolerance = from.tolerance;
        sampling = from.sampling;
        start = from.start;
    }

    /** Learns the kernel of a machine, one scale a column, by cross-validation; then the machine learns a model with it. */
    public static KernelLearning of(KernelMachine machine) {
        return new KernelLearning(machine);
    }

    /** Which scales move together. */
    public KernelLearning withSharing(Sharing chosen) {
        KernelLearning copy = new KernelLearning(this);
        copy.sharing = chosen;
        return copy;
    }

    /** What scales are judged by. */
    public KernelLearning withCriterion(Criterion chosen) {
        KernelLearning copy = new KernelLearning(this);
        copy.criterion = chosen;
        return copy;
    }

    /** Sets the criterion by its spelling, such as {@code loo} or {@code cv(folds=10)}. */
    public KernelLearning withCriterion(String chosen) {
        return withCriterion(Criterion.parse(chosen));
    }

    /** What scales cost. */
    public KernelLearning withScalePenalty(double l1, double l2) {
        KernelLearning copy = new KernelLearning(this);
        copy.penalty = new ScalePenalty(l1, l2);
        return copy;
    }

    /** The ranges of columns that {@link Sharing#RANGE} is about; without this, those of the kernel's own length-scales. */
    public KernelLearning withRanges(List<ColumnRange> ranges) {
        KernelLearning copy = new KernelLearning(this);
        copy.ranges = List.copyOf(ranges);
        return copy;
    }

    /** Makes so many iterations at most, on all rows. */
    public KernelLearning withIterations(int most) {
        KernelLearning copy = new KernelLearning(this);
        copy.iterations = Require.atLeast("kernel learning", "iterations", most, 0);
        return copy;
    }

    /** Ends once three iterations together took less than this part off the criterion. */
    public KernelLearning withTolerance(double relative) {
        KernelLearning copy = new KernelLearning(this);
        copy.tolerance = Require.notNegative("kernel learning", "tolerance", relative);
        return copy;
    }

    /** Whether to begin on a sample of the rows, where there are many; otherwise all iterations are on all rows. */
    public KernelLearning withSampling(boolean begin) {
        KernelLearning copy = new KernelLearning(this);
        copy.sampling = begin;
        return copy;
    }

    /**
     * Continues from a model, such as one that kernel learning wrote before it was stopped: its scaling, map and
     * length-scales are taken over.
     *
     * @throws BochnerException if the machine has another kernel, number of features or seed than the model
     */
    public KernelLearning withStart(KernelModel model) {
        if (!machine.kernel().hasFamiliesOf(model.map().kernel())) {
            throw new BochnerException("the model's kernel is " + model.map().kernel() + ", not " + machine.kernel()
                    + "; leave the kernel out, or start anew");
        }
        int features = model.map().outputDimension();
        // Cosines come with sines, so there may be one feature more or less than asked for.
        if (Math.abs(machine.features().orElse(features) - features) > 1) {
            throw new BochnerException("the model has " + features + " features, not "
                    + machine.features().getAsInt() + "; leave the number of features out, or start anew");
        }
        long seed = model.training().seed().value();
        if (seed != machine.seed().value()) {
            throw new BochnerException(
                    "the model was learned with another seed, so that other rows were held out and in each fold",
                    Remedy.set(Setting.SEED, Long.toString(seed), "to go on with the same rows"));
        }
        KernelLearning copy = new KernelLearning(this);
        copy.start = model;
        return copy;
    }

    KernelMachine machine() {
        return machine;
    }

    Sharing sharing() {
        return sharing;
    }

    Criterion criterion() {
        return criterion;
    }

    ScalePenalty penalty() {
        return penalty;
    }

    List<ColumnRange> ranges() {
        return ranges;
    }

    int iterations() {
        return iterations;
    }

    double tolerance() {
        return tolerance;
    }

    boolean sampling() {
        return sampling;
    }

    @Nullable
    KernelModel start() {
        return start;
    }

    /** Learns on all processors, telling nobody. */
    public LearnedKernel learn(RowSource source) {
        return learn(source, Workers.all(), Progress.NONE);
    }

    /** Learns the kernel, without a model; notes receive sentences on choices that were made. */
    Transformer transformer(RowSource source, Workers workers, Progress progress, Notes notes) {
        return new ScaleSearch(this, source, workers, progress).transformer(notes);
    }

    /** Learns the kernel, and then a model with it. */
    public LearnedKernel learn(RowSource source, Workers workers, Progress progress) {
        return new ScaleSearch(this, source, workers, progress).run();
    }
}
