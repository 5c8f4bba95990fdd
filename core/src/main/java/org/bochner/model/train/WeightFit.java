package org.bochner.model.train;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.memory.MemoryException;
import org.bochner.base.text.Digits;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.Folds;
import org.bochner.learn.Learner;
import org.bochner.learn.discriminant.DiscriminantAnalysis;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.PenaltyChoice;
import org.bochner.learn.solve.SolverKind;
import org.bochner.learn.solve.Training;
import org.bochner.learn.uncertainty.PredictiveFactor;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Precision;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.Components;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FeatureStream;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.JoinedFeatures;
import org.bochner.stats.MappedSource;
import org.bochner.stats.PackedFeatures;
import org.bochner.stats.PrincipalComponents;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Fits the weights for a scaling and a map: chooses between statistics, rows and components, reads the source as
 * often as the learner needs, and counts time and memory.
 */
public final class WeightFit extends FitRoute {
    private static final String FEWER_FEATURES = "use fewer features";

    /** The most features for whose pairs a model file has room. */
    private static final int MOST_GAUSSIAN_FEATURES = 23_000;

    /** The number of digits of a computed number in a note. */
    private static final int SHOWN = 4;

    private final Needs needs;
    private final PenaltyChoice penaltyChoice;
    private final Transformer transformer;
    /** True if the map has no landmarks among the rows that stay aside. */
    private boolean restricted;
    /** The memory for the matrix of a direct solution; tests set less than there is. */
    MemoryBudget whole = MemoryBudget.whole();

    /** Creates a fit, which adds its choices to the notes of the context. */
    public WeightFit(TrainingContext context, Transformer transformer, ClassWeights weights) {
        super(context, weights, context.settings().precision);
        needs = Formulation.of(learner).needs();
        penaltyChoice = Formulation.of(learner).penaltyChoice();
        this.transformer = transformer;
        if (needs instanceof Needs.Statistics && transformer.map().amplifiesRounding()) {
            used = Precision.FLOAT64;
        }
    }

    @Override
    public Learned run() {
        requireGaussian();
        Transformer trained = withoutRowsAside();
        restricted |= leavesRowsAside();
        if (leavesOut(trained, transformer)) {
            int kept = trained.map().outputDimension();
            notes.choice(String.format(
                    Locale.ROOT,
                    "%,d of %,d landmarks were left out, because they are %s set aside",
                    transformer.map().outputDimension() - kept,
                    transformer.map().outputDimension(),
                    objects()));
            WeightFit fit = with(learner, trained);
            fit.restricted = true;
            return counted(fit, fit.run());
        }
        Components components = settings.components;
        if (components != null) {
            return fromComponents(components);
        }
        if (!(needs instanceof Needs.Statistics)) {
            return fromRows(transformer);
        }
        // Whitening sums of products would lose as many digits as their matrix is ill-conditioned; rows lose half of
        // them.
        return transformer.map().amplifiesRounding()
                ? whitened(transformer, this::fromStatistics)
                : fromStatistics(transformer);
    }

    /** Returns true if the fit finds the uncertainty of a Gaussian process. */
    private boolean gaussian() {
        return settings.uncertainty != null && !settings.uncertainty.isConformal();
    }

    /** Throws if the uncertainty of a Gaussian process was asked for, and this map cannot have it. */
    private void requireGaussian() {
        FeatureMap map = transformer.map();
        if (!gaussian()) {
            return;
        }
        if (!map.hasPlainPenalty() || map.amplifiesRounding()) {
            throw UncertaintyFit.refusal(
                    "needs features whose penalty is the plain one",
                    Remedy.set(Setting.MAP, "landmarks(whitened)", "has such features of landmarks"));
        }
        int features = map.outputDimension();
        if (features > MOST_GAUSSIAN_FEATURES) {
            throw UncertaintyFit.refusal(
                    "saves a number per pair of features, at most 2 GiB, and there are " + features + " features",
                    Remedy.set(Setting.FEATURES, "with at most " + MOST_GAUSSIAN_FEATURES));
        }
    }

