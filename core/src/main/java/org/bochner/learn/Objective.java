package org.bochner.learn;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/**
 * The sum of a loss over all rows, {@code Σ w·ℓ(f(z), y)}, as a function of a point: the weights, D×outputs, row-major,
 * and after them one intercept an output. One evaluation is one pass over the features, for all outputs at once.
 *
 * <p>Features are centred, f(z) = βᵀ(z − z̄) + b, without being changed: the direction of their mean, which dwarfs all
 * others, would otherwise rule the condition of the problem. {@link #model} moves the intercepts back.
 *
 * <p>Threads: not safe; each pass is parallel by itself.
 */
final class Objective {
    private final FeatureSource source;
    private final Loss loss;
    private final Outputs outputs;
    private final double[] mean;
    private final WeightMatrix weights;
    private final WeightMatrix directions;

    Objective(FeatureSource source, Loss loss) {
        this.source = source;
        this.loss = loss;
        outputs = Outputs.of(source.labels());
        mean = source.mean();
        weights = new WeightMatrix(source.features(), outputs.count());
        directions = new WeightMatrix(source.features(), outputs.count());
    }

    FeatureSource source() {
        return source;
    }

    Loss loss() {
        return loss;
    }

    int features() {
        return source.features();
    }

    int outputs() {
        return outputs.count();
    }

    /** The target of a row for an output. */
    double target(FeatureTile tile, int row, int output) {
        return outputs.target(tile, row, output);
    }

    /** How many numbers a point has. */
    int size() {
        return (features() + 1) * outputs();
    }

    /** Whether the outputs depend on each other, as those of softmax do: then they are one problem, else one each. */
    boolean joint() {
        return loss instanceof Loss.Softmax && outputs() > 1;
    }

    /** How many problems there are that have nothing to do with each other. */
    int problems() {
        return joint() ? 1 : outputs();
    }

    /** The problem that an output belongs to. */
    int problem(int output) {
        return joint() ? 0 : output;
    }

    /** The weights 0, with the best intercepts where they are known beforehand: the mean of numbers. */
    double[] start() {
        double[] point = new double[size()];
        for (int o = 0; o < outputs() && !outputs.classes(); o++) {
            point[features() * outputs() + o] = source.targetMean(o);
        }
        return point;
    }

    /** The point that a model is. */
    double[] point(LinearModel model) {
        Require.sameSize("the model to start from", "features", model.features(), features());
        Require.sameSize("the model to start from", "outputs", model.outputs(), outputs());
        double[] point = new double[size()];
        for (int o = 0; o < outputs(); o++) {
            double intercept = model.intercept(o);
            for (int j = 0; j < features(); j++) {
                point[j * outputs() + o] = model.weight(j, o);
                intercept += mean[j] * model.weight(j, o);
            }
            point[features() * outputs() + o] = intercept;
        }
        return point;
    }

    /** The model that a point is. */
    LinearModel model(double[] point) {
        int count = features() * outputs();
        return new LinearModel(features(), outputs(), Arrays.copyOf(point, count), offsets(point));
    }

    /** b − z̄ᵀβ: the intercepts for features that are not centred. */
    private double[] offsets(double[] point) {
        int count = outputs();
        double[] offsets = Arrays.copyOfRange(point, features() * count, size());
        for (int j = 0; j < features(); j++) {
            for (int o = 0; o < count; o++) {
                offsets[o] -= mean[j] * point[j * count + o];
            }
        }
        return offsets;
    }

    /** The value of each problem at a point; writes the gradient of their sum. */
    double[] evaluate(double[] point, double[] gradient) {
        weights.set(point);
        double[] offsets = offsets(point);
        Sums total = new Sums();
        source.pass(
                Sums::new,
                (tile, sums) -> {
                    sums.score(tile, weights, offsets, 0);
                    sums.addSlopes(tile);
                },
                sums -> sums.moveInto(total));
        total.copyGradient(gradient);
        return total.values;
    }

    /** The value of each problem at a point. */
    double[] evaluate(double[] point) {
        weights.set(point);
        double[] offsets = offsets(point);
        Sums total = new Sums();
        source.pass(
                Sums::new,
                (tile, sums) -> {
                    sums.score(tile, weights, offsets, 0);
                    sums.addValues(tile);
                },
                sums -> sums.moveInto(total));
        return total.values;
    }

    /** The product of the second derivatives at a point with a direction. */
    void curvature(double[] point, double[] direction, double[] product) {
        weights.set(point);
        directions.set(direction);
        double[] offsets = offsets(point);
        double[] steps = offsets(direction);
        Sums total = new Sums();
        source.pass(
                Sums::new,
                (tile, sums) -> {
                    sums.score(tile, weights, offsets, 0);
                    sums.score(tile, directions, steps, 1);
                    sums.addCurvatures(tile);
                },
                sums -> sums.moveInto(total));
        total.copyGradient(product);
    }

