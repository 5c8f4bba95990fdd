package org.bochner.tune;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.Learner;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.model.KernelMachine;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.ConvexTerm;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.ProximalQuasiNewton;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.exact.ExactCriterion;
import org.bochner.tune.exact.ExactFolds;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.CriterionKind;
import org.bochner.tune.scales.HoldoutLossCriterion;
import org.bochner.tune.scales.JointSearch;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.RidgeCriterion;
import org.bochner.tune.scales.RidgeFolds;
import org.bochner.tune.scales.ScaleCriterion;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.bochner.tune.scales.TargetTotals;
import org.jspecify.annotations.Nullable;

/** The optimisation of scales on all rows, or on a sample of them. */
final class SearchStage {
    private final ScaleSearch search;
    private final KernelLearning recipe;
    private final KernelMachine machine;
    private final SearchPenalty penalty;
    private final Transformer start;
    private final FoldedRows rows;
    private final ScaleCriterion ridge;
    private final @Nullable TargetTotals targets;
    private final @Nullable SearchStage all;
    private final String name;
    private final long budget;
    private Minimum.@Nullable End end;

    /** The joint objective of weights and scales at the end; NaN if they are not learned together. */
    private double jointValue = Double.NaN;

    private @Nullable HoldoutLossCriterion ownLoss;

    /** Creates the stage on all rows. */
    SearchStage(ScaleSearch search, Transformer start) {
        this(search, start, null, 1, search.searchesSample() ? "a sample" : "all rows");
    }

    private SearchStage(ScaleSearch search, Transformer start, @Nullable SearchStage all, double share, String name) {
        this.search = search;
        this.start = start;
        this.all = all;
        this.name = name;
        recipe = search.recipe;
        machine = recipe.machine;
        penalty = search.penalty;
        // One third each for all rows, the rows of a sample, and the features of the learner's own loss.
        budget = machine.memory().orElse(MemoryBudget.spare().bytes()) / 3;
        rows = FoldedRows.read(
                search.searched,
                start.scaler(),
                start.map().kernel(),
                recipe.criterion.foldOf(machine.seed().derive("kernel learning"), share),
                recipe.criterion.foldCount(),
                budget,
                search.workers);
        ClassWeights classWeights = search.classWeights;
        int folds = recipe.criterion.foldCount();
        ridge = start.map() instanceof UnmappedKernel
                ? new ExactCriterion(
                        recipe.criterion.kind(), ExactFolds.load(rows, folds, classWeights), search.workers)
                : new RidgeCriterion(recipe.criterion.kind(), rows, classWeights, machine.precision());
        targets = recipe.criterion.kind() == CriterionKind.VALIDATION ? TargetTotals.sum(rows, classWeights) : null;
        if (targets != null) {
            targets.check(search.searched.name(), recipe.criterion);
        }
    }

    /**
     * Returns the stage on a sample of the rows.
     *
     * @param size about how many rows it has
     * @param count the number of all rows
     */
    SearchStage sample(long size, long count) {
        return new SearchStage(
                search, start, this, (double) size / count, String.format(Locale.ROOT, "%,d rows", size));
    }

    /** Returns the rows in words. */
    String name() {
        return name;
    }

    boolean comparesPenalties() {
        return ridge.comparesPenalties();
    }

    /** Returns the criterion of ridge regression with the features of a map. */
    RidgeFolds folds(FeatureMap map) {
        return ((RidgeCriterion) ridge).prepare(map);
    }

    FoldedRows rows() {
        return rows;
    }

    /** Returns true if the criterion is the learner's own loss on held-out rows. */
    static boolean usesOwnLoss(KernelLearning recipe) {
        Learner learner = recipe.machine.learner();
        return recipe.criterion.kind() == CriterionKind.VALIDATION
                && !learner.isRidge()
                && Formulation.of(learner).isSmooth();
    }

    /** Returns why the last move ended. */
    Minimum.End end() {
        return Objects.requireNonNull(end);
    }

    /** Returns the joint objective of weights and scales after the last move. */
    double jointValue() {
        return jointValue;
    }

    void choosePenalty(Transformer at) {
        penalty.choose(ridge, at.map());
    }

    /** Returns the criterion at the current penalty, without the penalty of the scales. */
    double criterion(Transformer at) {
        Parametrization still = Parametrization.of(Sharing.ONE, false, List.of(), at.map(), at.map());
        return objective(still, ScalePenalty.NONE, penalty.lambda()).value(still.origin());
    }

