package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.Sharing;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;
import org.bochner.tune.scales.CriterionResult;
import org.bochner.tune.scales.FeatureResult;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.ScaleCriterion;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.bochner.tune.scales.WeightCoordinates;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning over weights and scales together: the training objective of a {@link ChannelProblem} is
 * minimised over the weights w and one scale σⱼ per channel.
 *
 * <p>At each penalty, {@code F(σ) = min over w of the objective} is minimised by quasi-Newton steps on log σ. Since w is
 * optimal, the derivative of F is that of the loss by the scales at fixed w. A minimum of F is a minimum of the objective
 * over (σ, w). Each penalty starts from the scales of the last one. The rows of a fold are predicted with weights learned
 * without the fold, and with the scales of all rows.
 *
 * <p>Cost: one evaluation of F is a pass over the rows and a solution for w, and a second pass for the derivatives.
 *
 * <p>Threads: not safe.
 */
public final class JointProblem implements ChannelProblem {
    private static final DescentOptions USUAL = DescentOptions.withDefaults().withLargestMove(1);

    /** Along the path, scales move until a step gains less than 10⁻⁴ of the objective. */
    private static final DescentOptions ON_PATH =
            USUAL.withIterations(10).withTolerance(1e-4, 1).withGradientTolerance(1e-4);

    /** At the chosen penalty, until a step gains less than what float32 features allow. */
    private static final DescentOptions AT_END =
            USUAL.withIterations(50).withTolerance(1e-8, 2).withGradientTolerance(1e-7);

    /** The largest number of searches at the chosen penalty; another one follows if other channels have a weight. */
    private static final int ROUNDS = 3;

    private static final double LARGEST_FIRST_MOVE = 0.5;
    private static final double SMALLEST_FIRST_MOVE = 0.02;

    /** Scales that differ by less are equal. */
    private static final double ROUNDING = 1e-12;

    private final Function<FeatureMap, ChannelProblem> problems;
    private final FoldedRows rows;
    private final FeatureMap base;
    private final FeatureMap start;
    private final RowLoss loss;
    private final RowWeights rowWeights;
    private final Precision precision;
    private final Progress progress;
    private final double constantLoss;
    private final Map<Double, FeatureMap> maps = new HashMap<>();
    private ScalePenalty scalePenalty = ScalePenalty.NONE;
    private boolean moves = true;
    private double firstMove = LARGEST_FIRST_MOVE;

    private FeatureMap map;
    private @Nullable ChannelProblem problem;
    /** The latest solution on all rows; it is that of the map only if {@link #solved} is a number. */
    private @Nullable ChannelSolution solution;

    private double solved = Double.NaN;
    private double before = Double.NaN;
    private double after = Double.NaN;

    /**
     * Creates the problem.
     *
     * @param problems creates the problem of the weights for a map
     * @param rows the scaled rows, in one fold
     * @param base the map that the penalty of scales compares with
     * @param start the map with the initial scales
     */
    public JointProblem(
            Function<FeatureMap, ChannelProblem> problems,
            FoldedRows rows,
            Loss loss,
            ClassWeights classWeights,
            Precision precision,
            FeatureMap base,
            FeatureMap start,
            Progress progress) {
        this.problems = problems;
        this.rows = rows;
        this.loss = new RowLoss(loss, rows.labels());
        this.precision = precision;
        this.base = base;
        this.start = start;
        this.progress = progress;
        rowWeights = new RowWeights(rows.labels(), classWeights);
        constantLoss = WeightCoordinates.measure(rows, start, this.loss, classWeights, precision, Double.NaN, 0)
                .constantLoss();
        map = start;
    }

    /** Sets the penalty of scales, and goes back to the initial scales. */
    public void restart(ScalePenalty penaltyOfScales) {
        scalePenalty = penaltyOfScales;
        firstMove = LARGEST_FIRST_MOVE;
        maps.clear();
        moveTo(start);
    }

    /** Sets whether scales move. */
    public void setMoves(boolean chosen) {
        moves = chosen;
    }

    /** Returns the map with the current scales: those of the chosen penalty at the end. */
    public FeatureMap map() {
        return map;
    }

    /** Returns the map that the penalty of scales compares with. */
    public FeatureMap base() {
        return base;
    }

    /**
     * Returns the objective with the initial scales at the chosen penalty, relative to the loss of a constant, with the
     * penalty of scales. Its terms are those of the channels that have a weight with the learned scales.
     */
    public double before() {
        return before;
    }

