package org.bochner.tune.scales;

import org.bochner.data.RowBlock;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.folds.ScoredRows;

/**
 * The leave-one-out error of ridge regression. It needs only the fit to all rows: leaving a row out changes its
 * residual r to r/t, with t = 1 − h, its leverage h = w·(1/N + (z − z̄)ᵀQ⁻¹(z − z̄)) and the total row weight N
 * (Allen, 1974, doi:10.1080/00401706.1974.10489157).
 *
 * <p>With Q⁻¹ = RRᵀ and u = Rᵀ(z − z̄), leverages are squared lengths of u. One pass sums up the criterion and, from
 * its derivatives ℓ′ = −2wr/t² by the fitted values and c = 2w·Σr²/t³ by the leverages, Σ ℓ′u, Σ cw·u and K = Σ
 * cw·uuᵀ. The adjoint of the fitted values is P = R·Σ ℓ′u, as in {@link RidgeFolds}. Leverages depend on the row
 * itself, on the mean and on Q, which adds 2w·R(c·u − Σcw·u/N − K·u) to the derivative by a row's features. With the
 * eigenvectors V of K and its eigenvalues δ, T = RV also satisfies Q⁻¹ = TTᵀ, and this derivative is 2w·Σⱼ ((c −
 * δⱼ)uⱼ − (Σcw·u)ⱼ/N)·Tⱼ with u = Tᵀ(z − z̄): a combination of D more columns.
 */
final class LeaveOneOut {
    private final RidgeFolds problem;
    private final int features;
    private final int outputs;
    private final double lambda;
    private final double total;
    private final double[] root;
    private final double[] weights;
    private final double[] mean;

    /**
     * Creates the criterion.
     *
     * @param root R, D×D
     * @param weights W of the fit to all rows, D×outputs
     */
    LeaveOneOut(RidgeFolds problem, double lambda, double[] root, double[] weights) {
        this.problem = problem;
        this.lambda = lambda;
        this.root = root;
        this.weights = weights;
        features = problem.features();
        outputs = problem.outputs().count();
        total = problem.total().totalRowWeight();
        mean = problem.total().mean();
    }

    /** Evaluates the criterion and its derivatives in one pass over the rows. */
    CriterionResult result(ScoredRows rows) {
        WeightMatrix columns = beside(root, weights);
        double[] shifts = shifts(columns);
        Sums sums = new Sums();
        rows.pass(
                columns,
                Sums::new,
                (tile, features, scores, one) -> add(tile, shifts, scores, one),
                one -> one.moveInto(sums));
        return sums.value[0] < Double.POSITIVE_INFINITY
                ? differentiated(sums, rows)
                : new FeatureResult(sums.value[0], Double.NaN, lambda, columns, (tile, scores) -> {}, rows);
    }

    /** A D×D matrix and some D×outputs matrices, side by side. */
    private WeightMatrix beside(double[] square, double[]... others) {
        int columns = features + outputs * others.length;
        double[] all = new double[Math.multiplyExact(features, columns)];
        for (int j = 0; j < features; j++) {
            System.arraycopy(square, j * features, all, j * columns, features);
            for (int k = 0; k < others.length; k++) {
                System.arraycopy(others[k], j * outputs, all, j * columns + features + k * outputs, outputs);
            }
        }
        return WeightMatrix.of(features, columns, all);
    }

    /** The product of each column with the mean; for fitted values less the intercept at the mean. */
    private double[] shifts(WeightMatrix of) {
        double[] products = new double[of.outputs()];
        Blas.get()
                .multiply(
                        1.0, Matrix.of(of.float64(), features, products.length).transposed(), mean, 0.0, products);
        double[] targets = problem.targetMeans();
        for (int o = 0; o < outputs; o++) {
            products[features + o] -= targets[o];
        }
        return products;
    }