    /**
     * The criterion at the initial scales.
     *
     * @param lambda the best penalty at the initial scales; NaN if no penalties were compared there
     */
    record AtStart(double value, double lambda) {}

    /** Returns the criterion at the initial scales and the best penalty there. */
    AtStart criterionAtStart() {
        double taken = penalty.lambda();
        if (ownLoss == null) {
            choosePenalty(start);
        }
        boolean chosen = !penalty.moves() || comparesPenalties();
        AtStart atStart = new AtStart(criterion(start), chosen ? penalty.lambda() : Double.NaN);
        penalty.set(taken);
        return atStart;
    }

    private ScaleObjective objective(Parametrization parametrization, ScalePenalty scales, double lambda) {
        ScaleCriterion criterion = ownLoss == null ? ridge : ownLoss;
        return new ScaleObjective(parametrization, scales, criterion, lambda);
    }

    /** Prepares the criterion and its penalty at a transformer. */
    private void begin(Transformer at) {
        if (targets == null || !usesOwnLoss(recipe)) {
            choosePenalty(at);
            return;
        }
        Learner learner = machine.learner();
        if (!(penalty.lambda() >= 0)) {
            if (learner.isAuto()) {
                penalty.startFromLearner(machine.withoutCalibration()
                        .withoutUncertainty()
                        .fit(search.searched, at, search.workers, search.progress)
                        .report()
                        .learner()
                        .lambda());
            } else {
                penalty.set(learner.lambda());
            }
        }
        if (ownLoss == null) {
            TargetTotals whole = Objects.requireNonNull(all == null ? targets : all.targets);
            double rowWeight = whole.totalRowWeight(0) + whole.totalRowWeight(1);
            Learner given = learner.withLambda(penalty.lambda());
            Precision precision = machine.precision();
            double tolerance = HoldoutLossCriterion.tolerance(precision);
            ownLoss = new HoldoutLossCriterion(
                    rows, targets, given, rowWeight, search.classWeights, precision, tolerance, budget);
        }
    }

    /**
     * Moves scales or frequencies; returns the transformer with the best ones.
     *
     * @param joint the search of weights and scales together; null if the weights follow from the scales
     */
    Transformer move(Transformer from, Sharing sharing, int iterations, @Nullable JointSearch joint) {
        if (search.log.stopped() && end != null) {
            return from;
        }
        ScalePenalty scales = sharing == recipe.sharing ? recipe.penalty : ScalePenalty.NONE;
        Parametrization parametrization =
                Parametrization.of(sharing, scales.drops(), recipe.ranges, start.map(), from.map());
        DescentOptions options = DescentOptions.withDefaults()
                .withIterations(search.log.stopped() ? 0 : iterations)
                .withTolerance(recipe.tolerance, 3)
                .withLargestMove(2);
        DescentMonitor monitor = search.log.monitor(sharing, name);
        if (joint == null) {
            begin(from);
        }
        long began = System.nanoTime();
        if (joint != null) {
            boolean last = all == null && sharing == recipe.sharing;
            JointSearch.Found found = joint.move(rows, from.map(), parametrization, scales, options, monitor, last);
            jointValue = found.value();
            finish(found.end(), found.evaluations(), began);
            return new Transformer(from.scaler(), found.map());
        }
        ScaleObjective objective = objective(parametrization, scales, penalty.moves() ? Double.NaN : penalty.lambda());
        double[] origin = Arrays.copyOf(parametrization.origin(), objective.size());
        if (penalty.moves()) {
            origin[parametrization.count()] = Math.log(penalty.lambda());
        }
        Minimum found = parametrization.form() == Parametrization.Form.FACTOR
                ? new ProximalQuasiNewton(options)
                        .minimize(
                                objective,
                                ConvexTerm.ofRanges(List.of(scales.corners(parametrization.count()))),
                                origin,
                                monitor)
                : new Lbfgs(options).minimize(objective, origin, monitor);
        finish(found.end(), found.evaluations(), began);
        double[] point = found.point();
        penalty.set(objective.lambda(point));
        return new Transformer(from.scaler(), objective.map(point));
    }

    /** Sets why a search without derivatives ended. */
    void end(Minimum.End reason) {
        end = reason;
    }

    private void finish(Minimum.End reason, int evaluations, long began) {
        end = reason;
        if (all == null) {
            search.log.addEvaluations(evaluations, began);
        }
    }
}
