package org.bochner.tune;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bochner.learn.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.Freedom;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.numeric.Precision;
import org.bochner.numeric.SmoothFunction;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.GramAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * A criterion as a function of what is moved: coordinates of the scales, and after them, where it is to be found, the
 * logarithm of the penalty. One evaluation is two passes over the rows: one for the statistics of the folds, one for the
 * derivatives, in which rows are mapped again, because that is cheaper than keeping their features. Leave-one-out needs
 * one more between them, for what statistics do not tell.
 *
 * <p>Memory: D² numbers a fold, and those of the derivatives, columns·D, a thread; nothing depends on the number of rows.
 */
final class ScaleObjective implements SmoothFunction {
    private final FoldedRows rows;
    private final MapParameters parameters;
    private final Moves moves;
    private final ScalePenalty penalty;
    private final RidgeJudge judge;
    private final ClassWeights classWeights;
    private final Precision precision;

    /** The penalty; where it is to be found, the point has it, and this is NaN. */
    private final double lambda;

    /** The least penalty that the precision allows, as the first evaluation found it; it is added to what is found. */
    private double least = Double.NaN;

    /** Judges by the learner's own loss; null where ridge regression judges. */
    private final @Nullable LossJudge lossJudge;

    ScaleObjective(
            FoldedRows rows,
            MapParameters parameters,
            Moves moves,
            ScalePenalty penalty,
            Criterion criterion,
            ClassWeights classWeights,
            Precision precision,
            double lambda) {
        this(rows, parameters, moves, penalty, criterion, classWeights, precision, lambda, null);
    }

    /** A criterion that a learner's own loss is judged by, where there is such a judge. */
    ScaleObjective(
            FoldedRows rows,
            MapParameters parameters,
            Moves moves,
            ScalePenalty penalty,
            Criterion criterion,
            ClassWeights classWeights,
            Precision precision,
            double lambda,
            @Nullable LossJudge lossJudge) {
        this.rows = rows;
        this.parameters = parameters;
        this.moves = moves;
        this.penalty = penalty;
        this.classWeights = classWeights;
        this.precision = precision;
        this.lambda = lambda;
        this.lossJudge = lossJudge;
        judge = new RidgeJudge(criterion, rows.labels(), classWeights, rows.workers());
    }

    /** How many numbers a point has. */
    int size() {
        return moves.count() + (findsPenalty() ? 1 : 0);
    }

    private boolean findsPenalty() {
        return Double.isNaN(lambda);
    }

    /** The penalty at a point. */
    double lambda(double[] point) {
        if (!findsPenalty()) {
            return lambda;
        }
        double found = Math.exp(point[moves.count()]);
        return Double.isNaN(least) ? found : least + found;
    }

    /** The map at a point. */
    FeatureMap map(double[] point) {
        return parameters.with(moves.values(point));
    }

    @Override
    public double at(double[] point, double[] gradient) {
        double[] values = moves.values(point);
        if (!isMap(values)) {
            return Double.NaN;
        }
        FeatureMap map = parameters.with(values);
        double asked = findsPenalty() ? Math.exp(point[moves.count()]) : lambda;
        ScoredRows scored = new ScoredRows(rows, map, precision);
        Judgement judgement = lossJudge == null ? judgeByRidge(map, asked, scored) : lossJudge.judge(map, asked);
        if (!(judgement.value() < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        moves.addSlopes(slopes(scored, map, judgement), values, gradient);
        if (findsPenalty()) {
            gradient[moves.count()] = judgement.penaltySlope() * asked / judgement.lambda();
        }
        return judgement.value() + penalty.add(point, moves, values, gradient);
    }

    /** The value at a point, without derivatives. */
    double value(double[] point) {
        FeatureMap map = map(point);
        double asked = findsPenalty() ? Math.exp(point[moves.count()]) : lambda;
        ScoredRows scored = new ScoredRows(rows, map, precision);
        Judgement judgement = lossJudge == null ? judgeByRidge(map, asked, scored) : lossJudge.judge(map, asked);
        return judgement.value();
    }

    private Judgement judgeByRidge(FeatureMap map, double asked, ScoredRows scored) {
        RidgeJudge.Problem problem = judge.prepare(statistics(map));
        if (Double.isNaN(least)) {
            least = Ridge.smallestLambda(problem.total(), precision);
        }
        return problem.judge(findsPenalty() ? least + asked : Math.max(least, asked), scored);
    }

    /** Whether there is a map with these values: they are numbers, and no term has lost all of its columns. */
    private boolean isMap(double[] values) {
        Set<Integer> living = new HashSet<>();
        Set<Integer> terms = new HashSet<>();
        for (int p = 0; p < values.length; p++) {
            if (!(Math.abs(values[p]) < Double.POSITIVE_INFINITY)) {
                return false;
            }
            if (moves.freedom() == Freedom.SCALES) {
                int term = parameters.scope(p).term();
                terms.add(term);
                if (values[p] > 0) {
                    living.add(term);
                }
            }
        }
        return living.equals(terms);
    }

    /** The statistics of every fold. */
    List<GramAccumulator> statistics(FeatureMap map) {
        return FoldStatistics.of(rows, map, classWeights, precision, done -> {});
    }

    private double[] slopes(ScoredRows scored, FeatureMap map, Judgement judgement) {
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

        void add(FoldedRows.Tile tile, FeatureBlock features, double[] scores, Judgement judgement) {
            judgement.coefficients(tile, scores);
            cotangents.fill(tile.rows().rows(), scores, judgement.columns());
            features.addTo(gradient, tile.rows(), cotangents);
        }
    }
}
