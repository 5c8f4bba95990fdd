package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.function.Supplier;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.numeric.Precision;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;

/**
 * The smooth part of the training objective as a function of scales, weights and intercepts together:
 *
 * <pre>  [Σ w·ℓ(f(z), y) + l2/2·|β|²] / that of the best constant + penalty of the scales.</pre>
 *
 * <p>A point holds the coordinates of the scales and, after them, the linear model in {@link WeightCoordinates}. One
 * evaluation is one pass over the rows.
 */
public record JointObjective(
        FoldedRows rows,
        Parametrization parametrization,
        ScalePenalty penalty,
        WeightCoordinates coordinates,
        RowLoss loss,
        double l2,
        RowWeights rowWeights,
        Precision precision)
        implements SmoothFunction {
    /** Returns the point with the initial scales and a given linear model. */
    public double[] origin(LinearModel model) {
        double[] origin = Arrays.copyOf(parametrization.origin(), parametrization.count() + coordinates.size());
        coordinates.write(model, origin, parametrization.count());
        return origin;
    }

    @Override
    public double at(double[] point, double[] gradient) {
        if (!parametrization.hasMap(point)) {
            return Double.NaN;
        }
        FeatureMap map = parametrization.map(point);
        MapParameters own = map.parameters(parametrization.kind());
        LinearModel model = coordinates.read(point, parametrization.count());
        MapGradient byParameters = own.gradient();
        Supplier<LossSums> sums = () -> new LossSums(map, model, loss, rowWeights, precision, own.gradient());
        LossSums total = new LossSums(map, model, loss, rowWeights, precision, byParameters);
        rows.pass(sums, (tile, sum) -> sum.add(tile.rows()), (tile, sum) -> sum.moveInto(total));
        double value = (total.value() + l2 / 2 * model.squaredNorm()) / coordinates.constantLoss();
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            return Double.NaN;
        }
        Arrays.fill(gradient, 0);
        parametrization.addSlopes(byParameters.values(), point, gradient);
        double[] byWeights = model.weights();
        Arrays.setAll(byWeights, i -> total.byWeights()[i] + l2 * byWeights[i]);
        coordinates.writeSlopes(byWeights, total.byIntercepts(), gradient, parametrization.count());
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] /= coordinates.constantLoss();
        }
        return value + penalty.add(point, parametrization, gradient);
    }
}
