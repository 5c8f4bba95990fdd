package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/**
 * A point of the dual problem: one variable β per row and output, and the weights that the variables determine. With
 * v = Σ βᵢzᵢ and s = Σ βᵢ,
 *
 * <pre>{@code w = Σ βᵢ(zᵢ − z̄)/l2 = (v − s·z̄)/l2}.</pre>
 *
 * The optimal β satisfy s = 0, because the intercept is not penalised. {@link #measure} computes the primal value at w
 * and the dual value at a feasible β (with sum 0) near the current one, and keeps the best of each. The duality gap,
 * their difference, is an upper bound on the error of the primal value.
 *
 * <p>Memory: {@link #bytesNeeded}. Threads: not safe; each pass uses several threads itself.
 */
final class DualPoint {
    final FeatureSource source;
    final Loss.PerScore loss;
    final DualLoss dual;
    final double l2;
    final int outputs;
    final double[] mean;

    /** β, rows×outputs, row-major. */
    final double[] variables;
    /** v, D×outputs. */
    final WeightMatrix products;
    /** s, one per output. */
    final double[] sums;

    private final Objective objective;
    private final DualTargets rows;
    /** w·(z − z̄) at the last measurement, in the layout of β. */
    private final double[] scores;
    /** w, D×outputs, and the optimal intercepts for w, at the last measurement. */
    private final double[] point;

    /** True for outputs whose w was set by {@link #set} and is not computed from β. */
    private final boolean[] primalSet;

    private final WeightMatrix weights;
    private final double[] bestPoint;
    private final double[] bestPrimal;
    private final double[] bestDual;

    private DualPoint(Objective objective, double l2) {
        this.objective = objective;
        this.l2 = l2;
        source = objective.source();
        loss = objective.perScore();
        dual = DualLoss.of(loss);
        outputs = objective.outputs();
        mean = source.mean();
        rows = new DualTargets(objective);
        variables = rows.zeros();
        scores = rows.zeros();
        products = new WeightMatrix(source.features(), outputs);
        weights = new WeightMatrix(source.features(), outputs);
        sums = new double[outputs];
        primalSet = new boolean[outputs];
        point = new double[objective.size()];
        bestPoint = new double[objective.size()];
        bestPrimal = new double[outputs];
        bestDual = new double[outputs];
        Arrays.fill(bestPrimal, Double.POSITIVE_INFINITY);
        Arrays.fill(bestDual, Double.NEGATIVE_INFINITY);
    }

    /** Returns the point β = 0; reads the targets in one pass. */
    static DualPoint start(Objective objective, double l2) {
        requireMemory(objective.source().rows(), objective.outputs(), DualLoss.of(objective.perScore()));
        return new DualPoint(objective, l2);
    }

    /** Returns the bytes needed for the variables, scores, targets and weights of the given number of rows. */
    static double bytesNeeded(long rows, int outputs) {
        return 8.0 * rows * (3.0 * outputs + 1);
    }

    /** Fails if the variables exceed the length of an array, or the memory. */
    static void requireMemory(long rows, int outputs, DualLoss loss) {
        String what = "dual coordinate descent: the dual variables of " + rows + " rows and " + outputs + " outputs";
        MemoryBudget.requireArray(rows * outputs, what, loss.remedies());
        MemoryBudget.kept().require(bytesNeeded(rows, outputs), what, loss.remedies());
    }

    double target(int row, int output) {
        return rows.target(row, output);
    }

    double rowWeight(int row) {
        return rows.weight(row);
    }

    /** Writes the product of each row with D weights, plus a constant, in one pass. */
    void multiply(WeightMatrix function, double constant, double[] to) {
        source.forEachTile(tile -> {
            double[] out = new double[tile.rows()];
            tile.multiply(function, out);
            int first = (int) tile.firstRow();
            for (int i = 0; i < out.length; i++) {
                to[first + i] = out[i] + constant;
            }
        });
    }

    /** Returns the best β of a row at a score, near a value where the dual has the given curvature besides κ. */
    double best(int row, int output, double from, double score, double curvature) {
        double weight = rows.weight(row);
        double target = target(row, output);
        double ridge = dual.ridge(weight);
        return dual.best(
                from,
                target - score - ridge * from,
                curvature + ridge,
                dual.lower(target, weight),
                dual.upper(target, weight));
    }