    /** Finds the uncertainty of a Gaussian process if it was asked for; returns the fit. */
    private LinearFit withGaussian(Transformer from, Statistics statistics, LinearFit fit) {
        if (gaussian()) {
            int features = from.map().outputDimension();
            double needed = bytes + PredictiveFactor.bytesNeeded(features);
            MemoryBudget.whole()
                    .require(
                            needed,
                            "ridge of " + features + " features with the factor of the uncertainty gaussian",
                            FEWER_FEATURES,
                            "choose the uncertainty conformal");
            bytes = (long) needed;
            uncertainty = Uncertainty.gaussian(
                    Objects.requireNonNull(settings.uncertainty),
                    (GramStatistics) statistics,
                    fit.chosen().lambda(),
                    fit.model(),
                    workers);
        }
        return fit;
    }

    /** Returns the scaling and the map without landmarks among the rows that stay aside, which are no training rows. */
    private Transformer withoutRowsAside() {
        return leavesRowsAside() && !restricted
                ? HeldOutLandmarks.without(transformer, source, heldOut().train())
                : transformer;
    }

    /** Returns true if rows are set aside, and the map may lose landmarks; weights to start from are those of all landmarks. */
    private boolean leavesRowsAside() {
        return setsAside() && settings.start == null;
    }

    /** Returns true if the first of two transformers lacks landmarks that the second one has. */
    private static boolean leavesOut(Transformer fewer, Transformer all) {
        return fewer.map().outputDimension() < all.map().outputDimension();
    }

    /** Returns true if rows are set aside from the final fit too. */
    private boolean setsAside() {
        return settings.validation > 0 && !(needs instanceof Needs.Statistics);
    }

    /** Learns from principal components and unfolds the weights to the features. */
    private Learned fromComponents(Components components) {
        if (settings.start != null) {
            throw new BochnerException(
                    "a model to start from has weights of features, not of principal components",
                    Remedy.set(Setting.START, "must be left out"),
                    Remedy.set(Setting.COMPONENTS, "must be left out"));
        }
        FeatureMap map = transformer.map();
        int features = map.outputDimension();
        RowSource unlabelled = settings.unlabelled;
        PcaPass pca = new PcaPass(source, unlabelled, transformer, workers, times);
        int targets = Statistics.targets(source.labels());
        bytes = PcaPass.bytesNeeded(
                map, components.most(features), targets, workers.threads(), used, unlabelled != null);
        MemoryBudget.whole()
                .require((double) bytes, "principal components of " + features + " features", FEWER_FEATURES);
        PrincipalComponents found = pca.run(components, weights, used, progress);
        String counts = String.format(Locale.ROOT, "%,d principal components of %,d features", found.count(), features);
        String share = String.format(Locale.ROOT, "%.1f%%", 100 * found.share());
        String over = unlabelled == null ? "" : " over these rows and those of " + unlabelled.name();
        notes.choice("learned from " + counts + ", which have " + share + " of their variance" + over);
        Transformer reduced = new Transformer(transformer.scaler(), pca.map());
        Learned learned;
        if (!(needs instanceof Needs.Statistics)) {
            learned = fromRows(reduced);
        } else if (penaltyChoice != PenaltyChoice.GIVEN && penaltyChoice != PenaltyChoice.STATISTICS) {
            learned = fromStatistics(reduced);
        } else {
            GramStatistics statistics = pca.statistics(weights, used, progress);
            long solving = System.nanoTime();
            learned = learned(training(reduced, null).fit(statistics, used), statistics.rows(), solving);
        }
        return learned(pca.unfold(learned.fit().model()), learned);
    }

    private Learned learned(LinearFit fit, long rows, long solving) {
        return new Learned(transformer, fit, rows, solving);
    }

    /** Returns a fit with other linear functions, those of the features of the map. */
    private Learned learned(LinearModel model, Learned from) {
        return learned(from.fit().withModel(model), from.rows(), from.solving());
    }

