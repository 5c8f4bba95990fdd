package org.bochner.model.train;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bochner.data.MemorySource;
import org.bochner.data.RowChoice;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.data.sample.ThinnedRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.model.Progress;
import org.bochner.model.train.ScaleWalk.Attempt;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the scaling and the missing scales of a kernel, and for sparse counts one of two kernels, by the
 * cross-validated error of ridge regression on a sample of the rows. Each candidate has its best penalty, or the l2
 * penalty that was given to the learner.
 *
 * <p>Scales are multiples of the scales that {@link KernelRecipe#measure} returns. Every scaling is tried at the
 * measured scale, and scalings near the best also at half of it. From the best, the search descends by factors of
 * two, then of √2: with all missing scales together, then with each on its own.
 *
 * <p>If each row is a set of local rows, scaling and scales are those of the local rows, and the errors are those of sets.
 *
 * <p>Cost: 10 to 15 fits of {@value Comparison#FEATURES} random features to at most {@value Comparison#MOST_ROWS} rows for a
 * kernel of one scale and any number of rows, 11 to 21 with landmarks and 12 to 28 with random grids, which try every scaling at
 * its best scales. Memory: the sampled rows.
 *
 * <p>The result depends on the rows, the seed, class weights and the precision, not on the number of features. It depends on the
 * map for rough kernels: with landmarks and exact machines, the features here are kernel values at landmarks. Random binning maps
 * are compared with grids of their own, on up to {@value CellPass#SAMPLED} rows, from three starting scales; until the last steps
 * on {@value CellPass#FIRST} of them, if these are much fewer.
 */
public final class ScaleChoice {
    /** The largest mean number of local rows per set of the sample. */
    private static final double SET_ROWS = 100;

    /** The largest number of local rows of all sampled sets together, about. */
    private static final double MOST_LOCAL_ROWS = 100_000;

    /** With fewer rows, fold errors are too noisy, and scales are measured instead. */
    private static final int FEWEST_ROWS = 50;

    /**
     * A candidate replaces an earlier one if its error is below this share of the earlier error; ties go to the first.
     */
    private static final double MARGIN = 0.97;

    private final TrainingSettings settings;
    private final @Nullable Initial initial;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Seed seed;
    private final ScaleWalk walk = new ScaleWalk();
    private String obstacle = "";

    /**
     * Creates a choice.
     *
     * @param initial the kernel before its scales were learned, which is chosen if its error is lower; null if the kernel was
     *     not learned
     */
    ScaleChoice(
            TrainingSettings settings,
            @Nullable Initial initial,
            RowSource source,
            Workers workers,
            Progress progress) {
        this.settings = settings;
        this.initial = initial;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        seed = settings.seed.derive("scale choice");
        if (settings.map instanceof BinningRecipe recipe) {
            recipe.requireGrids(settings.kernel.withUnitScales(), source.columns());
        }
    }

    /** A kernel and the scaling of its rows before scales were learned. */
    public record Initial(KernelRecipe kernel, Scaling scaling) {}

    /**
     * The chosen kernel and scaling.
     *
     * @param factors the factor of each measured scale
     * @param reason the reason of the choice, as a sentence for the user
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Choice(KernelRecipe kernel, Scaling scaling, double[] factors, String reason) {
        /** Returns the kernel, with its scales measured on scaled rows. */
        Kernel kernel(RowSample rows) {
            return scaled(kernel, rows, factors);
        }
    }

    /** Returns a kernel with its scales measured on scaled rows, times factors. */
    static Kernel scaled(KernelRecipe kernel, RowSample rows, double[] factors) {
        double[] scales = kernel.measure(rows);
        Arrays.setAll(scales, s -> scales[s] * factors[s]);
        return kernel.withScales(scales);
    }

    /** Runs the search; returns null if there are too few rows or no candidate can be fitted. */
    @Nullable
    Choice run() {
        progress.report("choosing scaling and bandwidth", 0, Double.NaN);
        long sourceRows = RowCount.of(source);
        Comparison comparison = Comparison.of(settings, source, settings.kernel.withUnitScales());
        MemorySource rows = sample(comparison, sourceRows);
        if (rows.rows() < FEWEST_ROWS) {
            obstacle = "; cross-validation needs at least " + FEWEST_ROWS + " " + objects();
            return null;
        }
        ScaleSample whole = new ScaleSample(settings, rows, sourceRows, workers, seed);
        Optional<ScaleSample> first = whole.first(comparison.firstRows());
        ScaleSample sample = first.orElse(whole);
        List<ScaleCandidate> candidates = new ScalingCandidates(sample, source, initial).list(this::measuredError);
        double least =
                candidates.stream().mapToDouble(this::measuredError).min().orElseThrow();
        if (least == Double.POSITIVE_INFINITY) {
            return null;
        }
        ScaleCandidate usual = candidates.get(0);
        Attempt best = walk.at(usual, 0);
        for (ScaleCandidate candidate : candidates) {
            Attempt own = candidate.comparison().start(walk, candidate, least);
            boolean wins = own.candidate() == best.candidate() || own.error() < MARGIN * best.error();
            best = wins ? own : best;
        }
        best = walk.moveAll(best, 2);
        ScaleCandidate chosen = best.candidate();
        if (first.isPresent()) {
            best = walk.again(best, chosen.on(whole));
        }
        best = walk.moveAll(best, 1);
        best = walk.moveEach(best, 2);
        boolean kept = initial != null && chosen != usual;
        String reason = reason(comparison, sample.rows().rows(), candidates)
                + (first.isPresent() && best.scales() > 0
                        ? String.format(Locale.ROOT, "; the last steps on %,d %s", rows.rows(), objects())
                        : "")
                + (kept ? "; the learned length-scales are not better" : "");
        return new Choice(chosen.kernel(), chosen.scaling(), best.factors(), reason);
    }

    private double measuredError(ScaleCandidate candidate) {
        return walk.at(candidate, 0).error();
    }

    /** Returns true if kernels are compared with the map of the machine, or with landmarks in place of an exact one. */
    public static boolean comparesOwnMaps(TrainingSettings settings, RowSource source) {
        return Comparison.of(settings, source, settings.kernel.withUnitScales()).usesOwnMap();
    }

    /** Returns the reason why there was no search, as the end of a sentence for the user; empty if there was one. */
    String obstacle() {
        return obstacle;
    }

    /** Samples rows one by one, regardless of groups, to get about the wanted number. Of large sets, some rows are taken. */
    private MemorySource sample(Comparison comparison, long sourceRows) {
        double wanted = comparison.sampledRows(sourceRows);
        Seed rows = seed.derive("rows");
        RowSource from = source;
        if (source.ofSets()) {
            RowSource local = source.localRows();
            double size = (double) RowCount.of(local) / sourceRows;
            wanted = Math.min(wanted, MOST_LOCAL_ROWS / Math.min(size, SET_ROWS));
            from = size <= SET_ROWS ? source : new ThinnedRows(local, SET_ROWS / size, rows.derive("members")).bySet();
        }
        double share = wanted / sourceRows;
        return MemorySource.load(from, new RowChoice.Share(rows, share));
    }

    /** Returns the word for what is sampled. */
    private String objects() {
        return source.ofSets() ? "sets" : "rows";
    }

    private String reason(Comparison comparison, long rows, List<ScaleCandidate> candidates) {
        String tried = String.format(Locale.ROOT, comparison.method(rows) + ", of %d ", rows, objects(), walk.count());
        if (candidates.size() == 1) {
            return tried + "bandwidths tried";
        }
        String errors = candidates.stream()
                .filter(candidate -> walk.least(candidate) < Double.POSITIVE_INFINITY)
                .map(candidate ->
                        String.format(Locale.ROOT, "%s %.3g", candidate.name(candidates), walk.least(candidate)))
                .collect(Collectors.joining(", "));
        return tried + "combinations of scaling and bandwidth tried; squared errors as shares of the variance: "
                + errors + " (a candidate replaces an earlier one only if its error is at least 3% lower)";
    }
}
