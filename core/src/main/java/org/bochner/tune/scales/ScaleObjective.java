package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.numeric.Precision;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;
import org.jspecify.annotations.Nullable;

/**
 * A criterion as a function of what is moved: coordinates of the scales, and after them, where it is to be found, the
 * logarithm of the penalty. One evaluation is two passes over the rows: one for the statistics of the folds, one for the
 * derivatives, in which rows are mapped again, because that is cheaper than keeping their features. Leave-one-out needs
 * one more between them, for what statistics do not tell.
 *
 * <p>Memory: D² numbers a fold, and those of the derivatives, columns·D, a thread; nothing depends on the number of rows.
 */
public final class ScaleObjective implements SmoothFunction {
    private final FoldedRows rows;
    private final MapParameters parameters;
    private final Parametrization moves;
    private final ScalePenalty penalty;
    private final RidgeCriterion judge;
    private final ClassWeights classWeights;
    private final Precision precision;

    /** The penalty; where it is to be found, the point has it, and this is NaN. */
    private final double lambda;

    /** The least penalty that the precision allows, as the first evaluation found it; it is added to what is found. */
    private double least = Double.NaN;

    private final CriterionKind criterion;

    /** Whether the criterion has been a number. */
    private boolean begun;

    /** Judges by the learner's own loss; null where ridge regression judges. */
    private final @Nullable HoldoutLossCriterion lossJudge;

    public ScaleObjective(
            FoldedRows rows,
            MapParameters parameters,
            Parametrization moves,
            ScalePenalty penalty,
            CriterionKind criterion,
            ClassWeights classWeights,
            Precision precision,
            double lambda) {
        this(rows, parameters, moves, penalty, criterion, classWeights, precision, lambda, null);
    }

    /** A criterion that a learner's own loss is judged by, where there is such a judge. */
    public ScaleObjective(
            FoldedRows rows,
            MapParameters parameters,
            Parametrization moves,
            ScalePenalty penalty,
            CriterionKind criterion,
            ClassWeights classWeights,
            Precision precision,
            double lambda,
            @Nullable HoldoutLossCriterion lossJudge) {
        this.rows = rows;
        this.parameters = parameters;
        this.moves = moves;
        this.penalty = penalty;
        this.criterion = criterion;
        this.classWeights = classWeights;
        this.precision = precision;
        this.lambda = lambda;
        this.lossJudge = lossJudge;
        judge = new RidgeCriterion(criterion, rows.labels(), classWeights, rows.workers());
    }

    /** How many numbers a point has. */
    public int size() {
        return moves.count() + (findsPenalty() ? 1 : 0);
    }

    private boolean findsPenalty() {
        return Double.isNaN(lambda);
    }

    /** The penalty at a point. */
    public double lambda(double[] point) {
        if (!findsPenalty()) {
            return lambda;
        }
        double floor = lossJudge == null ? least : lossJudge.least();
        return Math.exp(point[moves.count()]) + (Double.isNaN(floor) ? 0 : floor);
    }

    /** The map at a point. */
    public FeatureMap map(double[] point) {
        return parameters.with(moves.values(point));
    }

    @Override
    public double at(double[] point, double[] gradient) {
        double[] values = moves.values(point);
        if (!moves.makeMap(parameters, values)) {
            return Double.NaN;
        }
        FeatureMap map = parameters.with(values);
        double asked = findsPenalty() ? Math.exp(point[moves.count()]) : lambda;
        ScoredRows scored = new ScoredRows(rows, map, precision);
        CriterionResult judgement = judge(map, asked, scored);
        if (judgement == null) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        moves.addSlopes(slopes(scored, map, judgement), point, values, gradient);
        if (findsPenalty()) {
            gradient[moves.count()] = judgement.penaltySlope() * asked / judgement.lambda();
        }
        return judgement.value() + penalty.add(point, moves, values, gradient);
    }

    /** The value at a point, without derivatives; NaN where there is none. */
    public double value(double[] point) {
        FeatureMap map = map(point);
        double asked = findsPenalty() ? Math.exp(point[moves.count()]) : lambda;
        CriterionResult judgement = judge(map, asked, new ScoredRows(rows, map, precision));
        return judgement == null ? Double.NaN : judgement.value();
    }

    /** The judgement; null where the criterion is no number, so that an optimiser steps back. At the start it cannot. */
    private @Nullable CriterionResult judge(FeatureMap map, double asked, ScoredRows scored) {
        CriterionResult judgement = null;
        try {
            judgement = lossJudge == null ? judgeByRidge(map, asked, scored) : lossJudge.judge(map, asked);
        } catch (NotPositiveDefiniteException e) {
            // Features depend on each other by more than the penalty makes up for.
        }
        boolean known = judgement != null && judgement.value() < Double.POSITIVE_INFINITY;
        if (!known && !begun) {
            throw new BochnerException(
                    criterion.spelling() + " is no number at the scales it starts from: the rows are too few for"
                            + " so many features, or the penalty is too small; take a larger lambda, fewer features, or"
                            + " --objective cv");
        }
        begun = true;
        return known ? judgement : null;
    }

    private CriterionResult judgeByRidge(FeatureMap map, double asked, ScoredRows scored) {
        RidgeCriterion.Problem problem = judge.prepare(statistics(map));
        if (Double.isNaN(least)) {
            least = smallest(problem.total());
        }
        return problem.judge(findsPenalty() ? least + asked : Math.max(least, asked), scored);
    }

    /**
     * The least penalty that the precision allows, at whatever scales: as {@link Ridge#smallestLambda} has it for features
     * about 0, whose squares do not depend on scales where features are cosines and sines.
     */
    private double smallest(GramStatistics total) {
        double squares = total.scatterTrace();
        for (double mean : total.mean()) {
            squares += total.weight() * mean * mean;
        }
        return Ridge.smallestLambda(total, precision) * squares / Math.max(total.scatterTrace(), Double.MIN_NORMAL);
    }

    /** The statistics of every fold. */
    List<GramAccumulator> statistics(FeatureMap map) {
        return FoldStatistics.of(rows, map, classWeights, precision, done -> {});
    }

    private double[] slopes(ScoredRows scored, FeatureMap map, CriterionResult judgement) {
        MapParameters own = map.parameters(moves.freedom());
        MapGradient total = own.gradient();
        scored.pass(
                judgement.columns(),
                () -> new Slopes(own.gradient(), scored.block()),
                (tile, features, scores, slopes) -> slopes.add(tile, features, scores, judgement),
                slopes -> slopes.gradient.moveInto(total));
        return total.values();
    }

    /** What one worker needs for the derivatives. */
    private static final class Slopes {
        private final MapGradient gradient;
        private final FeatureBlock cotangents;

        Slopes(MapGradient gradient, FeatureBlock cotangents) {
            this.gradient = gradient;
            this.cotangents = cotangents;
        }

        void add(FoldedRows.Tile tile, FeatureBlock features, double[] scores, CriterionResult judgement) {
            judgement.coefficients(tile, scores);
            cotangents.fill(tile.rows().rows(), scores, judgement.columns());
            features.addTo(gradient, tile.rows(), cotangents);
        }
    }
}