    private MemoryCheck memory() {
        return MemoryCheck.of(settings, source.columns(), Statistics.targets(source.labels()), workers);
    }

    private GramPass pass(RowSource rows, Transformer from) {
        return new GramPass(rows, from, workers).setTimes(times);
    }

    private Learned fromStatistics(Transformer from) {
        DualPass dual = new DualPass(source, from, workers, times);
        Notes choice = new Notes();
        // The uncertainty of a Gaussian process needs the matrix of the features.
        boolean inDual = needs instanceof Needs.GramOrDual && !gaussian() && dual.isSmaller(choice);
        int features = from.map().outputDimension();
        if (mayIterate(dual, features)) {
            String obstacle = inDual ? dual.obstacle(whole) : memory().obstacle(features, used, whole);
            if (obstacle != null) {
                return iterated(from, obstacle);
            }
        }
        Holdout split = split();
        if (split != null) {
            return fromParts(from, split);
        }
        OptionalLong dualRows = dual.rows();
        bytes = inDual ? dual.requireMemory() : memory().requireStatistics(features, used, dualRows);
        if (!inDual && penaltyChoice == PenaltyChoice.CROSS_VALIDATION) {
            notes.addAll(choice.list());
            return fromFolds(from, dualRows);
        }
        GramPass primal = pass(source, from);
        Statistics statistics;
        try {
            statistics = inDual ? dual.run(weights, progress) : primal.run(weights, used, progress);
        } catch (MemoryException e) {
            // The features were more than the memory holds beside the inner products.
            if (!inDual || !mayIterate(dual, features)) {
                throw e;
            }
            return iterated(from, dual.obstacle());
        }
        notes.addAll(choice.list());
        bytes = inDual ? dual.bytesNeeded() : bytes;
        if (!inDual && used == Precision.FLOAT32 && tooCoarse(statistics)) {
            statistics = inFloat64(primal, features, dualRows);
        }
        long solving = System.nanoTime();
        LinearFit fit = solve(from, statistics, inDual ? Precision.FLOAT64 : used);
        if (!inDual && used == Precision.FLOAT32 && tooCoarse(statistics, fit)) {
            statistics = inFloat64(primal, features, dualRows);
            solving = System.nanoTime();
            fit = solve(from, statistics, used);
        }
        return learned(withGaussian(from, statistics, fit), statistics.rows(), solving);
    }

    /**
     * Returns true if ridge regression may be solved by conjugate gradients instead: with sparse features, which are the
     * map's choice and not the user's number, no solver given, and enough memory for the weights.
     */
    private boolean mayIterate(DualPass dual, int features) {
        int targets = Statistics.targets(source.labels());
        return needs instanceof Needs.GramOrDual
                && !gaussian()
                && dual.isSparse()
                && transformer.map().hasPlainPenalty()
                && !learner.hasSolver()
                && whole.holds(Training.conjugateBytes(features, targets, workers.threads()));
    }

    /** Learns by conjugate gradients, which need neither the inner products of the features nor those of the rows. */
    private Learned iterated(Transformer from, String obstacle) {
        WeightFit fit = with(learner.withSolver(SolverKind.CG.toString()), from);
        Learned learned = counted(fit, fit.run());
        double tolerance = learned.fit().convergence().tolerance();
        String penalty =
                learner.isAuto() ? "; " + learner.strengthName() + " was chosen on " + objects() + " set aside" : "";
        notes.choice(
                "ridge was solved by conjugate gradients, up to a relative residual of " + Digits.shortest(tolerance)
                        + ", because " + obstacle + penalty,
                Remedy.set(
                        Setting.LEARNER,
                        learner.withTolerance(tolerance / 100).toString(),
                        "is closer to the exact solution and slower"));
        return learned;
    }

    /** Returns a fit of another learner. */
    private WeightFit with(Learner other, Transformer from) {
        TrainingSettings own = settings.copy();
        own.learner = other;
        return new WeightFit(TrainingContext.of(own, source, workers, progress, notes), from, weights);
    }

