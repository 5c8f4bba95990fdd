package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.CellRows;

/**
 * The linear systems of ridge regression on the cells of random grids, one per output, with a common matrix. Features and
 * targets are centred, and rows are multiplied by the square roots of their weights: with S = diag(√w),
 *
 * <pre>
 * primal  (ZᵀS²Z + λI)·β = ZᵀS²y    one number per cell
 * dual    (SZZᵀS + λI)·α = Sy       one number per row, β = ZᵀSα
 * </pre>
 *
 * <p>Both have the same eigenvalues, and products with either matrix cost the same: a sum over the rows of each cell, and a
 * sum over the cells of each row. The dual is for rows that are fewer than the cells.
 */
abstract class CellSystem {
    final CellRows rows;
    final OutputCoding coding;
    final int outputs;
    /** The sum of the row weights. */
    final double weight;
    /** The mean of each output's target. */
    final double[] means;
    /** Σ w (y − ȳ)² of all outputs. */
    final double scatter;

    private CellSystem(CellRows rows) {
        rows.requireWeight();
        this.rows = rows;
        coding = OutputCoding.of(rows.labels());
        outputs = coding.count();
        MemoryBudget.requireArray(
                (long) rows.slots() * outputs,
                "the weights of " + rows.slots() + " cells and " + outputs + " outputs",
                "use fewer grids");
        double[] sums = rows.pass(null, outputs, this::addTargets, null, outputs + 1);
        weight = sums[outputs];
        means = new double[outputs];
        Arrays.setAll(means, o -> sums[o] / weight);
        scatter = rows.pass(
                        null,
                        outputs,
                        (block, values, totals) -> {
                            for (int i = 0; i < block.rows(); i++) {
                                for (int o = 0; o < outputs; o++) {
                                    double apart = centred(block, i, o);
                                    totals[0] += block.rowWeight(i) * apart * apart;
                                }
                            }
                        },
                        null,
                        1)[0];
    }

    /** Returns the smaller system of some rows. */
    static CellSystem of(CellRows rows) {
        // Not by the memory for rows, on which results must not depend.
        return rows.rows() <= rows.slots() ? new Dual(rows) : new Primal(rows);
    }

    private void addTargets(CellRows.Block block, double[] values, double[] totals) {
        for (int i = 0; i < block.rows(); i++) {
            double w = block.rowWeight(i);
            for (int o = 0; o < outputs; o++) {
                totals[o] += w * target(coding, block, i, o);
            }
            totals[outputs] += w;
        }
    }

    private static double target(OutputCoding coding, CellRows.Block block, int row, int output) {
        return coding.classes() ? coding.sign(block.target(row, 0), output) : block.target(row, output);
    }

    /** Returns y − ȳ. */
    final double centred(CellRows.Block block, int row, int output) {
        return target(coding, block, row, output) - means[output];
    }

    /** Returns the number of unknowns per output. */
    abstract int size();

    /** Returns the right-hand sides, size×outputs, in a new array. */
    abstract double[] rightSides();

    /**
     * Computes the product with the matrix without λ, for all outputs.
     *
     * @return the mean of the scores that {@link #cells} give the rows, per output
     */
    abstract double[] multiply(double[] vectors, double[] products);

    /** Returns the weights per slot of vectors, slots×outputs, which were multiplied last. */
    abstract double[] cells(double[] vectors);

    /** Returns the weights of a point, slots×outputs. */
    abstract double[] weights(double[] point);

    /** Returns Σ w (f − y)² of all outputs. */
    abstract double squares(double lambda, Products products);

    /** Returns |β|² of all outputs. */
    abstract double squaredNorm(double lambda, Products products);

    /**
     * Inner products of a point x of conjugate gradients, which start at 0, with itself, the right-hand sides b and its residual
     * r, summed over the outputs. The residual is orthogonal to the point.
     *
     * @param ofPoint |x|²
     * @param withSides xᵀb
     * @param ofResidual |r|²
     */
    record Products(double ofPoint, double withSides, double ofResidual) {}

    /** Returns the intercepts for the features without centring: ȳ − z̄ᵀβ. */
    final double[] intercepts(double[] weights) {
        double[] sums = rows.pass(weights, outputs, this::addScores, null, outputs);
        double[] intercepts = new double[outputs];
        Arrays.setAll(intercepts, o -> means[o] - sums[o] / weight);
        return intercepts;
    }

