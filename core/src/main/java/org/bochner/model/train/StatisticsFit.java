package org.bochner.model.train;

import java.util.Objects;
import java.util.OptionalLong;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.memory.MemoryException;
import org.bochner.base.text.Digits;
import org.bochner.data.Holdout;
import org.bochner.data.sample.Folds;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.ridge.Ridge;
import org.bochner.learn.solve.Needs;
import org.bochner.learn.solve.PenaltyChoice;
import org.bochner.learn.solve.SolverKind;
import org.bochner.learn.solve.Training;
import org.bochner.learn.uncertainty.PredictiveFactor;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.map.FeatureMap;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.stats.FoldedStatistics;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Fits weights from statistics: those of the features, or the inner products of the rows if they are fewer. Finds the
 * uncertainty of a Gaussian process from the same statistics.
 */
final class StatisticsFit extends WeightRoute {
    /** The most features for whose pairs a model file has room. */
    private static final int MOST_GAUSSIAN_FEATURES = 23_000;

    private final RoundingCheck rounding;

    StatisticsFit(WeightRoute of, Transformer transformer) {
        super(of, transformer);
        rounding = new RoundingCheck(learner, workers, notes);
    }

    /** Throws if a fit with this map cannot have the uncertainty of a Gaussian process. */
    static void requireGaussian(FeatureMap map) {
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

    @Override
    public Learned run() {
        DualPass dual = new DualPass(source, transformer, workers, times);
        Notes choice = new Notes();
        // The uncertainty of a Gaussian process needs the matrix of the features.
        boolean inDual = needs instanceof Needs.GramOrDual && !gaussian() && dual.isSmaller(choice);
        int features = transformer.map().outputDimension();
        if (mayIterate(dual, features)) {
            String obstacle = inDual ? dual.obstacle(whole) : memory().obstacle(features, used, whole);
            if (obstacle != null) {
                return iterated(obstacle);
            }
        }
        Holdout split = split();
        if (split != null) {
            return fromParts(split);
        }
        OptionalLong dualRows = dual.rows();
        bytes = inDual ? dual.requireMemory() : memory().requireStatistics(features, used, dualRows);
        if (!inDual && penaltyChoice == PenaltyChoice.CROSS_VALIDATION) {
            notes.addAll(choice.list());
            return fromFolds(dualRows);
        }
        GramPass primal = pass(source, transformer);
        Statistics statistics;
        try {
            statistics = inDual ? dual.run(weights, progress) : primal.run(weights, used, progress);
        } catch (MemoryException e) {
            // The features were more than the memory holds beside the inner products.
            if (!inDual || !mayIterate(dual, features)) {
                throw e;
            }
            return iterated(dual.obstacle());
        }
        notes.addAll(choice.list());
        bytes = inDual ? dual.bytesNeeded() : bytes;
        if (!inDual && used == Precision.FLOAT32 && rounding.tooCoarse(statistics)) {
            statistics = inFloat64(primal, features, dualRows);
        }
        long solving = System.nanoTime();
        LinearFit fit = solve(statistics, inDual ? Precision.FLOAT64 : used);
        if (!inDual && used == Precision.FLOAT32 && rounding.tooCoarse(statistics, fit)) {
            statistics = inFloat64(primal, features, dualRows);
            solving = System.nanoTime();
            fit = solve(statistics, used);
        }
        return learned(withGaussian(statistics, fit), statistics.rows(), solving);
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
    private Learned iterated(String obstacle) {
        Learned learned = counted(with(learner.withSolver(SolverKind.CG.toString())));
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

    private Statistics inFloat64(GramPass primal, int features, OptionalLong dualRows) {
        used = Precision.FLOAT64;
        bytes = memory().requireStatistics(features, used, dualRows);
        return primal.run(weights, used, progress);
    }

    private LinearFit solve(Statistics statistics, Precision precision) {
        progress.report("solving", statistics.rows(), Double.NaN);
        return training().fit(statistics, precision);
    }

    /**
     * Learns by ridge regression with the penalty of the smallest cross-validated error. One pass computes the
     * statistics of each fold; with many features, one fold is held out and the others are summed together.
     */
    private Learned fromFolds(OptionalLong dualRows) {
        int features = transformer.map().outputDimension();
        long base = memory().requireStatistics(features, used, dualRows);
        Folds folds = Folds.of(MemoryCheck.PENALTY_FOLDS, settings.seed.derive("penalty"));
        int parts = memory().penaltyParts(features, MemoryBudget.whole());
        bytes = memory().requireFolds(features, parts, used);
        Learned learned = fromFolds(folds, parts);
        if (learned == null) {
            used = Precision.FLOAT64;
            bytes += memory().requireStatistics(features, used, dualRows) - base;
            learned = Objects.requireNonNull(fromFolds(folds, parts));
        }
        return learned;
    }

    /** Learns from folds; returns null if float32 is too coarse, and then holds no statistics any more. */
    private @Nullable Learned fromFolds(Folds folds, int parts) {
        FoldedStatistics statistics = pass(source, transformer).fold(folds, parts, weights, used, progress);
        progress.report("solving", statistics.total().rows(), Double.NaN);
        long solving = System.nanoTime();
        LinearFit fit = Ridge.crossValidated(statistics, used, workers);
        return used == Precision.FLOAT32 && rounding.tooCoarse(statistics.total(), fit)
                ? null
                : learned(
                        withGaussian(statistics.total(), fit),
                        statistics.total().rows(),
                        solving);
    }

    /** Chooses a penalty on held-out rows, all from statistics. */
    private Learned fromParts(Holdout split) {
        int features = transformer.map().outputDimension();
        // Three matrices instead of one.
        bytes = memory().requireStatistics(features, used, OptionalLong.empty()) + 16L * features * features;
        Transformer searched = HeldOutLandmarks.without(transformer, source, split.train());
        GramAccumulator first = pass(split.train(), searched).accumulate(weights, used, progress);
        GramAccumulator second = pass(split.test(), searched).accumulate(weights, used, progress);
        if (leavesOut(searched, transformer)) {
            double share = 1 + second.totalRowWeight() / first.totalRowWeight();
            Training.Choice choice = training(searched, null).choose(first.freeze(), second.freeze());
            return withChoice(choice.scaled(share), given -> new StatisticsFit(given, transformer));
        }
        GramAccumulator both = new GramAccumulator(features, source.labels());
        both.combine(first).combine(second);
        long solving = System.nanoTime();
        long rows = both.rows();
        progress.report("solving", rows, Double.NaN);
        GramStatistics all = both.freeze();
        LinearFit fit = training().fit(first.freeze(), second.freeze(), all);
        return learned(withGaussian(all, fit), rows, solving);
    }

    /** Finds the uncertainty of a Gaussian process if it was asked for; returns the fit. */
    private LinearFit withGaussian(Statistics statistics, LinearFit fit) {
        if (gaussian()) {
            int features = transformer.map().outputDimension();
            double needed = bytes + PredictiveFactor.bytesNeeded(features);
            MemoryBudget.whole()
                    .require(
                            needed,
                            "ridge of " + features + " features with the factor of the uncertainty gaussian",
                            MemoryCheck.FEWER_FEATURES,
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
}