    /** Counts the time and memory of another fit; returns its result. */
    private Learned counted(WeightFit fit, Learned learned) {
        bytes = Math.max(bytes, fit.bytes);
        used = fit.used;
        uncertainty = fit.uncertainty;
        times.mapNanos += fit.times.mapNanos;
        times.productNanos += fit.times.productNanos;
        return learned;
    }

    /** Learns with a penalty that was chosen with fewer landmarks. */
    private Learned withChoice(Training.Choice choice, Transformer from, Function<WeightFit, Learned> fit) {
        WeightFit given = with(learner.withLambda(choice.strength()), from);
        Learned learned = counted(given, fit.apply(given));
        LinearFit found = learned.fit().withSearch(choice.error(), choice.path(), choice.reason());
        return learned(found, learned.rows(), learned.solving());
    }

    private Statistics inFloat64(GramPass primal, int features, OptionalLong dualRows) {
        used = Precision.FLOAT64;
        bytes = memory().requireStatistics(features, used, dualRows);
        return primal.run(weights, used, progress);
    }

    private LinearFit solve(Transformer from, Statistics statistics, Precision precision) {
        progress.report("solving", statistics.rows(), Double.NaN);
        return training(from, null).fit(statistics, precision);
    }

    /**
     * Learns by ridge regression with the penalty of the smallest cross-validated error. One pass computes the
     * statistics of each fold; with many features, one fold is held out and the others are summed together.
     */
    private Learned fromFolds(Transformer from, OptionalLong dualRows) {
        int features = from.map().outputDimension();
        long base = memory().requireStatistics(features, used, dualRows);
        Folds folds = Folds.of(MemoryCheck.PENALTY_FOLDS, settings.seed.derive("penalty"));
        int parts = memory().penaltyParts(features, MemoryBudget.whole());
        bytes = memory().requireFolds(features, parts, used);
        Learned learned = fromFolds(from, folds, parts);
        if (learned == null) {
            used = Precision.FLOAT64;
            bytes += memory().requireStatistics(features, used, dualRows) - base;
            learned = Objects.requireNonNull(fromFolds(from, folds, parts));
        }
        return learned;
    }

    /** Learns from folds; returns null if float32 is too coarse, and then holds no statistics any more. */
    private @Nullable Learned fromFolds(Transformer from, Folds folds, int parts) {
        FoldedStatistics statistics = pass(source, from).fold(folds, parts, weights, used, progress);
        progress.report("solving", statistics.total().rows(), Double.NaN);
        long solving = System.nanoTime();
        LinearFit fit = Ridge.crossValidated(statistics, used, workers);
        return used == Precision.FLOAT32 && tooCoarse(statistics.total(), fit)
                ? null
                : learned(
                        withGaussian(from, statistics.total(), fit),
                        statistics.total().rows(),
                        solving);
    }

    /** Chooses a penalty on held-out rows, all from statistics. */
    private Learned fromParts(Transformer from, Holdout split) {
        int features = from.map().outputDimension();
        // Three matrices instead of one.
        bytes = memory().requireStatistics(features, used, OptionalLong.empty()) + 16L * features * features;
        Transformer searched = HeldOutLandmarks.without(from, source, split.train());
        GramAccumulator first = pass(split.train(), searched).accumulate(weights, used, progress);
        GramAccumulator second = pass(split.test(), searched).accumulate(weights, used, progress);
        if (leavesOut(searched, from)) {
            double share = 1 + second.totalRowWeight() / first.totalRowWeight();
            Training.Choice choice = training(searched, null).choose(first.freeze(), second.freeze());
            return withChoice(choice.scaled(share), from, given -> given.fromStatistics(from));
        }
        GramAccumulator both = new GramAccumulator(features, source.labels());
        both.combine(first).combine(second);
        long solving = System.nanoTime();
        long rows = both.rows();
        progress.report("solving", rows, Double.NaN);
        GramStatistics all = both.freeze();
        LinearFit fit = training(from, null).fit(first.freeze(), second.freeze(), all);
        return learned(withGaussian(from, all, fit), rows, solving);
    }

