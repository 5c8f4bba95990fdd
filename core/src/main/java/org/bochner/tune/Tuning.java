package org.bochner.tune;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.tune.search.Candidate;
import org.bochner.tune.search.Measure;
import org.jspecify.annotations.Nullable;

/**
 * The search for the best machine of a table: scaling, kernel, map, learner and learned scales, by successive halving.
 * Immutable; change it with the {@code with} methods, then {@link #search} a source.
 *
 * <pre>{@code
 * TuningResult result = Tuning.of(KernelMachine.of("gaussian"))
 *         .withTrials(20)
 *         .search(FileSource.open(DataOptions.of("train.csv")));
 * result.trained().model();    // the best machine, trained on all rows
 * result.leaderboard();        // all machines with their errors
 * }</pre>
 *
 * <p>All machines are trained on a small sample of the rows and tested on held-out rows of it. Those that do well are tested
 * on larger samples, and at last on several folds of all rows. All machines are tested on the same rows. The search has at
 * least the default of training, and compares the best machine with a linear model and with a constant.
 *
 * <p>The result depends on the rows, the seed and the number of trials, unless there is a {@linkplain #withBudget budget} of
 * time.
 *
 * <p>Memory: that of one training, and a quarter of the heap at most for the rows of the samples.
 */
public final class Tuning {
    private static final String OWNER = "tuning";
    private static final int DEFAULT_TRIALS = 24;

    // Only the with methods write these fields, on a copy that nobody else has seen.
    final KernelMachine machine;
    OptionalInt trials = OptionalInt.empty();

    @Nullable
    Duration budget;

    @Nullable
    Measure measure;

    @Nullable
    Scaling scaling;

    @Nullable
    Path log;

    boolean resumes;
    boolean ensemble;
    LongSupplier clock = System::nanoTime;
    /** The candidates to try first; null for those that suit the rows. */
    @Nullable
    List<Candidate> candidates;

    private Tuning(KernelMachine machine) {
        this.machine = machine;
    }

    /**
     * Creates a search.
     *
     * @param machine the machine whose class weights, precision, seed and memory all machines of the search have. Its kernel,
     *     map, scaling and learner are replaced
     */
    public static Tuning of(KernelMachine machine) {
        return new Tuning(machine);
    }

    private Tuning with(Consumer<Tuning> change) {
        Tuning copy = new Tuning(machine);
        copy.trials = trials;
        copy.budget = budget;
        copy.measure = measure;
        copy.scaling = scaling;
        copy.log = log;
        copy.resumes = resumes;
        copy.ensemble = ensemble;
        copy.clock = clock;
        copy.candidates = candidates;
        change.accept(copy);
        return copy;
    }

    /**
     * Sets the number of machines to try, besides the constant and the linear model. [default: 24, or as many as fit into the
     * budget]
     */
    public Tuning withTrials(int count) {
        return with(copy -> copy.trials = OptionalInt.of(Require.atLeast(OWNER, "trials", count, 1)));
    }

    /**
     * Sets the wall time of the search, with the training of the best machine on all rows. The default of training is always
     * tested and the best machine is always trained, even if this takes longer. The machines that are tried then depend on the
     * speed of the computer.
     */
    public Tuning withBudget(Duration time) {
        Require.that(!time.isNegative() && !time.isZero(), OWNER, "the budget must be positive, got " + time);
        return with(copy -> copy.budget = time);
    }

    /**
     * Sets the error that machines are compared by: {@code error} (the default for classes), {@code balanced-error},
     * {@code rmse} (the default for numbers) or {@code mae}.
     */
    public Tuning withMetric(String name) {
        return with(copy -> copy.measure = Measure.parse(name));
    }

    /** Throws if the metric is not one for the labels; {@link #search} does too. */
    public void requireMetric(Labels labels) {
        if (measure != null) {
            measure.requireFits(labels);
        }
    }

    /**
     * Sets whether the best machines are averaged, with weights of at least 0 that are fitted to their scores of held-out rows.
     * The average is the result if its error on held-out rows is smaller than that of the best machine; these errors are those
     * of rows that took no part in choosing the members and their weights. [default: false]
     */
    public Tuning withEnsemble(boolean averaged) {
        return with(copy -> copy.ensemble = averaged);
    }

    /** Sets the scaling of all machines. By default, each machine has its own. */
    public Tuning withScaling(Scaling chosen) {
        Scaling unused = Scalings.parse(chosen.toString());
        return with(copy -> copy.scaling = chosen);
    }

    /**
     * Writes the result of every test to a new file, from which the search can be resumed. If the file cannot be written
     * during the search, the search goes on without it.
     */
    public Tuning withLog(Path file) {
        return with(copy -> {
            copy.log = file;
            copy.resumes = false;
        });
    }

    /**
     * Continues the search of a log: tests that it contains are not repeated, and further tests are appended. Rows, metric,
     * scaling, seed and the settings of the machine must be those of the log; the number of trials and the budget may differ.
     */
    public Tuning withResumedLog(Path file) {
        return with(copy -> {
            copy.log = file;
            copy.resumes = true;
        });
    }

    /** Sets the clock of the budget, in nanoseconds. */
    Tuning withClock(LongSupplier nanos) {
        return with(copy -> copy.clock = nanos);
    }

    /** Sets the candidates to try first. */
    Tuning withCandidates(List<Candidate> first) {
        return with(copy -> copy.candidates = List.copyOf(first));
    }

    int trials() {
        return trials.orElse(budget == null ? DEFAULT_TRIALS : Integer.MAX_VALUE);
    }

    /** Searches on all processors, without progress reports. */
    public TuningResult search(RowSource source) {
        return search(source, Workers.all(), new Listener() {
            @Override
            public void report(String stage, long rows, double fraction) {}
        });
    }

    /**
     * Searches for the best machine and trains it on all rows.
     *
     * @param listener receives the progress. If it asks to stop, the best machine so far is trained
     */
    public TuningResult search(RowSource source, Workers workers, Listener listener) {
        return new TuningRun(this, source.forTraining(), workers, listener).run();
    }

    /** Receives the progress of a search. */
    public interface Listener extends Progress {
        /**
         * Reports the trials after a test.
         *
         * @param leaderboard the trials so far, the best ones first
         * @param tested the number of machines that were tested so far
         */
        default void standings(List<TuningResult.Trial> leaderboard, int tested) {}

        /** Reports that the search has ended and the best machine is trained on all rows. */
        default void training(TuningResult.Trial winner) {}
    }
}
