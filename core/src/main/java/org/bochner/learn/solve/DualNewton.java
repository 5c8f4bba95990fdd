package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;

/**
 * Newton's method for one output of a {@link DualPoint}. Coordinate descent is slow if there are many more rows than
 * features or if the penalty is small; Newton's method converges in tens of steps for every penalty.
 *
 * <p>Each round is a step of the proximal point method in the dual: βₖ₊₁ maximises the dual value minus
 * {@code |β − βₖ|²/(2σ)}. The round is solved in the primal, over w and b, as the minimum of
 * {@code l2/2·|w|² + Σ mᵢ(fᵢ)}, where mᵢ is the smoothed loss
 *
 * <pre>{@code m(f) = max over β of β(y − f) − ε|β| − κβ²/2 − (β − βₖ)²/(2σ)},</pre>
 *
 * which is piecewise quadratic. The Hessian is l2·I plus σ·zzᵀ summed over the free rows, whose β lies strictly between
 * its bounds; near the optimum there are about as many free rows as features. A Newton step takes two passes over the
 * features and a Cholesky factor of a D×D matrix (Li, Sun and Toh, 2018, for the lasso).
 *
 * <p>Memory: 16·D² bytes, and 24 bytes per row. Threads: not safe; each pass uses several threads itself.
 */
final class DualNewton {
    /** Number of rows whose outer products are added to the Hessian in one matrix product. */
    private static final int PANEL_ROWS = 256;

    /** A round ends when the squared gradient, in units of the objective, is below this share of the round's gain. */
    private static final double ROUND_SHARE = 0.1;

    /** Maximum number of steps per round; the next round continues from the point reached. */
    private static final int ROUND_STEPS = 10;

    private final DualPoint point;
    private final int output;
    private final int features;
    private final double l2;
    private final double spread;

    private final double[] weights;
    private double intercept;
    private double sigma;
    /** βₖ. */
    private final double[] centres;

    private final double[] scores;
    private final double[] scoreSteps;
    private final WeightMatrix functions;

    private final double[] gradient;
    /** Σ βz. */
    private final double[] products;
    /** Σ β. */
    private double sum;

    private final double[] curvature;
    private final double[] curvatureWithIntercept;
    private double interceptCurvature;
    private final double[] panel;
    private int panelRows;

    DualNewton(DualPoint point, int output) {
        this.point = point;
        this.output = output;
        features = point.source.features();
        l2 = point.l2;
        double share = point.source.scatterTrace() / point.source.totalRowWeight();
        spread = share > 0 ? share : 1;
        int rows = (int) point.source.rows();
        weights = new double[features];
        Arrays.setAll(weights, j -> point.weight(j, output));
        intercept = point.intercept(output);
        centres = new double[rows];
        scores = new double[rows];
        scoreSteps = new double[rows];
        functions = new WeightMatrix(features, 1);
        gradient = new double[features];
        products = new double[features];
        curvature = new double[features * features];
        curvatureWithIntercept = new double[features];
        panel = new double[PANEL_ROWS * features];
        sigma = firstSigma(rows);
    }

    /** Returns true if the memory holds the D×D matrices. */
    static boolean affordable(int features) {
        return features <= 8192 && MemoryBudget.spare().holds(16.0 * features * features);
    }

    /** Returns the first σ, for which a residual of half the mean size moves β across its whole range. */
    private double firstSigma(int rows) {
        double variables = 0;
        double residuals = 0;
        for (int i = 0; i < rows; i++) {
            variables += point.rowWeight(i);
            residuals += point.rowWeight(i) * Math.abs(point.target(i, output) - point.score(i, output) - intercept);
        }
        return residuals > 0 ? 2 * variables / residuals * (variables / rows) : 2;
    }

    /**
     * Runs one round of at most {@code most} Newton steps.
     *
     * @return the number of steps taken
     */
    int round(int most) {
        Arrays.setAll(centres, i -> point.variables[i * point.outputs + output]);
        int steps = 0;
        evaluate();
        while (steps < Math.min(most, ROUND_STEPS) && !roundIsDone()) {
            double[] direction = direction();
            if (!search(direction)) {
                break;
            }
            steps++;
            evaluate();
        }
        point.set(output, products, sum, weights);
        sigma *= steps <= 3 ? 4 : steps <= 6 ? 2 : 1;
        return steps;
    }

    /** Computes the scores, the best β for the scores, the gradient and the Hessian in one pass. */
    private void evaluate() {
        functions.set(weights);
        double shift = LinearModel.uncentre(new double[] {intercept}, weights, point.mean)[0];
        Arrays.fill(products, 0);
        Arrays.fill(curvature, 0);
        Arrays.fill(curvatureWithIntercept, 0);
        interceptCurvature = 0;
        sum = 0;
        panelRows = 0;
        point.source.pass(Bench::new, (tile, bench) -> bench.add(tile, shift), this::take);
        flush();
        for (int j = 0; j < features; j++) {
            gradient[j] = l2 * weights[j] - (products[j] - sum * point.mean[j]);
            curvature[j * features + j] += l2;
        }
    }

    /** Returns the best β of a row at a score. */
    private double variable(int row, double score) {
        return point.rowWeight(row) == 0 ? 0 : point.best(row, output, centres[row], score, 1 / sigma);
    }

    /** Returns −dβ/df of a row: 0 if β is at a bound or at the kink of |β|. */
    private double fall(int row, double variable) {
        double weight = point.rowWeight(row);
        double target = point.target(row, output);
        boolean free = weight > 0
                && variable > point.dual.lower(target, weight)
                && variable < point.dual.upper(target, weight)
                && (variable != 0 || point.dual.epsilon() == 0);
        return free ? 1 / (1 / sigma + point.dual.ridge(weight)) : 0;
    }