    /** Learns from rows; from whitened features if the solver needs the plain penalty. */
    private Learned fromRows(Transformer from) {
        LinearModel start = start();
        if (takesPenaltyOf(from.map())) {
            return fromFeatures(from, start);
        }
        WhitenedMap map = new WhitenedMap(from.map());
        LinearModel begin = start == null ? null : start.withWeights(map.whitened(start.weights(), start.outputs()));
        return whitened(from, whitened -> fromFeatures(whitened, begin));
    }

    /** Learns from whitened features, whose penalty is the plain one, and returns the weights of the original ones. */
    private Learned whitened(Transformer from, Function<Transformer, Learned> fit) {
        WhitenedMap whitened = whitened(from.map());
        Learned learned = fit.apply(new Transformer(from.scaler(), whitened));
        return learned(unwhitened(whitened, learned.fit().model()), learned);
    }

    private WhitenedMap whitened(FeatureMap map) {
        if (learner.sparse()) {
            throw new BochnerException(
                    learner + " makes weights zero, and the penalty of the map's features is not the plain one;"
                            + " use landmarks(raw), or piecewise without 'sparse'");
        }
        return new WhitenedMap(map);
    }

    /** Returns the linear functions of the original features. */
    private static LinearModel unwhitened(WhitenedMap map, LinearModel model) {
        return model.withWeights(map.unwhitened(model.weights(), model.outputs()));
    }

    /** Returns true if the solver can use the features of a map as they are. */
    private boolean takesPenaltyOf(FeatureMap map) {
        SolverKind solver = Formulation.of(learner).solver();
        return map.hasPlainPenalty() || solver == SolverKind.CG || solver == SolverKind.NEWTON;
    }

    private Learned fromFeatures(Transformer from, @Nullable LinearModel start) {
        Holdout split = split();
        long budget = budget(from.map());
        if (split == null) {
            return needs instanceof Needs.Stream
                    ? fromStream(from, start)
                    : isPacked(from, budget) ? fromPacked(from, start) : fromStore(from, budget, start);
        }
        Transformer searched =
                learner.isAuto() && !restricted ? HeldOutLandmarks.without(from, source, split.train()) : from;
        if (leavesOut(searched, from)) {
            return withChoice(choose(searched, split, budget), from, given -> given.fromFeatures(from, null));
        }
        boolean asked = setsAside();
        FeatureStore rows = store(split.train(), from, weights, budget);
        FeatureStore aside = store(split.test(), from, weights, Math.max(0, budget - rows.heldBytes()));
        Watch watch = new Watch(learner, aside, settings.patience, objects(), progress);
        long solving = System.nanoTime();
        Training training = training(from, watch);
        LinearFit fit;
        if (learner.isAuto()) {
            // By default, the final fit includes the held-out rows and is not tested on them.
            fit = asked
                    ? training.fit(rows, aside, rows)
                    : training.withRefitMonitors(new Watch(learner, null, 0, objects(), progress)::of)
                            .fit(rows, aside, new JoinedFeatures(rows, aside));
        } else {
            fit = training.fit(rows, start);
        }
        fit = asked ? watch.best(fit, notes) : fit;
        long learnedFrom = asked ? rows.rows() : rows.rows() + aside.rows();
        return finished(fit, learnedFrom, solving, rows, aside);
    }

    /** Chooses a penalty for the final fit on held-out rows. */
    private Training.Choice choose(Transformer from, Holdout split, long budget) {
        FeatureStore rows = store(split.train(), from, weights, budget);
        FeatureStore aside = store(split.test(), from, weights, Math.max(0, budget - rows.heldBytes()));
        times.mapNanos += rows.mapNanos() + aside.mapNanos();
        Watch watch = new Watch(learner, aside, settings.patience, objects(), progress);
        Training.Choice choice = training(from, watch).choose(rows, aside);
        return setsAside() ? choice : choice.scaled(1 + aside.totalRowWeight() / rows.totalRowWeight());
    }