    /** Returns the objective with the learned scales, with their penalty. */
    public double after() {
        return after;
    }

    private ChannelProblem here() {
        if (problem == null) {
            problem = problems.apply(map);
            if (solution != null) {
                problem.continueFrom(solution);
            }
        }
        return problem;
    }

    /** Moves to the scales of a map. */
    private void moveTo(FeatureMap other) {
        if (!sameScales(map, other)) {
            map = other;
            // The matrices of two problems may not fit into the memory.
            problem = null;
            solved = Double.NaN;
        }
    }

    private static boolean sameScales(FeatureMap one, FeatureMap other) {
        double[] a = scales(one).values();
        double[] b = scales(other).values();
        for (int p = 0; p < a.length; p++) {
            if (!(Math.abs(a[p] - b[p]) <= ROUNDING * Math.abs(a[p]))) {
                return false;
            }
        }
        return true;
    }

    private static MapParameters scales(FeatureMap map) {
        return map.parameters(ParameterKind.SCALES);
    }

    /** Returns the solution on all rows with the current scales; null if the precision does not allow it. */
    private @Nullable ChannelSolution weights(double penalty) {
        if (solved != penalty) {
            ChannelSolution found = here().solve(folds(), penalty);
            if (found == null) {
                return null;
            }
            solution = found;
            solved = penalty;
        }
        return solution;
    }

    @Override
    public @Nullable ChannelSolution solve(int fold, double penalty) {
        if (fold < folds()) {
            return here().solve(fold, penalty);
        }
        search(penalty, ON_PATH);
        maps.put(penalty, map);
        return weights(penalty);
    }

    /**
     * Moves the scales of the channels with a weight to a minimum of the objective at a penalty. The others do not change
     * the objective. They stay, because the penalty alone would move them.
     *
     * @return true if a channel has got a weight
     */
    private boolean search(double penalty, DescentOptions options) {
        ChannelSolution still = weights(penalty);
        if (!moves || still == null || still.active() == 0 || progress.stopRequested()) {
            return false;
        }
        Parametrization parametrization = Parametrization.of(Sharing.ONE, false, List.of(), base, map);
        ScaleObjective objective = objective(parametrization, penalty);
        boolean[] fixed = fixed(parametrization.count(), still.kernelWeights());
        DescentMonitor monitor = (iteration, value, point, slope) -> {
            progress.kernelIteration(
                    String.format(Locale.ROOT, "learning scales at lambda=%.4g: %.5g", penalty, value), iteration);
            return !progress.stopRequested();
        };
        SmoothFunction free = (point, gradient) -> {
            double value = objective.at(point, gradient);
            for (int c = 0; c < fixed.length; c++) {
                gradient[c] = fixed[c] ? 0 : gradient[c];
            }
            return value;
        };
        double[] origin = parametrization.origin();
        Minimum found = new Lbfgs(options.withLargestFirstMove(firstMove)).minimize(free, origin, monitor);
        double[] point = found.point();
        double moved = 0;
        for (int c = 0; c < origin.length; c++) {
            moved = Math.max(moved, Math.abs(point[c] - origin[c]));
        }
        firstMove = Math.max(SMALLEST_FIRST_MOVE, Math.min(LARGEST_FIRST_MOVE, moved));
        moveTo(objective.map(point));
        ChannelSolution end = weights(penalty);
        return end != null && !Arrays.equals(fixed, fixed(fixed.length, end.kernelWeights()));
    }

    /** Returns which coordinates belong to a channel without a weight. */
    private boolean[] fixed(int coordinates, double[] kernelWeights) {
        MapParameters own = scales(map);
        boolean[] fixed = new boolean[coordinates];
        // Coordinates are numbered in the order in which the terms have parameters.
        int coordinate = -1;
        int term = -1;
        for (int p = 0; p < own.count(); p++) {
            if (own.scope(p).term() != term) {
                term = own.scope(p).term();
                coordinate++;
                fixed[coordinate] = kernelWeights[term] == 0;
            }
        }
        return fixed;
    }

