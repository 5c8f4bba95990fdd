package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.RowWeights;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;

/**
 * The smooth part of the training objective as a function of scales, weights and intercepts together:
 *
 * <pre>  [Σ w·ℓ(f(z), y) + l2/2·|β|²] / that of the best constant + penalty of the scales.</pre>
 *
 * <p>A point holds the coordinates of the scales and after them the functions in a {@link WeightCoordinates}. One evaluation is
 * one pass over the rows: with ℓ′ the derivatives of the losses by the scores, those by the weights are Zᵀℓ′, those by the
 * features ℓ′βᵀ, from which those by the scales follow.
 */
public final class JointObjective implements SmoothFunction {
    private final FoldedRows rows;
    private final MapParameters parameters;
    private final Parametrization moves;
    private final ScalePenalty penalty;
    private final WeightCoordinates frame;
    private final RowLoss loss;
    private final double l2;
    private final RowWeights rowWeights;
    private final Precision precision;

    public JointObjective(
            FoldedRows rows,
            MapParameters parameters,
            Parametrization moves,
            ScalePenalty penalty,
            WeightCoordinates frame,
            RowLoss loss,
            double l2,
            ClassWeights classWeights,
            Precision precision) {
        this.rows = rows;
        this.parameters = parameters;
        this.moves = moves;
        this.penalty = penalty;
        this.frame = frame;
        this.loss = loss;
        this.l2 = l2;
        this.precision = precision;
        rowWeights = new RowWeights(rows.labels(), classWeights);
    }

    /** How many numbers a point has. */
    int size() {
        return moves.count() + frame.size();
    }

    /** The map at a point. */
    FeatureMap map(double[] point) {
        return parameters.with(moves.values(point));
    }

    /** The functions at a point. */
    LinearModel functions(double[] point) {
        return frame.read(point, moves.count());
    }

    /** The point where scales are as they began, with given functions. */
    public double[] origin(LinearModel functions) {
        double[] origin = Arrays.copyOf(moves.origin(), size());
        frame.write(functions, origin, moves.count());
        return origin;
    }

    @Override
    public double at(double[] point, double[] gradient) {
        double[] values = moves.values(point);
        if (!moves.makeMap(parameters, values)) {
            return Double.NaN;
        }
        FeatureMap map = parameters.with(values);
        MapParameters own = map.parameters(moves.freedom());
        LinearModel functions = functions(point);
        WeightMatrix weights = WeightMatrix.of(frame.features(), frame.outputs(), functions.weights());
        Bench total = new Bench(map, own.gradient(), functions, weights);
        rows.pass(
                () -> new Bench(map, own.gradient(), functions, weights),
                (tile, bench) -> bench.add(tile.rows()),
                (tile, bench) -> bench.moveInto(total));
        double value = (total.value[0] + l2 / 2 * functions.squaredNorm()) / frame.nothing();
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        moves.addSlopes(total.map.values(), point, values, gradient);
        double[] byWeights = functions.weights();
        for (int i = 0; i < byWeights.length; i++) {
            byWeights[i] = total.weights[i] + l2 * byWeights[i];
        }
        frame.writeSlopes(byWeights, total.intercepts, gradient, moves.count());
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] /= frame.nothing();
        }
        return value + penalty.add(point, moves, values, gradient);
    }

    /** What one worker needs and sums up. */
    private final class Bench {
        private final FeatureMap featureMap;
        private final LinearModel functions;
        private final WeightMatrix matrix;
        private final FeatureBlock features;
        private final FeatureBlock cotangents;
        private final MapGradient map;
        private final double[] value = new double[1];
        private final double[] weights;
        private final double[] intercepts;
        private double[] scores = new double[0];

        Bench(FeatureMap featureMap, MapGradient gradient, LinearModel functions, WeightMatrix matrix) {
            this.featureMap = featureMap;
            this.map = gradient;
            this.functions = functions;
            this.matrix = matrix;
            features = FeatureBlock.of(precision, frame.features());
            cotangents = FeatureBlock.of(precision, frame.features());
            weights = new double[frame.features() * frame.outputs()];
            intercepts = new double[frame.outputs()];
        }

        void add(RowBlock block) {
            int outputs = frame.outputs();
            int count = block.rows();
            if (scores.length < count * outputs) {
                scores = new double[count * outputs];
            }
            features.fill(featureMap, block);
            functions.apply(features, scores);
            for (int i = 0; i < count; i++) {
                double weight = rowWeights.weight(block, i);
                int at = i * outputs;
                value[0] += weight * loss.value(block, i, scores, at);
                loss.slopes(block, i, scores, at);
                for (int o = 0; o < outputs; o++) {
                    scores[at + o] *= weight;
                    intercepts[o] += scores[at + o];
                }
            }
            features.addTransposed(scores, outputs, weights);
            cotangents.fill(count, scores, matrix);
            features.addTo(map, block, cotangents);
        }

        void moveInto(Bench total) {
            WeightCoordinates.move(value, total.value);
            WeightCoordinates.move(weights, total.weights);
            WeightCoordinates.move(intercepts, total.intercepts);
            map.moveInto(total.map);
        }
    }
}