    /** Returns the weight of a feature at the last measurement. */
    double weight(int feature, int output) {
        return point[feature * outputs + output];
    }

    /** Returns the score of a row, without the intercept, at the last measurement. */
    double score(int row, int output) {
        return scores[row * outputs + output];
    }

    /** Sets v and s of one output after its variables changed, and weights better than those computed from β. */
    void set(int output, double[] v, double s, double[] primal) {
        double[] all = products.float64().clone();
        for (int j = 0; j < v.length; j++) {
            all[j * outputs + output] = v[j];
            point[j * outputs + output] = primal[j];
        }
        products.set(all);
        sums[output] = s;
        primalSet[output] = true;
    }

    /** Returns the optimal intercept for the weights at the last measurement. */
    double intercept(int output) {
        return point[source.features() * outputs + output];
    }

    /**
     * Starts from a primal point: sets each variable to the negative slope of its row's loss. The variables are exact
     * where the loss has no kink near the score. The larger of the positive and the negative side is then scaled down
     * until the sum is 0, and all variables are scaled by the factor in [0, 1] with the largest dual value.
     */
    void startAt(double[] start) {
        Sides total = sides(start, (tile, sides) -> sides.setVariables(tile, start));
        double[][] factors = new double[outputs][];
        for (int o = 0; o < outputs; o++) {
            double[] balance = total.balance(o);
            double rise = mixed(balance, total.linear, o);
            double bend = total.squaredNorm(o, balance) / l2
                    + balance[0] * balance[0] * total.square[0][o]
                    + balance[1] * balance[1] * total.square[1][o];
            double share = bend > 0 ? Math.max(0, Math.min(1, rise / bend)) : 0;
            factors[o] = new double[] {share * balance[0], share * balance[1]};
            sums[o] = mixed(factors[o], total.sum, o);
        }
        double[] v = new double[total.products[0].length];
        Arrays.setAll(v, j -> mixed(factors[j % outputs], total.products, j));
        products.set(v);
        for (int i = 0; i < variables.length; i++) {
            variables[i] *= factors[i % outputs][variables[i] > 0 ? 0 : 1];
        }
    }

    /** Computes the scores of a primal point and sums up both sides, each tile after some work between the two. */
    private Sides sides(double[] at, BiConsumer<FeatureTile, Sides> between) {
        weights.set(at);
        double[] offsets = LinearModel.uncentre(new double[outputs], at, mean);
        Sides total = new Sides();
        source.pass(
                Sides::new,
                (tile, sides) -> {
                    sides.score(tile, offsets);
                    between.accept(tile, sides);
                    sides.add(tile);
                },
                sides -> sides.moveInto(total));
        return total;
    }

    /** Returns the sum of the entries of both sides, times one factor per side. */
    private static double mixed(double[] factors, double[][] sides, int at) {
        return factors[0] * sides[0][at] + factors[1] * sides[1][at];
    }

    /** Computes the primal and the dual value in one pass and keeps the best of each. */
    void measure() {
        double[] v = products.float64();
        for (int j = 0; j < mean.length; j++) {
            for (int o = 0; o < outputs; o++) {
                if (!primalSet[o]) {
                    point[j * outputs + o] = (v[j * outputs + o] - sums[o] * mean[j]) / l2;
                }
            }
        }
        Sides total = sides(point, (tile, sides) -> {});
        for (int o = 0; o < outputs; o++) {
            sums[o] = total.sum[0][o] + total.sum[1][o];
            bestDual[o] = Math.max(bestDual[o], total.dualValue(o));
            takePrimal(o);
        }
    }

    private void takePrimal(int output) {
        int intercept = source.features() * outputs + output;
        point[intercept] = rows.bestIntercept(scores, output, point[intercept]);
        double norm = 0;
        for (int j = output; j < source.features() * outputs; j += outputs) {
            norm += point[j] * point[j];
        }
        double value = rows.value(scores, output, point[intercept]) + l2 / 2 * norm;
        if (!(value < Double.POSITIVE_INFINITY)) {
            throw new BochnerException(
                    "dual coordinate descent: the objective is " + value,
                    Remedy.set(Setting.SCALING, "standard", ""),
                    Remedy.advice("choose a larger penalty"));
        }
        if (value < bestPrimal[output]) {
            bestPrimal[output] = value;
            for (int j = output; j < bestPoint.length; j += outputs) {
                bestPoint[j] = point[j];
            }
        }
    }

