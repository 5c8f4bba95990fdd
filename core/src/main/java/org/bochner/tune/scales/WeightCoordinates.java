package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.RowLoss;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureTotals;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;

/**
 * How linear functions of features become numbers that an optimiser can move together with logarithms of scales. Features
 * are centred by their mean at the start, because its direction dwarfs all others, and everything is in units of the
 * targets' standard deviation.
 *
 * <p>Where penalties are smooth, weights β become Uβ, where UᵀU/N is about the matrix of second derivatives at the start:
 * features in turn become uncorrelated, and a change of 1 in any number changes scores by about the same. Otherwise one
 * factor for all weights, the root mean square of the features, does less, and penalties keep their form. On cpu_act, with
 * 300 features and a scale a column, solving for the weights brings an objective of squares to 0.0150; 98 evaluations in the
 * first kind of frame bring it to 0.0160, and 112 in the second to 0.0226.
 */
public final class WeightCoordinates {
    /** Up to so many features, D² numbers are worth it. */
    private static final int MOST_MIXED = 4096;

    /** Directions with less than this part of the mean variance count as if they had that much. */
    private static final double LEAST_SHIFT = 1e-6;

    private final int features;
    private final int outputs;
    private final double[] mean;
    private final double weight;
    private final double nothing;
    private final double targetSize;
    private final double weightSize;
    private final double[] intercepts;

    /** U, row-major, of which what lies below the diagonal means nothing; empty where there is one factor for all. */
    private final double[] factor;

    /**
     * Looks at all rows twice, once through the map.
     *
     * @param curvature about what the second derivative of the loss is, where weights may be mixed; else NaN
     * @param l2 what half the squared weights cost
     */
    public WeightCoordinates(
            FoldedRows rows,
            FeatureMap map,
            RowLoss loss,
            ClassWeights classWeights,
            Precision precision,
            double curvature,
            double l2) {
        features = map.outputDimension();
        outputs = loss.outputs();
        RowWeights weights = new RowWeights(rows.labels(), classWeights);
        FeatureTotals totals = new FeatureTotals(features, rows.labels());
        rows.pass(
                () -> new TotalsBench(new MappedRows(map, precision), new FeatureTotals(features, rows.labels())),
                (tile, bench) -> bench.totals.add(bench.rows.take(tile.rows()), weights),
                (tile, bench) -> {
                    totals.add(bench.totals);
                    bench.totals.clear();
                });
        weight = totals.weight();
        if (!(weight > 0)) {
            throw new BochnerException("the rows to learn from have no weight");
        }
        mean = totals.mean();
        double spread = totals.scatterTrace() / weight;
        intercepts = new double[outputs];
        OutputCoding functions = OutputCoding.of(rows.labels());
        Arrays.setAll(intercepts, o -> loss.intercept(totals.targetMean(functions.target(o))));
        double[] apart = new double[2];
        rows.pass(
                () -> new double[2],
                (tile, bench) -> addConstant(tile.rows(), functions, loss, weights, bench),
                (tile, bench) -> {
                    apart[0] += bench[0];
                    apart[1] += bench[1];
                    Arrays.fill(bench, 0);
                });
        nothing = apart[0];
        if (!(nothing > 0)) {
            throw new BochnerException("a constant predicts all targets: there is nothing to learn a kernel from");
        }
        double squares = apart[1] / (weight * outputs);
        if (!(nothing < Double.POSITIVE_INFINITY && squares < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    "the loss of a constant is " + nothing + "; scale the targets or weights, which are too large");
        }
        targetSize = !functions.classes() && squares > 0 ? Math.sqrt(squares) : 1;
        weightSize = (spread > 0 ? Math.sqrt(spread / features) : 1) / targetSize;
        factor = curvature > 0 && features <= MOST_MIXED
                ? factor(rows, map, classWeights, precision, curvature, l2)
                : new double[0];
    }