    /** Returns F as a function of log σ, relative to the loss of a constant, with the penalty of scales. */
    public ScaleObjective objective(Parametrization parametrization, double penalty) {
        ScaleCriterion criterion = new ScaleCriterion() {
            @Override
            public CriterionResult evaluate(FeatureMap at, double asked, boolean penaltyMoves) {
                moveTo(at);
                ChannelSolution found = weights(asked);
                LinearModel model = found == null ? constant() : found.model();
                double value = found == null ? Double.POSITIVE_INFINITY : found.objective() / constantLoss;
                return new FeatureResult(
                        value,
                        0,
                        asked,
                        WeightMatrix.of(model.features(), model.outputs(), model.weights()),
                        (tile, scores) -> replace(tile.rows(), model, scores),
                        new ScoredRows(rows, at, precision));
            }

            @Override
            public double smallestPenalty() {
                return 0;
            }
        };
        return new ScaleObjective(parametrization, scalePenalty, criterion, penalty);
    }

    private LinearModel constant() {
        int outputs = loss.outputs();
        return new LinearModel(
                map.outputDimension(), outputs, new double[map.outputDimension() * outputs], new double[outputs]);
    }

    /** Replaces scores by the derivatives of the relative loss. */
    private void replace(RowBlock block, LinearModel model, double[] scores) {
        int outputs = model.outputs();
        for (int i = 0; i < block.rows(); i++) {
            int at = i * outputs;
            for (int o = 0; o < outputs; o++) {
                scores[at + o] += model.intercept(o);
            }
            loss.slopes(block::target, i, scores, at);
            double factor = rowWeights.weight(block, i) / constantLoss;
            for (int o = 0; o < outputs; o++) {
                scores[at + o] *= factor;
            }
        }
    }

    /** Goes back to the scales of the penalty, moves them to the minimum and rounds them. */
    @Override
    public ChannelSolution settle(double penalty, ChannelSolution given) {
        FeatureMap chosen = Objects.requireNonNull(maps.get(penalty));
        moveTo(start);
        ChannelSolution initial = weights(penalty);
        before = initial == null ? Double.NaN : initial.objective() / constantLoss;
        moveTo(chosen);
        for (int round = 1; search(penalty, AT_END) && round < ROUNDS; round++) {
            firstMove = SMALLEST_FIRST_MOVE;
        }
        FeatureMap unrounded = map;
        if (moves) {
            moveTo(Parametrization.rounded(map));
        }
        ChannelSolution end = weights(penalty);
        if (end == null) {
            moveTo(unrounded);
            end = weights(penalty);
        }
        if (end == null) {
            moveTo(chosen);
            return given;
        }
        before += penaltyOfScales(start, end);
        after = end.objective() / constantLoss + penaltyOfScales(map, end);
        return end;
    }

    /** Returns the penalty of the scales of a map, for the channels that have a weight in a solution. */
    private double penaltyOfScales(FeatureMap of, ChannelSolution weighted) {
        MapParameters own = scales(of);
        double[] values = own.values();
        double[] initial = scales(base).values();
        double sum = 0;
        int term = -1;
        for (int p = 0; p < values.length; p++) {
            if (own.scope(p).term() != term) {
                term = own.scope(p).term();
                sum += weighted.kernelWeights()[term] == 0 ? 0 : scalePenalty.of(values[p] / initial[p]);
            }
        }
        return sum;
    }

    @Override
    public List<Double> scaleFactors() {
        List<Double> factors = new ArrayList<>(Collections.nCopies(channels().count(), 1.0));
        MapParameters own = scales(map);
        double[] values = own.values();
        double[] initial = scales(base).values();
        for (int p = 0; p < values.length; p++) {
            factors.set(own.scope(p).term(), initial[p] / values[p]);
        }
        return factors;
    }

    @Override
    public void continueFrom(ChannelSolution other) {
        solution = other;
        solved = Double.NaN;
        problem = null;
    }

    @Override
    public ChannelNorm norm() {
        return here().norm();
    }

    @Override
    public ChannelFeatures channels() {
        return here().channels();
    }

    @Override
    public int folds() {
        return here().folds();
    }

    @Override
    public double start() {
        return here().start();
    }

    @Override
    public double totalRowWeight(int fold) {
        return here().totalRowWeight(fold);
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        return here().shareWithout(fold, ofClass);
    }

    @Override
    public @Nullable List<ChannelSolution> solveFolds(double penalty) {
        return here().solveFolds(penalty);
    }

    @Override
    public @Nullable ChannelFit relaxed(int fold, ChannelSolution of, double l2) {
        return here().relaxed(fold, of, l2);
    }

    @Override
    public @Nullable List<Double> relaxedLosses(List<ChannelSolution> solutions, double l2) {
        return here().relaxedLosses(solutions, l2);
    }
}