    private CriterionResult differentiated(Sums sums, ScoredRows rows) {
        double[] vectors = sums.products;
        double[] eigenvalues = Blas.get().eigen(features, vectors);
        double[] rotated = timesRoot(true, vectors, features);
        double[] adjoint = timesRoot(false, sums.adjoint, outputs);
        double[] meanPull = new double[features];
        Blas.get().multiply(1 / total, Matrix.of(vectors, features, features), sums.pull, 0.0, meanPull);
        WeightMatrix columns = beside(rotated, weights, adjoint);
        double[] shifts = shifts(columns);
        for (int o = 0; o < outputs; o++) {
            shifts[features + outputs + o] -= sums.slope[o] / total;
        }
        double trace = Vectors.dot(adjoint, weights);
        for (int i = 0; i < rotated.length; i++) {
            trace += eigenvalues[i % features] * rotated[i] * rotated[i];
        }
        return new FeatureResult(
                sums.value[0],
                -lambda * trace,
                lambda,
                columns,
                (tile, scores) -> replace(tile, shifts, eigenvalues, meanPull, scores),
                rows);
    }

    /** R times a matrix of D rows, or times the transpose of a D×D matrix. */
    private double[] timesRoot(boolean transposed, double[] matrix, int columns) {
        double[] product = new double[features * columns];
        Matrix<double[]> operand = Matrix.of(matrix, features, columns);
        Blas.get().multiply(Matrix.of(root, features, features), transposed ? operand.transposed() : operand, product);
        return product;
    }

    /** The sums of the first pass. */
    private final class Sums {
        private final double[] value = new double[1];
        private final double[] slope = new double[outputs];
        private final double[] adjoint = new double[features * outputs];
        private final double[] pull = new double[features];
        private final double[] products = new double[Math.multiplyExact(features, features)];

        void moveInto(Sums other) {
            Vectors.move(value, other.value);
            Vectors.move(slope, other.slope);
            Vectors.move(adjoint, other.adjoint);
            Vectors.move(pull, other.pull);
            Vectors.move(products, other.products);
        }
    }

    private void add(FoldedRows.Tile tile, double[] shifts, double[] scores, Sums sums) {
        RowBlock rows = tile.rows();
        int count = rows.rows();
        int columns = features + outputs;
        double[] pulls = new double[count];
        for (int i = 0; i < count; i++) {
            int at = i * columns;
            double weight = problem.rowWeight(rows, i);
            double slack = slack(weight, shifts, scores, at);
            double squares = 0;
            for (int o = 0; o < outputs; o++) {
                double residual = problem.outputs().target(rows, i, o) - scores[at + features + o];
                double slope = slope(weight, residual, slack);
                squares += residual * residual;
                scores[at + features + o] = slope;
                sums.slope[o] += slope;
            }
            sums.value[0] += slack > 0
                    ? weight * squares / (problem.constantSquares() * slack * slack)
                    : Double.POSITIVE_INFINITY;
            pulls[i] = weight * pull(weight, squares, slack);
        }
        Matrix<double[]> centred = Matrix.of(scores, 0, count, features, columns);
        Matrix<double[]> slopes = Matrix.of(scores, features, count, outputs, columns);
        Blas.get().multiply(1.0, centred.transposed(), slopes, 1.0, Matrix.of(sums.adjoint, features, outputs));
        for (int i = 0; i < count; i++) {
            double size = Math.sqrt(pulls[i]);
            for (int j = 0; j < features; j++) {
                double u = scores[i * columns + j];
                sums.pull[j] += pulls[i] * u;
                scores[i * columns + j] = size * u;
            }
        }
        Blas.get().gram(1.0, centred, 1.0, Matrix.of(sums.products, features, features));
    }

    /** Subtracts the shifts from a row's scores; returns t. */
    private double slack(double weight, double[] shifts, double[] scores, int at) {
        double square = 0;
        for (int j = 0; j < features; j++) {
            double u = scores[at + j] - shifts[j];
            scores[at + j] = u;
            square += u * u;
        }
        for (int c = features; c < shifts.length; c++) {
            scores[at + c] -= shifts[c];
        }
        return 1 - weight * (1 / total + square);
    }

    /** ℓ′. */
    private double slope(double weight, double residual, double slack) {
        return -2 * weight * residual / (problem.constantSquares() * slack * slack);
    }

    /** c. */
    private double pull(double weight, double squares, double slack) {
        return 2 * weight * squares / (problem.constantSquares() * slack * slack * slack);
    }

    private void replace(
            FoldedRows.Tile tile, double[] shifts, double[] eigenvalues, double[] meanPull, double[] scores) {
        RowBlock rows = tile.rows();
        for (int i = 0; i < rows.rows(); i++) {
            int at = i * shifts.length;
            double weight = problem.rowWeight(rows, i);
            double slack = slack(weight, shifts, scores, at);
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
