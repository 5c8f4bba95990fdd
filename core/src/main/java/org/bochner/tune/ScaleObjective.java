package org.bochner.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.learn.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.numeric.Precision;
import org.bochner.numeric.SmoothFunction;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.GramAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * A criterion as a function of what is moved: coordinates of the scales, and after them, where it is to be found, the
 * logarithm of the penalty. One evaluation is two passes over the rows: one for the statistics of the folds, one for the
 * derivatives, in which rows are mapped again, because that is cheaper than keeping their features.
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

    /** The map at a point. */
    FeatureMap map(double[] point) {
        return parameters.with(moves.values(point));
    }

    @Override
    public double at(double[] point, double[] gradient) {
        double[] values = moves.values(point);
        for (double value : values) {
            if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
                return Double.NaN;
            }
        }
        FeatureMap map = parameters.with(values);
        double asked = findsPenalty() ? Math.exp(point[moves.count()]) : lambda;
        Judgement judgement = lossJudge == null ? judgeByRidge(map, asked) : lossJudge.judge(map, asked);
        if (!(judgement.value() < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        moves.addSlopes(slopes(map, judgement), values, gradient);
        if (findsPenalty()) {
            // Below the least penalty that float32 allows, nothing changes any more.
            gradient[moves.count()] = asked < judgement.lambda() ? 0 : judgement.penaltySlope();
        }
        return judgement.value() + penalty.add(point, moves, values, gradient);
    }

    private Judgement judgeByRidge(FeatureMap map, double asked) {
        RidgeJudge.Problem problem = judge.prepare(statistics(map));
        return problem.judge(Math.max(Ridge.smallestLambda(problem.total(), precision), asked));
    }

    /** The statistics of every fold. */
    List<GramAccumulator> statistics(FeatureMap map) {
        int features = map.outputDimension();
        List<GramAccumulator> folds = new ArrayList<>();
        for (int f = 0; f < rows.folds(); f++) {
            folds.add(new GramAccumulator(features, rows.labels()));
        }
        rows.pass(
                () -> new BlockGram(features, rows.labels(), classWeights, precision),
                (tile, gram) -> {
                    gram.clear();
                    gram.add(map, tile.rows());
                },
                (tile, gram) -> folds.get(tile.fold()).add(gram));
        return folds;
    }

    private double[] slopes(FeatureMap map, Judgement judgement) {
        MapParameters own = map.parameters(moves.freedom());
        MapGradient total = own.gradient();
        rows.pass(
                () -> new Bench(map, own.gradient()),
                (tile, bench) -> bench.add(tile, judgement),
                (tile, bench) -> bench.gradient.moveInto(total));
        return total.values();
    }

    /** What one worker needs for the derivatives. */
    private final class Bench {
        private final FeatureMap map;
        private final MapGradient gradient;
        private final FeatureBlock features;
        private final FeatureBlock cotangents;
        private double[] scores = new double[0];

        Bench(FeatureMap map, MapGradient gradient) {
            this.map = map;
            this.gradient = gradient;
            features = FeatureBlock.of(precision, map.outputDimension());
            cotangents = FeatureBlock.of(precision, map.outputDimension());
        }

        void add(FoldedRows.Tile tile, Judgement judgement) {
            int count = tile.rows().rows();
            int size = count * judgement.columns().outputs();
            if (scores.length < size) {
                scores = new double[size];
            }
            features.fill(map, tile.rows());
            features.multiply(judgement.columns(), scores);
            judgement.coefficients(tile, scores);
            cotangents.fill(count, scores, judgement.columns());
            features.addTo(gradient, tile.rows(), cotangents);
        }
    }
}