    private Learned fromStore(Transformer from, long budget, @Nullable LinearModel start) {
        FeatureStore rows = store(source, from, weights, budget);
        long solving = System.nanoTime();
        return finished(training(from, null).fit(rows, start), rows.rows(), solving, rows);
    }

    /**
     * Returns true if features should be kept in 16 bits: only for conjugate gradients, whose tolerance is far above
     * the rounding, and only if all features fit into memory with 16 bits but not as float32.
     */
    private boolean isPacked(Transformer from, long budget) {
        double values = (double) source.rows() * from.map().outputDimension();
        boolean dense =
                !from.map().makesSparse() && (!source.sparse() || !from.map().keepsSparsity());
        return needs instanceof Needs.RoundedFeatures
                && dense
                && !from.map().amplifiesRounding()
                && used == Precision.FLOAT32
                && Float.BYTES * values > budget
                && values > 0
                && Short.BYTES * values <= budget;
    }

    private Learned fromPacked(Transformer from, @Nullable LinearModel start) {
        PackedFeatures rows = PackedFeatures.map(mapped(source, from, weights), this::reportMapping);
        notes.precision(
                "features were kept in 16 bits each, because float32 would take more memory than there is for them");
        bytes += Short.BYTES * rows.rows() * rows.features();
        times.mapNanos += rows.mapNanos();
        long solving = System.nanoTime();
        return learned(training(from, null).fit(rows, start), rows.rows(), solving);
    }

    /** Learns from a stream of rows. */
    private Learned fromStream(Transformer from, @Nullable LinearModel start) {
        long solving = System.nanoTime();
        try (FeatureStream rows = FeatureStream.open(mapped(source, from, weights))) {
            LinearFit fit = training(from, null).fit(rows, start);
            // A pass that was stopped early does not know the number of all rows.
            return learned(fit, rows.knownRows().orElseGet(rows::rowsRead), solving);
        }
    }

    private Learned finished(LinearFit fit, long rows, long solving, FeatureStore... stores) {
        long held = 0;
        long total = 0;
        for (FeatureStore store : stores) {
            held += store.heldRows();
            total += store.rows();
            bytes += store.heldBytes();
            times.mapNanos += store.mapNanos();
        }
        if (held < total) {
            String some = String.format(Locale.ROOT, "%,d of %,d rows", held, total);
            notes.choice(
                    "the features of " + some + " were kept in memory, and the others were mapped in every pass",
                    Remedy.set(Setting.MEMORY, "with more memory is faster"),
                    Remedy.set(Setting.HEAP, "with a larger size is faster"));
        }
        return learned(fit, rows, solving);
    }

    private FeatureStore store(RowSource rows, Transformer from, ClassWeights factors, long budget) {
        return FeatureStore.map(mapped(rows, from, factors), budget, this::reportMapping);
    }

    private MappedSource mapped(RowSource rows, Transformer from, ClassWeights factors) {
        return new MappedSource(rows, from.scaler(), from.map(), factors, used, workers);
    }

    private void reportMapping(long rows, double fraction) {
        progress.report("mapping", rows, fraction);
    }

    /** Checks and counts the memory of mapping; returns the bytes that features may take: as given, or half the heap. */
    private long budget(FeatureMap map) {
        int features = map.outputDimension();
        MemoryCheck.requireMapping(features, fewer -> FeatureStore.bytesNeeded(fewer, workers.threads(), used));
        bytes = FeatureStore.bytesNeeded(features, workers.threads(), used);
        return MemoryBudget.kept(settings.memory, bytes).bytes();
    }

    /** Returns the split into training and held-out rows; null if none are held out. */
    private @Nullable Holdout split() {
        if (penaltyChoice == PenaltyChoice.HELD_OUT_ROWS || setsAside()) {
            return heldOut();
        }
        if (settings.validation > 0) {
            notes.choice("no " + objects() + " were set aside: " + learner.name()
                    + " has one solution, without iterations to test");
        }
        return null;
    }

