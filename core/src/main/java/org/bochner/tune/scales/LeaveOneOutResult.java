package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.numeric.matrix.Blas;
import org.bochner.stats.FeatureBlock;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * Ridge regression judged by the squared error on every row when all others are learned from. No fit but the one on all
 * rows is needed: leaving a row out makes r/t of its residual r, with t = 1 − h and h = w·(1/N + (z − z̄)ᵀQ⁻¹(z − z̄)) its
 * leverage, N the weight of all rows (Allen, 1974, doi:10.1080/00401706.1974.10489157).
 *
 * <p>With Q⁻¹ = RRᵀ and u = Rᵀ(z − z̄), leverages are squared lengths of u. One pass sums up the criterion and, from its
 * derivatives ℓ′ = −2wr/t² by the fitted values and c = 2w·Σr²/t³ by the leverages, Σ ℓ′u, Σ cw·u and K = Σ cw·uuᵀ. The
 * adjoint of what moves fitted values is P = R·Σ ℓ′u, as in {@link RidgeCriterion}. Leverages move with the row itself, with the
 * mean and with Q, which adds 2w·R(c·u − Σcw·u/N − K·u) to the derivative by a row's features. With V the eigenvectors of K
 * and δ its eigenvalues, T = RV also has Q⁻¹ = TTᵀ, and the same is 2w·Σⱼ ((c − δⱼ)uⱼ − (Σcw·u)ⱼ/N)·Tⱼ with u = Tᵀ(z − z̄): a
 * combination of D columns more.
 */
public final class LeaveOneOutResult implements CriterionResult {
    private final RidgeCriterion.Problem problem;
    private final int features;
    private final int outputs;
    private final double lambda;
    private final double total;
    private final double[] weights;
    private final double[] mean;
    private final double value;
    private double penaltySlope;

    /** δ. */
    private double[] eigenvalues = new double[0];

    /** Σ cw·u/N. */
    private double[] meanPull = new double[0];

    /** Σ ℓ′/N. */
    private double[] adjointShift = new double[0];

    /** First R and W, for the derivatives T, W and P. */
    private WeightMatrix columns;

    private double[] shifts;

    /**
     * Goes over the rows once.
     *
     * @param root R, D×D
     * @param weights W of the fit on all rows, D×outputs
     */
    LeaveOneOutResult(RidgeCriterion.Problem problem, double lambda, double[] root, double[] weights, ScoredRows rows) {
        this.problem = problem;
        this.lambda = lambda;
        this.weights = weights;
        features = problem.features();
        outputs = problem.outputs().count();
        total = problem.total().weight();
        mean = problem.total().mean();
        columns = beside(root, weights);
        shifts = shifts(columns);
        Sums sums = new Sums();
        rows.pass(columns, Sums::new, this::add, one -> one.moveInto(sums));
        value = sums.value;
        if (value < Double.POSITIVE_INFINITY) {
            differentiate(root, sums);
        }
    }

    /** D×D numbers and then some D×outputs, side by side. */
    private WeightMatrix beside(double[] square, double[]... others) {
        int width = features + outputs * others.length;
        double[] all = new double[Math.multiplyExact(features, width)];
        for (int j = 0; j < features; j++) {
            System.arraycopy(square, j * features, all, j * width, features);
            for (int k = 0; k < others.length; k++) {
                System.arraycopy(others[k], j * outputs, all, j * width + features + k * outputs, outputs);
            }
        }
        return WeightMatrix.of(features, width, all);
    }

    /** Column by column, its product with the mean; for fitted values less the intercept at the mean. */
    private double[] shifts(WeightMatrix of) {
        double[] products = new double[of.outputs()];
        Blas.get().gemv(true, features, products.length, 1.0, of.float64(), 0, products.length, mean, 0.0, products);
        for (int o = 0; o < outputs; o++) {
            products[features + o] -= problem.targetMean(o);
        }
        return products;
    }

    private void differentiate(double[] root, Sums sums) {
        double[] vectors = sums.products;
        eigenvalues = Blas.get().eigen(features, vectors);
        double[] rotated = new double[features * features];
        Blas.get()
                .gemm(
                        false, true, features, features, features, 1.0, root, 0, features, vectors, 0, features, 0.0,
                        rotated, 0, features);
        double[] adjoint = new double[features * outputs];
        Blas.get()
                .gemm(
                        false,
                        false,
                        features,
                        outputs,
                        features,
                        1.0,
                        root,
                        0,
                        features,
                        sums.adjoint,
                        0,
                        outputs,
                        0.0,
                        adjoint,
                        0,
                        outputs);
        meanPull = new double[features];
        Blas.get().gemv(false, features, features, 1 / total, vectors, 0, features, sums.pull, 0.0, meanPull);
        adjointShift = Arrays.stream(sums.slope).map(slope -> slope / total).toArray();
        columns = beside(rotated, weights, adjoint);
        shifts = shifts(columns);
        for (int o = 0; o < outputs; o++) {
            shifts[features + outputs + o] -= adjointShift[o];
        }
        double trace = 0;
        for (int i = 0; i < rotated.length; i++) {
            trace += eigenvalues[i % features] * rotated[i] * rotated[i];
        }
        for (int i = 0; i < weights.length; i++) {
            trace += adjoint[i] * weights[i];
        }
        penaltySlope = -lambda * trace;
    }