    /** What one worker sums up. */
    private final class Sums {
        private final double[] values = new double[problems()];
        /** Σ of the coefficients times the features as they are. */
        private final double[] sum = new double[features() * outputs()];
        /** Σ of the coefficients. */
        private final double[] coefficientSum = new double[outputs()];

        private final double[][] scores = {new double[0], new double[0]};
        private double[] coefficients = new double[0];

        void score(FeatureTile tile, WeightMatrix by, double[] offsets, int which) {
            int count = outputs();
            int length = tile.rows() * count;
            if (scores[which].length < length) {
                scores[which] = new double[length];
            }
            double[] out = scores[which];
            tile.multiply(by, out);
            for (int i = 0; i < tile.rows(); i++) {
                for (int o = 0; o < count; o++) {
                    out[i * count + o] += offsets[o];
                }
            }
            if (coefficients.length < length) {
                coefficients = new double[length];
            }
        }

        void addValues(FeatureTile tile) {
            int count = outputs();
            for (int i = 0; i < tile.rows(); i++) {
                if (joint()) {
                    values[0] += tile.weight(i) * softmaxValue(i * count, (int) tile.target(i, 0));
                } else {
                    for (int o = 0; o < count; o++) {
                        values[o] += tile.weight(i) * loss.value(scores[0][i * count + o], target(tile, i, o));
                    }
                }
            }
        }

        void addSlopes(FeatureTile tile) {
            addValues(tile);
            int count = outputs();
            for (int i = 0; i < tile.rows(); i++) {
                int at = i * count;
                double weight = tile.weight(i);
                if (joint()) {
                    shares(at);
                    coefficients[at + (int) tile.target(i, 0)] -= 1;
                    for (int o = 0; o < count; o++) {
                        coefficients[at + o] *= weight;
                    }
                } else {
                    for (int o = 0; o < count; o++) {
                        coefficients[at + o] = weight * loss.slope(scores[0][at + o], target(tile, i, o));
                    }
                }
            }
            addCoefficients(tile);
        }

        void addCurvatures(FeatureTile tile) {
            int count = outputs();
            double[] steps = scores[1];
            for (int i = 0; i < tile.rows(); i++) {
                int at = i * count;
                double weight = tile.weight(i);
                if (joint()) {
                    shares(at);
                    double mean = 0;
                    for (int o = 0; o < count; o++) {
                        mean += coefficients[at + o] * steps[at + o];
                    }
                    for (int o = 0; o < count; o++) {
                        coefficients[at + o] *= weight * (steps[at + o] - mean);
                    }
                } else {
                    for (int o = 0; o < count; o++) {
                        double curvature = loss.curvature(scores[0][at + o], target(tile, i, o));
                        coefficients[at + o] = weight * curvature * steps[at + o];
                    }
                }
            }
            addCoefficients(tile);
        }

        private double softmaxValue(int at, int label) {
            double most = mostScore(at);
            double sum = 0;
            for (int o = 0; o < outputs(); o++) {
                sum += Math.exp(scores[0][at + o] - most);
            }
            return Math.log(sum) + most - scores[0][at + label];
        }

        /** Writes exp(fₒ)/Σ exp(f) to the coefficients. */
        private void shares(int at) {
            double most = mostScore(at);
            double sum = 0;
            for (int o = 0; o < outputs(); o++) {
                coefficients[at + o] = Math.exp(scores[0][at + o] - most);
                sum += coefficients[at + o];
            }
            for (int o = 0; o < outputs(); o++) {
                coefficients[at + o] /= sum;
            }
        }

        private double mostScore(int at) {
            double most = scores[0][at];
            for (int o = 1; o < outputs(); o++) {
                most = Math.max(most, scores[0][at + o]);
            }
            return most;
        }

        private void addCoefficients(FeatureTile tile) {
            int count = outputs();
            for (int i = 0; i < tile.rows() * count; i++) {
                coefficientSum[i % count] += coefficients[i];
            }
            tile.addTransposed(coefficients, count, sum);
        }

        void moveInto(Sums total) {
            move(values, total.values);
            move(sum, total.sum);
            move(coefficientSum, total.coefficientSum);
        }

        private static void move(double[] from, double[] to) {
            for (int i = 0; i < from.length; i++) {
                to[i] += from[i];
            }
            Arrays.fill(from, 0);
        }

        /** Features less their mean have the sum less the mean times the sum of the coefficients. */
        void copyGradient(double[] gradient) {
            int count = outputs();
            for (int j = 0; j < features(); j++) {
                for (int o = 0; o < count; o++) {
                    gradient[j * count + o] = sum[j * count + o] - mean[j] * coefficientSum[o];
                }
            }
            System.arraycopy(coefficientSum, 0, gradient, features() * count, count);
        }
    }
}