    private @Nullable LinearModel start() {
        return settings.start == null ? null : ModelAccess.parts(settings.start).requireLinear();
    }

    private Training training(Transformer from, @Nullable Watch watch) {
        Watch watching = watch == null ? new Watch(learner, null, 0, objects(), progress) : watch;
        return new Training(learner, from.map(), workers, settings.seed.derive("learner"), watching::of)
                .withObjects(objects());
    }

    private String objects() {
        return source.ofSets() ? "sets" : "rows";
    }

    /** Returns true if the rounding of float32 statistics may change the predictions of a fit too much. */
    private boolean tooCoarse(Statistics statistics, LinearFit fit) {
        if (!learner.isRidge() || !(Ridge.roundingError(statistics, Precision.FLOAT32, fit) > Ridge.LARGEST_ERROR)) {
            return false;
        }
        notes.precision("at lambda=" + Digits.rounded(fit.chosen().lambda(), SHOWN)
                + " the rounding of float32 statistics may change predictions by more than "
                + Digits.rounded(Ridge.LARGEST_ERROR, SHOWN) + " standard deviations: computed in float64 instead");
        return true;
    }

    private boolean tooCoarse(Statistics statistics) {
        double smallest = Ridge.smallestLambda(statistics, Precision.FLOAT32);
        Priors priors = Formulation.of(learner).priors();
        if (priors != null) {
            return tooCoarse(new DiscriminantAnalysis((GramStatistics) statistics, priors, workers), smallest);
        }
        if (!learner.isRidge() || learner.isAuto() || learner.lambda() >= smallest) {
            return false;
        }
        notes.precision("lambda=" + Digits.shortest(learner.lambda()) + " is below " + Digits.rounded(smallest, SHOWN)
                + ", where the rounding of float32 statistics starts to matter: computed in float64 instead");
        return true;
    }

    private boolean tooCoarse(DiscriminantAnalysis analysis, double smallest) {
        double shrinkage = learner.isAuto() ? analysis.ledoitWolf() : learner.lambda();
        if (analysis.equivalentLambda(shrinkage) >= smallest) {
            return false;
        }
        notes.precision("with shrinkage " + Digits.rounded(shrinkage, SHOWN)
                + " the rounding of float32 statistics starts to matter: computed in float64 instead");
        return true;
    }

    /**
     * The fits at several strengths of the penalty.
     *
     * @param rows the number of training rows
     * @param tests the rows to test on
     */
    record Fits(List<LinearFit> fits, long rows, FeatureStore tests) {}

    /** Fits at several strengths of the penalty, from the strongest down, and maps the test rows. */
    Fits path(RowSource testing, int count) {
        long budget = budget(transformer.map());
        FeatureStore tests = store(testing, transformer, ClassWeights.none(), budget / 4);
        Training training = training(transformer, null);
        if (needs instanceof Needs.Statistics) {
            memory().requireStatistics(transformer.map().outputDimension(), used, OptionalLong.empty());
            if (!transformer.map().amplifiesRounding()) {
                Statistics statistics = pass(source, transformer).run(weights, used, progress);
                return new Fits(training.path(statistics, used, count), statistics.rows(), tests);
            }
            WhitenedMap whitened = whitened(transformer.map());
            Transformer from = new Transformer(transformer.scaler(), whitened);
            Statistics statistics = pass(source, from).run(weights, used, progress);
            List<LinearFit> fits = training(from, null).path(statistics, used, count).stream()
                    .map(fit -> fit.withModel(unwhitened(whitened, fit.model())))
                    .toList();
            return new Fits(fits, statistics.rows(), tests);
        }
        if (!takesPenaltyOf(transformer.map())) {
            throw new BochnerException(learner.name() + " learns along a path from features whose penalty is the plain"
                    + " one; use landmarks(whitened), or piecewise without 'sparse'");
        }
        FeatureStore store = store(source, transformer, weights, budget - budget / 4);
        return new Fits(training.path(store, count), store.rows(), tests);
    }
}
