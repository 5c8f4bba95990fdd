package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowCount;
import org.bochner.data.sample.ThinnedRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.Statistics;
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
 * <p>Cost: ten to fourteen fits of {@value #FEATURES} features to at most {@value #MOST_ROWS} rows, for any number of rows.
 * Memory: the sampled rows. The result depends on the rows, the seed, class weights and the precision, not on the number
 * of features. It depends on the map for rough kernels: with landmarks and exact machines, the features here are kernel
 * values at landmarks. Random binning maps are compared with grids of their own, on a quarter of about 24,000 rows, from three
 * starting scales.
 */
public final class ScaleChoice {
    private static final int FEATURES = 512;
    private static final int FOLDS = 3;
    private static final int LEAST_ROWS = 3000;
    private static final int MOST_ROWS = 6000;

    /** The largest mean number of local rows per set of the sample. */
    private static final double SET_ROWS = 100;

    /** The largest number of local rows of all sampled sets together, about. */
    private static final double MOST_LOCAL_ROWS = 100_000;

    /** The allowed error of maps of additive kernels; candidates differ by more. */
    private static final double MAP_ERROR = 0.1;

    /** The sample has one row in this many, within the bounds above. */
    private static final int SAMPLED_SHARE = 8;

    /** With fewer rows, fold errors are too noisy, and scales are measured instead. */
    private static final int FEWEST_ROWS = 50;

    /** Candidates within this factor of the smallest error at the measured scale are also tried at half of it. */
    private static final double NEAR = 1.25;

    /**
     * A candidate replaces an earlier one if its error is below this share of the earlier error; ties go to the first.
     */
    private static final double MARGIN = 0.97;

    /**
     * Columns are taken to share a unit if the error without scaling is within this factor of the standardised error.
     */
    private static final double ONE_UNIT = 1.1;

    /**
     * Columns are taken to have different units if one column's largest value exceeds the median column's by this
     * factor.
     */
    static final double MOST_APART = 100;

    /** With up to this many columns, further scalings are tried even if the columns share a unit: they cost little. */
    private static final int FEW_COLUMNS = 100;

    /**
     * The share by which the error must fall for a scale that is longer by √2. The sample has fewer rows and features
     * than the fit, which favours longer scales.
     */
    private static final double LONGER = 0.01;

    /** Scales stay within 2^(±FURTHEST/2) of the measured ones. */
    private static final int FURTHEST = 12;

    /** The largest size of a matrix in the dual, which takes n³ operations; larger candidates are left out. */
    private static final int MOST_SIZE = 15_000;

    /** Scalings for columns with long tails or outliers. */
    private static final List<Scaling> OF_TAILS = List.of(
            Scalings.chain(List.of(Scalings.log1p(), Scalings.standard())),
            Scalings.chain(List.of(Scalings.clip(0.01), Scalings.standard())),
            Scalings.quantile());

    private final TrainingSettings settings;
    private final @Nullable Initial initial;
    private final RowSource source;
    /** The rows that the kernel compares: those of the source, or the local rows of its sets. */
    private final RowSource local;

    private final Workers workers;
    private final Progress progress;
    private final Seed seed;
    /** The grids with which kernels are compared; null if the map has none. */
    private final @Nullable BinningRecipe grids;

    private final List<Attempt> attempts = new ArrayList<>();
    private long sourceRows;

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
        local = source.localRows();
        this.workers = workers;
        this.progress = progress;
        seed = settings.seed.derive("scale choice");
        grids = CellPass.compared(settings, source);
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

    private static Kernel scaled(KernelRecipe kernel, RowSample rows, double[] factors) {
        double[] scales = kernel.measure(rows);
        Arrays.setAll(scales, s -> scales[s] * factors[s]);
        return kernel.withScales(scales);
    }

    /** Runs the search; returns null if there are too few rows or no candidate can be fitted. */
    @Nullable
    Choice run() {
        progress.report("choosing scaling and bandwidth", 0, Double.NaN);
        sourceRows = RowCount.of(source);
        MemorySource sample = sample();
        if (sample.rows() < FEWEST_ROWS) {
            obstacle = "; cross-validation needs at least " + FEWEST_ROWS + (source.ofSets() ? " sets" : " rows");
            return null;
        }
        List<Candidate> candidates = candidates(sample);
        double least =
                candidates.stream().mapToDouble(this::validationError).min().orElseThrow();
        if (least == Double.POSITIVE_INFINITY) {
            return null;
        }
        Attempt best = attempt(candidates.get(0), candidates.get(0).start());
        for (Candidate candidate : candidates) {
            Attempt own = attempt(candidate, candidate.start());
            if (grids != null) {
                // The best length-scales of random grids are far shorter than the measured ones, by a factor that
                // differs
                // between scalings. Near the measured ones, errors are noisy, because few grids have more than a few
                // cells.
                for (int step : CellPass.STARTS) {
                    int[] shorter = candidate.start();
                    Arrays.fill(shorter, step);
                    own = better(own, attempt(candidate, shorter));
                }
                own = walk(own, all(own), 2);
            } else if (own.error <= NEAR * least && own.steps.length > 0) {
                int[] half = candidate.start();
                Arrays.fill(half, -2);
                own = better(own, attempt(candidate, half));
                if (comparesLandmarks(settings, candidate.kernel.withUnitScales())) {
                    // The best scales of rough kernels are far from the measured ones, and differ between scalings.
                    own = walk(own, all(own), 2);
                }
            }
            boolean wins = own.candidate == best.candidate || own.error < MARGIN * best.error;
            best = wins ? own : best;
        }
        boolean[] all = all(best);
        best = walk(best, all, 2);
        best = walk(best, all, 1);
        for (int s = 0; s < all.length && all.length > 1; s++) {
            boolean[] one = new boolean[all.length];
            one[s] = true;
            best = walk(best, one, 2);
        }
        boolean kept = initial != null && best.candidate != candidates.get(0);
        String reason = reason(sample, candidates) + (kept ? "; the learned length-scales are not better" : "");
        return new Choice(best.candidate.kernel, best.candidate.scaling, best.factors(), reason);
    }

    /** Returns true if kernels are compared with the map of the machine, or with landmarks in place of an exact one. */
    public static boolean comparesOwnMaps(TrainingSettings settings, RowSource source) {
        return CellPass.compared(settings, source) != null
                || comparesLandmarks(settings, settings.kernel.withUnitScales());
    }

    /**
     * Returns true if landmarks stand in for the kernel. The errors of random features of a rough kernel would favour
     * scales that are much too long for landmarks and exact machines.
     */
    private static boolean comparesLandmarks(TrainingSettings settings, Kernel kernel) {
        return (settings.map instanceof LandmarkRecipe || !settings.map.makesFeatures()) && RoughMap.isRough(kernel);
    }

    /** Returns the reason why there was no search, as the end of a sentence for the user; empty if there was one. */
    String obstacle() {
        return obstacle;
    }

    private static boolean[] all(Attempt attempt) {
        boolean[] all = new boolean[attempt.steps.length];
        Arrays.fill(all, true);
        return all;
    }

    private double validationError(Candidate candidate) {
        return attempt(candidate, candidate.start()).error;
    }

    /** Samples rows one by one, regardless of groups, to get about the wanted number. Of large sets, some rows are taken. */
    private MemorySource sample() {
        double wanted = grids == null
                ? Math.max(LEAST_ROWS, Math.min(MOST_ROWS, sourceRows / SAMPLED_SHARE))
                : CellPass.SAMPLED;
        Seed rows = seed.derive("rows");
        RowSource from = source;
        if (source.ofSets()) {
            double size = (double) RowCount.of(local) / sourceRows;
            wanted = Math.min(wanted, MOST_LOCAL_ROWS / Math.min(size, SET_ROWS));
            from = size <= SET_ROWS ? source : new ThinnedRows(local, SET_ROWS / size, rows.derive("members")).bySet();
        }
        double share = wanted / sourceRows;
        return MemorySource.load(from, row -> rows.derive(row).unit() < share);
    }

    private List<Candidate> candidates(MemorySource sample) {
        Scaling given = settings.scaling;
        if (given != null) {
            Candidate own = new Candidate(settings.kernel, given, sample);
            if (initial == null) {
                return List.of(own);
            }
            KernelRecipe kernel = initial.kernel();
            Scaling scaling = GridKernel.besideCategories(initial.scaling(), settings, kernel, local);
            return List.of(own, new Candidate(kernel, scaling, sample));
        }
        RowSample rows = RowSample.of(sample.localRows(), seed);
        boolean nonNegative = rows.nonNegative();
        List<Candidate> candidates = new ArrayList<>();
        for (Scaling scaling : scalings()) {
            candidates.add(new Candidate(
                    settings.kernel, GridKernel.besideCategories(scaling, settings, settings.kernel, local), sample));
        }
        boolean tables = !local.sparse() && candidates.size() > 1;
        // The scalings for random grids leave out categories anyway.
        boolean categories = grids == null && !GridKernel.categories(local).isEmpty();
        // A row sum over different units has no meaning: unit-l1 is tried only if columns share a unit.
        boolean oneUnit = local.sparse()
                || (!categories
                        && alikeRanges(rows)
                        && validationError(candidates.get(candidates.size() - 1))
                                <= ONE_UNIT * validationError(candidates.get(0)));
        if (nonNegative && settings.kernel.takesAnyUnit() && oneUnit) {
            Scaling unit = GridKernel.besideCategories(Scalings.unitL1(), settings, settings.kernel, local);
            candidates.add(new Candidate(settings.kernel, unit, sample));
        }
        // Standardised columns of rare categories outweigh all others, and clipped ones are constant.
        List<Scaling> others = new ArrayList<>(categories ? List.of(Scalings.standard()) : List.of());
        others.addAll(!oneUnit || local.columns() <= FEW_COLUMNS ? OF_TAILS : List.of());
        for (Scaling scaling : tables ? others : List.<Scaling>of()) {
            Scaling beside = categories
                    ? GridKernel.ofNumbers(scaling, local)
                    : GridKernel.besideCategories(scaling, settings, settings.kernel, local);
            candidates.add(new Candidate(settings.kernel, beside, sample));
        }
        // The kernel of counts takes no negative values, so all rows are checked. Its map determines the number of
        // features, so the user must have set neither features nor map.
        if (settings.kernelIsOpen
                && settings.features.isEmpty()
                && settings.map instanceof AutoRecipe
                && local.sparse()
                && nonNegative
                && RowSample.of(local, seed).nonNegative()) {
            candidates.add(new Candidate(KernelRecipe.of(Kernels.chi2()), Scalings.unitL1(), sample));
        }
        return candidates;
    }

    /** Returns true if no column's largest value is far above that of most columns. */
    static boolean alikeRanges(RowSample rows) {
        double[] highest = IntStream.range(0, rows.columns())
                .mapToDouble(column ->
                        rows.interval(column).map(RowSample.Interval::high).orElse(0.0))
                .sorted()
                .toArray();
        return highest[highest.length - 1] <= MOST_APART * highest[highest.length / 2];
    }

    /** Returns the scalings that do not mix columns; ties go to the first. */
    private List<Scaling> scalings() {
        boolean any = settings.kernel.takesAnyValue() && settings.kernel.takesAnyUnit();
        if (!any) {
            return List.of(Scalings.none());
        }
        return local.sparse()
                ? List.of(Scalings.none(), Scalings.unitL2())
                : List.of(Scalings.standard(), Scalings.none());
    }

    private static Attempt better(Attempt one, Attempt other) {
        return other.error < one.error ? other : one;
    }

    /**
     * Moves some scales in steps of √2 while the error falls: upwards, or downwards if no step up helps; with random grids,
     * downwards first.
     */
    @SuppressWarnings("ReferenceEquality") // better returns one of its arguments
    private Attempt walk(Attempt from, boolean[] moved, int step) {
        // Rough kernels need short length-scales, and errors with few grids are too noisy to tell from one step up.
        int first = grids == null ? step : -step;
        for (int move : new int[] {first, -first}) {
            Attempt best = from;
            Attempt next = from;
            while (next == best) {
                int[] steps = best.steps.clone();
                boolean within = moved.length > 0;
                for (int s = 0; s < steps.length; s++) {
                    steps[s] += moved[s] ? move : 0;
                    within &= Math.abs(steps[s]) <= FURTHEST;
                }
                if (!within) {
                    break;
                }
                next = attempt(best.candidate, steps);
                best = better(best, next);
            }
            if (best != from) {
                return best;
            }
        }
        return from;
    }

    private Attempt attempt(Candidate candidate, int[] steps) {
        for (Attempt attempt : attempts) {
            if (attempt.candidate == candidate && Arrays.equals(attempt.steps, steps)) {
                return attempt;
            }
        }
        double longer = 0;
        for (int s = 0; s < steps.length; s++) {
            longer += (candidate.lengths.get(s) ? steps[s] : -steps[s]) / (double) steps.length;
        }
        double measured = candidate.error(factors(steps));
        Attempt attempt = new Attempt(candidate, steps, measured * StrictMath.pow(1 + LONGER, longer), measured);
        attempts.add(attempt);
        return attempt;
    }

    private String reason(MemorySource sample, List<Candidate> candidates) {
        String tried = String.format(
                Locale.ROOT,
                grids == null ? "by cross-validation on %,d %s, of %d " : "on a quarter of %,d %s, held out, of %d ",
                sample.rows(),
                source.ofSets() ? "sets" : "rows",
                attempts.size());
        if (candidates.size() == 1) {
            return tried + "bandwidths tried";
        }
        String errors = candidates.stream()
                .filter(candidate -> least(candidate) < Double.POSITIVE_INFINITY)
                .map(candidate -> String.format(Locale.ROOT, "%s %.3g", candidate.name(candidates), least(candidate)))
                .collect(Collectors.joining(", "));
        return tried + "combinations of scaling and bandwidth tried; squared errors as shares of the variance: "
                + errors + " (a candidate replaces an earlier one only if its error is at least 3% lower)";
    }

    /** Returns the measured error of the best attempt with a candidate. */
    private double least(Candidate candidate) {
        return attempts.stream()
                .filter(attempt -> attempt.candidate == candidate)
                .min(Comparator.comparingDouble(Attempt::error))
                .map(Attempt::measured)
                .orElse(Double.NaN);
    }

    /**
     * A candidate with given scales.
     *
     * @param error the error that is compared, which is larger for longer scales
     * @param measured the squared error as a share of the variance
     */
    @SuppressWarnings("ArrayRecordComponent") // private, and never changed
    private record Attempt(Candidate candidate, int[] steps, double error, double measured) {
        double[] factors() {
            return ScaleChoice.factors(steps);
        }
    }

    private static double[] factors(int[] steps) {
        return Arrays.stream(steps)
                .mapToDouble(step -> StrictMath.pow(2, step / 2.0))
                .toArray();
    }

    /** A kernel and a scaling, with the scaled sample. */
    private final class Candidate {
        private final KernelRecipe kernel;
        private final Scaling scaling;
        private final MemorySource sample;
        private final List<Boolean> lengths;
        private @Nullable Scaler scaler;
        private @Nullable RowSample rows;
        private @Nullable MapRecipe map;

        Candidate(KernelRecipe kernel, Scaling scaling, MemorySource sample) {
            this.kernel = kernel;
            this.scaling = scaling;
            this.sample = sample;
            lengths = kernel.openLengths();
        }

        int[] start() {
            return new int[kernel.openLengths().size()];
        }

        /** Returns the name that distinguishes this candidate from the others. */
        String name(List<Candidate> others) {
            boolean oneKernel = others.stream().allMatch(other -> other.kernel.equals(kernel));
            return oneKernel ? scaling.toString() : kernel + " with " + scaling;
        }

        /** Returns the cross-validated error with the best penalty; infinite if the candidate cannot be fitted. */
        double error(double[] factors) {
            try {
                double error = crossValidated(factors);
                // NaN if all targets of the sample are equal.
                return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
            } catch (SpellingException e) {
                // A wrong spelling is wrong for every candidate.
                throw e;
            } catch (BochnerException e) {
                // Another candidate may fit. If none does, the caller measures scales and reports the failure.
                return Double.POSITIVE_INFINITY;
            }
        }

        private double crossValidated(double[] factors) {
            if (scaler == null || rows == null) {
                scaler = scaling.fit(sample.localRows(), workers);
                rows = TrainingContext.sample(settings, kernel, sample.localRows(), scaler);
            }
            Kernel fitted = scaled(kernel, rows, factors);
            if (grids != null) {
                double lambda = penalty();
                Learner ridge = lambda > 0 ? Learner.ridge().withLambda(lambda) : Learner.ridge();
                return new CellPass(grids, sample, scaler, workers)
                        .heldOutError(fitted, ridge, settings.classWeighting.of(sample), seed);
            }
            // The number of features of additive kernels follows from their maps.
            OptionalInt features = factors.length == 0
                    ? OptionalInt.empty()
                    : OptionalInt.of(Math.min(FEATURES, settings.features.orElse(FEATURES)));
            if (comparesLandmarks(settings, fitted)) {
                int landmarks = Math.min(features.orElse(FEATURES), rows.rows());
                features = OptionalInt.empty();
                map = LandmarkRecipe.whitened(landmarks);
            }
            if (map == null) {
                map = new AutoRecipe(MAP_ERROR).chosen(fitted, rows, features, new Notes());
            }
            Transformer transformer = new Transformer(
                    scaler, map.build(fitted, rows, features, seed.derive("map"), new Notes(), workers));
            ClassWeights weights = settings.classWeighting.of(sample);
            double penalty = penalty();
            DualPass dual = new DualPass(sample, transformer, workers, new PassTimes());
            if (dual.isSmaller(new Notes())) {
                if (Math.min(sourceRows, transformer.map().outputDimension()) > MOST_SIZE) {
                    return Double.POSITIVE_INFINITY;
                }
                DualStatistics statistics = dual.run(weights, Progress.NONE);
                PathPoint point = penalty > 0
                        ? Ridge.validate(statistics, penalty, workers)
                        : Ridge.bestPenalty(statistics, Precision.FLOAT64, workers);
                return point.validationError() / spread(statistics);
            }
            Precision precision = settings.precision;
            FoldedStatistics folds = new GramPass(sample, transformer, workers)
                    .fold(Folds.of(FOLDS, seed), FOLDS, weights, precision, Progress.NONE);
            PathPoint point = penalty > 0
                    ? Ridge.validate(folds, penalty, workers)
                    : Ridge.bestPenalty(folds, precision, workers);
            return point.validationError() / spread(folds.total());
        }

        /** Returns the learner's penalty, scaled to the number of sampled rows; 0 if the penalty is automatic. */
        private double penalty() {
            Learner learner = settings.learner;
            return learner.isAuto() ? 0 : Formulation.of(learner).l2() * sample.rows() / sourceRows;
        }

        /** Returns the mean squared error per output of predicting the mean target. */
        private static double spread(Statistics statistics) {
            OutputCoding outputs = OutputCoding.of(statistics.labels());
            double squares = 0;
            for (int o = 0; o < outputs.count(); o++) {
                squares += outputs.scale() * outputs.scale() * statistics.targetScatter(outputs.target(o));
            }
            return squares / (statistics.totalRowWeight() * outputs.count());
        }
    }
}