    /** U with UᵀU = (curvature·scatter + l2)/N; empty where rounding forbids it. */
    private double[] factor(
            FoldedRows rows,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            double curvature,
            double l2) {
        GramAccumulator sum = new GramAccumulator(features, rows.labels());
        rows.pass(
                () -> new GramBench(
                        new MappedRows(map, precision), new BlockGram(features, rows.labels(), classWeights)),
                (tile, bench) -> bench.gram.add(bench.rows.take(tile.rows()), 0),
                (tile, bench) -> {
                    sum.add(bench.gram);
                    bench.gram.clear();
                });
        GramStatistics statistics = sum.freeze();
        double[] matrix = new double[features * features];
        double shift = LEAST_SHIFT * statistics.scatterTrace() / features;
        statistics.copyScatter(l2 / curvature + shift, matrix);
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] *= curvature / weight;
        }
        try {
            Cholesky.factor(matrix, features, rows.workers());
        } catch (NotPositiveDefiniteException e) {
            return new double[0];
        }
        return matrix;
    }

    /** Adds the loss of the intercepts alone, and their squared distances from the targets. */
    private void addConstant(RowBlock rows, OutputCoding functions, RowLoss loss, RowWeights weights, double[] sums) {
        for (int i = 0; i < rows.rows(); i++) {
            double rowWeight = weights.weight(rows, i);
            sums[0] += rowWeight * loss.value(rows, i, intercepts, 0);
            for (int o = 0; o < outputs; o++) {
                double apart = functions.target(rows, i, o) - intercepts[o];
                sums[1] += rowWeight * apart * apart;
            }
        }
    }

    /** How many numbers linear functions become. */
    int size() {
        return (features + 1) * outputs;
    }

    public int features() {
        return features;
    }

    public int outputs() {
        return outputs;
    }

    /** The sum of the rows' weights. */
    double weight() {
        return weight;
    }

    /** The sum of the losses of the best constant, as {@link RowLoss#intercept} knows it. */
    double nothing() {
        return nothing;
    }

    /** What every weight is multiplied by, where weights are not mixed. */
    public double weightSize() {
        return weightSize;
    }

    /** The standard deviation of numbers to be predicted; 1 for classes. */
    double targetSize() {
        return targetSize;
    }

    /** The functions that are constant. */
    public LinearModel constant() {
        return new LinearModel(features, outputs, new double[features * outputs], intercepts);
    }

    /** Writes functions to a point, from an index on. */
    void write(LinearModel model, double[] point, int at) {
        for (int o = 0; o < outputs; o++) {
            double intercept = model.intercept(o);
            for (int j = 0; j < features; j++) {
                intercept += mean[j] * model.weight(j, o);
                point[at + j * outputs + o] = factor.length == 0 ? weightSize * model.weight(j, o) : mixed(model, j, o);
            }
            point[at + features * outputs + o] = intercept / targetSize;
        }
    }

    private double mixed(LinearModel model, int row, int output) {
        double sum = 0;
        for (int j = row; j < features; j++) {
            sum += factor[row * features + j] * model.weight(j, output);
        }
        return sum / targetSize;
    }

    /** The functions that a point has from an index on. */
    LinearModel read(double[] point, int at) {
        double[] weights = Arrays.copyOfRange(point, at, at + features * outputs);
        double[] offsets = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            offsets[o] = targetSize * point[at + features * outputs + o];
        }
        if (factor.length > 0) {
            Blas.get().solveUpper(false, features, outputs, factor, 0, features, weights, 0, outputs);
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = factor.length == 0 ? weights[i] / weightSize : weights[i] * targetSize;
            offsets[i % outputs] -= mean[i / outputs] * weights[i];
        }
        return new LinearModel(features, outputs, weights, offsets);
    }

    /** Writes derivatives by the numbers of a point, given those by the weights, of features as they are, and intercepts. */
    void writeSlopes(double[] byWeights, double[] byIntercepts, double[] gradient, int at) {
        double[] slopes = new double[features * outputs];
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = byWeights[i] - mean[i / outputs] * byIntercepts[i % outputs];
        }
        if (factor.length > 0) {
            Blas.get().solveUpper(true, features, outputs, factor, 0, features, slopes, 0, outputs);
        }
        for (int i = 0; i < slopes.length; i++) {
            gradient[at + i] = factor.length == 0 ? slopes[i] / weightSize : slopes[i] * targetSize;
        }
        for (int o = 0; o < outputs; o++) {
            gradient[at + features * outputs + o] = targetSize * byIntercepts[o];
        }
    }

    private record TotalsBench(MappedRows rows, FeatureTotals totals) {}

    private record GramBench(MappedRows rows, BlockGram gram) {}

    /** Adds an array to another, and clears it. */
    static void move(double[] from, double[] to) {
        for (int i = 0; i < from.length; i++) {
            to[i] += from[i];
        }
        Arrays.fill(from, 0);
    }
}