    private boolean roundIsDone() {
        double square = sum * sum * spread + Vectors.dot(gradient, gradient);
        double gained = 0;
        for (int i = 0; i < centres.length; i++) {
            double moved = point.variables[i * point.outputs + output] - centres[i];
            gained += moved * moved;
        }
        return square / l2 <= ROUND_SHARE * gained / sigma;
    }

    /** Returns the Newton direction: of the weights, then of the intercept. */
    private double[] direction() {
        Blas blas = Blas.get();
        double[] columns = new double[2 * features];
        for (int j = 0; j < features; j++) {
            columns[2 * j] = -gradient[j];
            columns[2 * j + 1] = curvatureWithIntercept[j];
        }
        if (blas.factorUpper(features, curvature, 0, features) >= 0) {
            return new double[features + 1];
        }
        blas.solveUpper(Matrix.of(curvature, features, features).transposed(), Matrix.of(columns, features, 2));
        blas.solveUpper(Matrix.of(curvature, features, features), Matrix.of(columns, features, 2));
        double rise = sum;
        double bend = interceptCurvature;
        for (int j = 0; j < features; j++) {
            rise -= curvatureWithIntercept[j] * columns[2 * j];
            bend -= curvatureWithIntercept[j] * columns[2 * j + 1];
        }
        // Without free rows the intercept has no curvature; the line search then finds the step length.
        double step = rise / Math.max(bend, 1e-3 * l2 / spread);
        double[] direction = new double[features + 1];
        for (int j = 0; j < features; j++) {
            direction[j] = columns[2 * j] - step * columns[2 * j + 1];
        }
        direction[features] = step;
        return direction;
    }

    /** Moves to the minimum along a direction. Returns false if the direction does not descend. */
    private boolean search(double[] direction) {
        functions.set(direction);
        double shift = LinearModel.uncentre(new double[] {direction[features]}, direction, point.mean)[0];
        point.multiply(functions, shift, scoreSteps);
        double[] ofWeights = Arrays.copyOf(direction, features);
        double slope = l2 * Vectors.dot(weights, ofWeights);
        double bend = l2 * Vectors.dot(ofWeights, ofWeights);
        double start = slope(0, slope, bend);
        if (!(start < 0)) {
            return false;
        }
        double low = 0;
        double high = 1;
        double atHigh = slope(high, slope, bend);
        while (atHigh < 0.1 * start) {
            low = high;
            high *= 2;
            atHigh = slope(high, slope, bend);
        }
        double step = high;
        for (int k = 0; k < 40 && Math.abs(atHigh) > -0.1 * start; k++) {
            step = (low + high) / 2;
            atHigh = slope(step, slope, bend);
            if (atHigh < 0) {
                low = step;
            } else {
                high = step;
            }
        }
        Vectors.add(step, ofWeights, weights);
        intercept += step * direction[features];
        return true;
    }

    private double slope(double step, double slope, double bend) {
        double total = slope + step * bend;
        for (int i = 0; i < scores.length; i++) {
            total -= variable(i, scores[i] + step * scoreSteps[i]) * scoreSteps[i];
        }
        return total;
    }

    private void take(Bench bench) {
        Vectors.move(bench.products, products);
        sum += bench.sum;
        bench.sum = 0;
        for (int k = 0; k < bench.freeRows; k++) {
            if (panelRows == PANEL_ROWS) {
                flush();
            }
            System.arraycopy(bench.free, k * features, panel, panelRows++ * features, features);
            double root = bench.roots[k];
            interceptCurvature += root * root;
            Vectors.add(root, bench.free, k * features, curvatureWithIntercept, 0, features);
        }
        bench.freeRows = 0;
    }

    private void flush() {
        if (panelRows > 0) {
            Blas.get().gram(1.0, Matrix.of(panel, panelRows, features), 1.0, Matrix.of(curvature, features, features));
            panelRows = 0;
        }
    }

    /** The sums of one worker over a chunk of rows. */
    private final class Bench {
        private final double[] products = new double[features];
        private double sum;
        /** The free rows, centred, each multiplied by the square root of its curvature. */
        private double[] free = new double[0];

        private double[] roots = new double[0];
        private int freeRows;

        void add(FeatureTile tile, double offset) {
            double[] out = new double[tile.rows()];
            tile.multiply(functions, out);
            int first = (int) tile.firstRow();
            for (int i = 0; i < out.length; i++) {
                int row = first + i;
                scores[row] = out[i] + offset;
                double variable = variable(row, scores[row]);
                point.variables[row * point.outputs + output] = variable;
                out[i] = variable;
                sum += variable;
                double fall = fall(row, variable);
                if (fall > 0) {
                    addFree(tile, i, Math.sqrt(fall));
                }
            }
            tile.addTransposed(out, 1, products);
        }

        private void addFree(FeatureTile tile, int row, double root) {
            if (roots.length == freeRows) {
                int room = Math.max(16, 2 * freeRows);
                free = Arrays.copyOf(free, Math.multiplyExact(room, features));
                roots = Arrays.copyOf(roots, room);
            }
            int at = freeRows * features;
            double[] values = new double[features];
            tile.addRow(row, root, values);
            for (int j = 0; j < features; j++) {
                free[at + j] = values[j] - root * point.mean[j];
            }
            roots[freeRows++] = root;
        }
    }
}