    private void addScores(CellRows.Block block, double[] scores, double[] totals) {
        for (int i = 0; i < block.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                totals[o] += block.rowWeight(i) * scores[i * outputs + o];
            }
        }
    }

    /** Returns a medium penalty: a tenth of the mean scatter in the directions in which the rows have scatter. */
    final double reference() {
        double directions = Math.min(rows.features(), (double) rows.rows());
        return Math.max(Double.MIN_NORMAL, weight * rows.squaredLength() / directions / 10);
    }

    private static final class Primal extends CellSystem {
        /** The mean features, per slot. */
        private final double[] mean;

        Primal(CellRows rows) {
            super(rows);
            mean = new double[rows.slots()];
            rows.pass(
                    null,
                    1,
                    (block, values, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            values[i] = block.rowWeight(i) / weight;
                        }
                    },
                    mean,
                    0);
        }

        @Override
        int size() {
            return rows.slots();
        }

        @Override
        double[] rightSides() {
            double[] sides = new double[size() * outputs];
            rows.pass(
                    null,
                    outputs,
                    (block, values, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            for (int o = 0; o < outputs; o++) {
                                values[i * outputs + o] = block.rowWeight(i) * centred(block, i, o);
                            }
                        }
                    },
                    sides,
                    0);
            return sides;
        }

        @Override
        double[] multiply(double[] vectors, double[] products) {
            double[] centres = new double[outputs];
            for (int j = 0; j < mean.length; j++) {
                Vectors.add(mean[j], vectors, j * outputs, centres, 0, outputs);
            }
            Arrays.fill(products, 0);
            rows.pass(
                    vectors,
                    outputs,
                    (block, scores, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            double w = block.rowWeight(i);
                            for (int o = 0; o < outputs; o++) {
                                scores[i * outputs + o] = w * (scores[i * outputs + o] - centres[o]);
                            }
                        }
                    },
                    products,
                    0);
            return centres;
        }

        @Override
        double[] cells(double[] vectors) {
            return vectors;
        }

        @Override
        double[] weights(double[] point) {
            return point;
        }

        /** With (H + λI)β = b − r: |y − Zβ|² = |y|² − βᵀ(b + r) − λ|β|². */
        @Override
        double squares(double lambda, Products products) {
            return Math.max(0, scatter - products.withSides - lambda * products.ofPoint);
        }

        @Override
        double squaredNorm(double lambda, Products products) {
            return products.ofPoint;
        }
    }

    private static final class Dual extends CellSystem {
        private final double[] roots;
        /** Sums over cells, slots×outputs. */
        private final double[] cells;

        Dual(CellRows rows) {
            super(rows);
            MemoryBudget.requireArray(
                    rows.rows() * outputs, "the coefficients of " + rows.rows() + " rows", "use fewer rows");
            roots = new double[(int) rows.rows()];
            rows.pass(
                    null,
                    1,
                    (block, values, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            roots[(int) block.first() + i] = Math.sqrt(block.rowWeight(i));
                        }
                    },
                    null,
                    0);
            cells = new double[rows.slots() * outputs];
        }

        @Override
        int size() {
            return roots.length;
        }

        @Override
        double[] rightSides() {
            double[] sides = new double[size() * outputs];
            rows.pass(
                    null,
                    outputs,
                    (block, values, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            int row = (int) block.first() + i;
                            for (int o = 0; o < outputs; o++) {
                                sides[row * outputs + o] = roots[row] * centred(block, i, o);
                            }
                        }
                    },
                    null,
                    0);
            return sides;
        }

        /** The vectors are orthogonal to √w, as the right-hand sides are, so only the scores need centring. */
        @Override
        double[] multiply(double[] vectors, double[] products) {
            addCells(vectors, cells);
            double[] sums = rows.pass(
                    cells,
                    outputs,
                    (block, scores, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            int row = (int) block.first() + i;
                            for (int o = 0; o < outputs; o++) {
                                double product = roots[row] * scores[i * outputs + o];
                                products[row * outputs + o] = product;
                                totals[o] += roots[row] * product;
                            }
                        }
                    },
                    null,
                    outputs);
            Interleaved.subtractOuter(1 / weight, roots, sums, products);
            return Arrays.stream(sums).map(sum -> sum / weight).toArray();
        }

        @Override
        double[] cells(double[] vectors) {
            return cells;
        }

        /** Writes ZᵀSv. */
        private void addCells(double[] vectors, double[] sums) {
            Arrays.fill(sums, 0);
            rows.pass(
                    null,
                    outputs,
                    (block, values, totals) -> {
                        for (int i = 0; i < block.rows(); i++) {
                            int row = (int) block.first() + i;
                            for (int o = 0; o < outputs; o++) {
                                values[i * outputs + o] = roots[row] * vectors[row * outputs + o];
                            }
                        }
                    },
                    sums,
                    0);
        }

        @Override
        double[] weights(double[] point) {
            double[] weights = new double[cells.length];
            addCells(point, weights);
            return weights;
        }

        /** With (G + λI)α = b − r: S(y − Zβ) = b − Gα = r + λα. */
        @Override
        double squares(double lambda, Products products) {
            return products.ofResidual + lambda * lambda * products.ofPoint;
        }

        /** |β|² = αᵀGα = αᵀ(b − r − λα). */
        @Override
        double squaredNorm(double lambda, Products products) {
            return Math.max(0, products.withSides - lambda * products.ofPoint);
        }
    }
}