    /** What the first pass sums up. */
    private final class Sums {
        private double value;
        private final double[] slope = new double[outputs];
        private final double[] adjoint = new double[features * outputs];
        private final double[] pull = new double[features];
        private final double[] products = new double[Math.multiplyExact(features, features)];

        void moveInto(Sums other) {
            other.value += value;
            value = 0;
            move(slope, other.slope);
            move(adjoint, other.adjoint);
            move(pull, other.pull);
            move(products, other.products);
        }

        private static void move(double[] from, double[] to) {
            for (int i = 0; i < from.length; i++) {
                to[i] += from[i];
            }
            Arrays.fill(from, 0);
        }
    }

    private void add(FoldedRows.Tile tile, FeatureBlock block, double[] scores, Sums sums) {
        RowBlock rows = tile.rows();
        int count = rows.rows();
        int width = features + outputs;
        double[] pulls = new double[count];
        for (int i = 0; i < count; i++) {
            int at = i * width;
            double weight = problem.weight(rows, i);
            double slack = slack(weight, scores, at, width);
            double squares = 0;
            for (int o = 0; o < outputs; o++) {
                double residual = problem.outputs().target(rows, i, o) - scores[at + features + o];
                double slope = slope(weight, residual, slack);
                squares += residual * residual;
                scores[at + features + o] = slope;
                sums.slope[o] += slope;
            }
            sums.value += slack > 0 ? weight * squares / (problem.nothing() * slack * slack) : Double.POSITIVE_INFINITY;
            pulls[i] = weight * pull(weight, squares, slack);
        }
        Blas.get()
                .gemm(
                        true,
                        false,
                        features,
                        outputs,
                        count,
                        1.0,
                        scores,
                        0,
                        width,
                        scores,
                        features,
                        width,
                        1.0,
                        sums.adjoint,
                        0,
                        outputs);
        for (int i = 0; i < count; i++) {
            double root = Math.sqrt(pulls[i]);
            for (int j = 0; j < features; j++) {
                double u = scores[i * width + j];
                sums.pull[j] += pulls[i] * u;
                scores[i * width + j] = root * u;
            }
        }
        Blas.get().gram(features, count, 1.0, scores, 0, width, 1.0, sums.products, features);
    }

    /** Takes the shifts off a row's scores; returns t. */
    private double slack(double weight, double[] scores, int at, int width) {
        double square = 0;
        for (int j = 0; j < features; j++) {
            double u = scores[at + j] - shifts[j];
            scores[at + j] = u;
            square += u * u;
        }
        for (int c = features; c < width; c++) {
            scores[at + c] -= shifts[c];
        }
        return 1 - weight * (1 / total + square);
    }

    /** ℓ′. */
    private double slope(double weight, double residual, double slack) {
        return -2 * weight * residual / (problem.nothing() * slack * slack);
    }

    /** c. */
    private double pull(double weight, double squares, double slack) {
        return 2 * weight * squares / (problem.nothing() * slack * slack * slack);
    }

    @Override
    public double value() {
        return value;
    }

    @Override
    public double penaltySlope() {
        return penaltySlope;
    }

    @Override
    public double lambda() {
        return lambda;
    }

    @Override
    public WeightMatrix columns() {
        return columns;
    }

    @Override
    public void coefficients(FoldedRows.Tile tile, double[] scores) {
        RowBlock rows = tile.rows();
        int width = features + 2 * outputs;
        for (int i = 0; i < rows.rows(); i++) {
            int at = i * width;
            double weight = problem.weight(rows, i);
            double slack = slack(weight, scores, at, width);
            double squares = 0;
            for (int o = at + features; o < at + features + outputs; o++) {
                double residual = problem.outputs().target(rows, i, o - at - features) - scores[o];
                squares += residual * residual;
                scores[o] = slope(weight, residual, slack) - weight * scores[o + outputs];
                scores[o + outputs] = weight * residual;
            }
            double pull = pull(weight, squares, slack);
            for (int j = 0; j < features; j++) {
                scores[at + j] = 2 * weight * ((pull - eigenvalues[j]) * scores[at + j] - meanPull[j]);
            }
        }
    }
}