    /** Returns the duality gap of one output, relative to its primal value. */
    double gap(int output) {
        double gap = Math.max(0, bestPrimal[output] - bestDual[output]);
        return gap == 0 ? 0 : gap / Math.max(bestPrimal[output], Double.MIN_NORMAL);
    }

    /** Returns the largest relative gap of all outputs. */
    double gap() {
        return IntStream.range(0, outputs).mapToDouble(this::gap).max().orElse(0);
    }

    /** Returns the sum of the best primal values. */
    double value() {
        return Arrays.stream(bestPrimal).sum();
    }

    /** Returns the point with the best primal values; the shared array. */
    double[] best() {
        return bestPoint;
    }

    /** Returns the number of features with a non-zero weight. */
    int nonZeros() {
        return LinearModel.nonZeros(bestPoint, source.features(), outputs);
    }

    LinearModel model() {
        return objective.model(bestPoint);
    }

    /** Sums over the rows with β &gt; 0 (index 0) and over the rows with β &lt; 0 (index 1). */
    private final class Sides {
        private final double[][] products = new double[2][source.features() * outputs];
        private final double[][] sum = new double[2][outputs];
        private final double[][] linear = new double[2][outputs];
        private final double[][] square = new double[2][outputs];
        private double[] tileScores = new double[0];
        private final double[][] coefficients = {new double[0], new double[0]};

        void score(FeatureTile tile, double[] offsets) {
            int length = tile.rows() * outputs;
            if (tileScores.length < length) {
                tileScores = new double[length];
            }
            tile.multiply(weights, tileScores);
            int first = (int) tile.firstRow() * outputs;
            for (int i = 0; i < length; i++) {
                scores[first + i] = tileScores[i] + offsets[i % outputs];
            }
        }

        void setVariables(FeatureTile tile, double[] start) {
            int first = (int) tile.firstRow();
            for (int i = first; i < first + tile.rows(); i++) {
                for (int o = 0; o < outputs; o++) {
                    double score = scores[i * outputs + o] + start[mean.length * outputs + o];
                    variables[i * outputs + o] = -rows.weight(i) * loss.slope(score, target(i, o));
                }
            }
        }

        void add(FeatureTile tile) {
            int length = tile.rows() * outputs;
            if (coefficients[0].length < length) {
                coefficients[0] = new double[length];
                coefficients[1] = new double[length];
            }
            int first = (int) tile.firstRow();
            for (int i = 0; i < tile.rows(); i++) {
                for (int o = 0; o < outputs; o++) {
                    int at = i * outputs + o;
                    double variable = variables[first * outputs + at];
                    coefficients[0][at] = Math.max(0, variable);
                    coefficients[1][at] = Math.min(0, variable);
                    if (variable != 0) {
                        int side = variable > 0 ? 0 : 1;
                        sum[side][o] += variable;
                        linear[side][o] += variable * target(first + i, o) - dual.epsilon() * Math.abs(variable);
                        square[side][o] += dual.ridge(rows.weight(first + i)) * variable * variable;
                    }
                }
            }
            tile.addTransposed(coefficients[0], outputs, products[0]);
            tile.addTransposed(coefficients[1], outputs, products[1]);
        }

        /** Returns one factor in [0, 1] per side; the scaled sides sum to 0. */
        double[] balance(int o) {
            double above = sum[0][o];
            double below = -sum[1][o];
            double least = Math.min(above, below);
            return new double[] {above > 0 ? least / above : 0, below > 0 ? least / below : 0};
        }

        double dualValue(int o) {
            double[] balance = balance(o);
            double value = 0;
            for (int side = 0; side < 2; side++) {
                value += balance[side] * linear[side][o] - balance[side] * balance[side] * square[side][o] / 2;
            }
            return value - squaredNorm(o, balance) / (2 * l2);
        }

        /** Returns |v|² of an output with scaled sides. */
        double squaredNorm(int o, double[] balance) {
            double norm = 0;
            for (int j = o; j < products[0].length; j += outputs) {
                double v = mixed(balance, products, j);
                norm += v * v;
            }
            return norm;
        }

        void moveInto(Sides total) {
            for (int side = 0; side < 2; side++) {
                Vectors.move(products[side], total.products[side]);
                Vectors.move(sum[side], total.sum[side]);
                Vectors.move(linear[side], total.linear[side]);
                Vectors.move(square[side], total.square[side]);
            }
        }
    }
}
