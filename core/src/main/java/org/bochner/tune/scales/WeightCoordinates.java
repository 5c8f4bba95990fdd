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
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureTotals;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.MappedRows;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;

/**
 * Coordinates of a linear model that an optimiser can move together with logarithms of scales. Features are centred
 * by their initial mean, because its direction dominates all others, and all numbers are in units of the targets'
 * standard deviation.
 *
 * <p>For smooth penalties, weights β become Uβ, where UᵀU/N is about the matrix of second derivatives at the start:
 * the features become uncorrelated, and a change of 1 in any coordinate changes the scores by about an equal amount.
 * Otherwise all weights have one factor, the root mean square of the features; it helps less, but penalties keep
 * their form. On cpu_act, with 300 features and one scale per column, solving for the weights reduces a squared
 * objective to 0.0150; 98 evaluations in the first kind of coordinates reduce it to 0.0160, and 112 in the second
 * kind to 0.0226.
 *
 * @param mean the mean of each feature
 * @param totalRowWeight the sum of the row weights
 * @param constantLoss the loss of the best constant, given by {@link RowLoss#intercept}
 * @param targetSize the standard deviation of the targets; 1 for classes
 * @param weightSize the factor of all weights, if they have one
 * @param intercepts the best constant
 * @param factor U, row-major; entries below the diagonal have no meaning. Empty if all weights have one factor
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WeightCoordinates(
        int features,
        int outputs,
        double[] mean,
        double totalRowWeight,
        double constantLoss,
        double targetSize,
        double weightSize,
        double[] intercepts,
        double[] factor) {
    /** The largest number of features for which a D×D factor is computed. */
    private static final int MOST_FACTORED = 4096;

    /** Directions with a smaller share of the mean variance count as if they had this share. */
    private static final double LEAST_SHIFT = 1e-6;

    /**
     * Creates coordinates in two passes over the rows, and a third one for U.
     *
     * @param curvature about the second derivative of the loss, if U may be used; otherwise NaN
     * @param l2 the penalty of half the squared weights
     */
    public static WeightCoordinates measure(
            FoldedRows rows,
            FeatureMap map,
            RowLoss loss,
            ClassWeights classWeights,
            Precision precision,
            double curvature,
            double l2) {
        int features = map.outputDimension();
        int outputs = loss.outputs();
        RowWeights weights = new RowWeights(rows.labels(), classWeights);
        FeatureTotals totals = new FeatureTotals(features, rows.labels());
        rows.pass(
                () -> new Bench(new MappedRows(map, precision), new FeatureTotals(features, rows.labels())),
                (tile, bench) -> bench.totals.add(bench.rows.take(tile.rows()), weights),
                (tile, bench) -> {
                    totals.add(bench.totals);
                    bench.totals.clear();
                });
        double weight = totals.totalRowWeight();
        if (!(weight > 0)) {
            throw new BochnerException("the training rows have no row weight");
        }
        double spread = totals.scatterTrace() / weight;
        double[] intercepts = new double[outputs];
        OutputCoding functions = OutputCoding.of(rows.labels());
        Arrays.setAll(intercepts, o -> loss.intercept(totals.targetMean(functions.target(o))));
        double[] apart = new double[2];
        rows.pass(
                () -> new double[2],
                (tile, bench) -> addConstant(tile.rows(), functions, intercepts, loss, weights, bench),
                (tile, bench) -> Vectors.move(bench, apart));
        double constantLoss = apart[0];
        if (!(constantLoss > 0)) {
            throw new BochnerException("a constant predicts all targets: there is nothing to learn a kernel from");
        }
        double squares = apart[1] / (weight * outputs);
        if (!(constantLoss < Double.POSITIVE_INFINITY && squares < Double.POSITIVE_INFINITY)) {
            throw new BochnerException("the loss of a constant is " + constantLoss
                    + "; the targets or row weights are too large: scale them");
        }
        double targetSize = !functions.classes() && squares > 0 ? Math.sqrt(squares) : 1;
        double weightSize = (spread > 0 ? Math.sqrt(spread / features) : 1) / targetSize;
        double[] factor = curvature > 0 && features <= MOST_FACTORED
                ? factor(rows, map, classWeights, precision, curvature, l2)
                : new double[0];
        return new WeightCoordinates(
                features, outputs, totals.mean(), weight, constantLoss, targetSize, weightSize, intercepts, factor);
    }

    /** Returns U with UᵀU = (curvature·scatter + l2)/N; empty if rounding makes the matrix indefinite. */
    private static double[] factor(
            FoldedRows rows,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            double curvature,
            double l2) {
        int features = map.outputDimension();
        GramAccumulator sum = new GramAccumulator(features, rows.labels());
        FoldStatistics.of(rows, map, classWeights, precision).forEach(sum::combine);
        GramStatistics statistics = sum.freeze();
        double[] matrix = new double[features * features];
        double shift = LEAST_SHIFT * statistics.scatterTrace() / features;
        statistics.copyScatter(l2 / curvature + shift, matrix);
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] *= curvature / statistics.totalRowWeight();
        }
        try {
            Cholesky.factor(matrix, features, rows.workers());
        } catch (NotPositiveDefiniteException e) {
            return new double[0];
        }
        return matrix;
    }

    /** Adds the loss of the intercepts alone, and their squared distances from the targets. */
    private static void addConstant(
            RowBlock rows,
            OutputCoding functions,
            double[] intercepts,
            RowLoss loss,
            RowWeights weights,
            double[] sums) {
        for (int i = 0; i < rows.rows(); i++) {
            double rowWeight = weights.weight(rows, i);
            sums[0] += rowWeight * loss.value(rows::target, i, intercepts, 0);
            for (int o = 0; o < intercepts.length; o++) {
                double apart = functions.target(rows, i, o) - intercepts[o];
                sums[1] += rowWeight * apart * apart;
            }
        }
    }

    /** Returns the number of coordinates. */
    int size() {
        return (features + 1) * outputs;
    }

    /** Returns the best constant model. */
    public LinearModel constant() {
        return new LinearModel(features, outputs, new double[features * outputs], intercepts);
    }

    /** Writes a model to a point, from an index on. */
    void write(LinearModel model, double[] point, int at) {
        for (int o = 0; o < outputs; o++) {
            double intercept = model.intercept(o);
            for (int j = 0; j < features; j++) {
                intercept += mean[j] * model.weight(j, o);
                point[at + j * outputs + o] =
                        factor.length == 0 ? weightSize * model.weight(j, o) : timesFactor(model, j, o);
            }
            point[at + features * outputs + o] = intercept / targetSize;
        }
    }

    private double timesFactor(LinearModel model, int row, int output) {
        double sum = 0;
        for (int j = row; j < features; j++) {
            sum += factor[row * features + j] * model.weight(j, output);
        }
        return sum / targetSize;
    }

    /** Returns the model of a point, from an index on. */
    LinearModel read(double[] point, int at) {
        double[] weights = Arrays.copyOfRange(point, at, at + features * outputs);
        double[] offsets = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            offsets[o] = targetSize * point[at + features * outputs + o];
        }
        if (factor.length > 0) {
            Blas.get().solveUpper(Matrix.of(factor, features, features), Matrix.of(weights, features, outputs));
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = factor.length == 0 ? weights[i] / weightSize : weights[i] * targetSize;
            offsets[i % outputs] -= mean[i / outputs] * weights[i];
        }
        return new LinearModel(features, outputs, weights, offsets);
    }

    /**
     * Writes the derivatives by the coordinates, given those by the weights of uncentred features and by the
     * intercepts.
     */
    void writeSlopes(double[] byWeights, double[] byIntercepts, double[] gradient, int at) {
        double[] slopes = new double[features * outputs];
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = byWeights[i] - mean[i / outputs] * byIntercepts[i % outputs];
        }
        if (factor.length > 0) {
            Blas.get()
                    .solveUpper(
                            Matrix.of(factor, features, features).transposed(), Matrix.of(slopes, features, outputs));
        }
        for (int i = 0; i < slopes.length; i++) {
            gradient[at + i] = factor.length == 0 ? slopes[i] / weightSize : slopes[i] * targetSize;
        }
        for (int o = 0; o < outputs; o++) {
            gradient[at + features * outputs + o] = targetSize * byIntercepts[o];
        }
    }

    /** The mapped rows and the sums of one worker. */
    private record Bench(MappedRows rows, FeatureTotals totals) {}
}
