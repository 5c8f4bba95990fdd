package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.Vectors;

/**
 * Minimises a quadratic function plus a penalty, {@code tr(βᵀHβ)/2 − tr(cᵀβ) + R(β)}, over the weights β of D features
 * and several outputs, with H symmetric and positive semidefinite.
 *
 * <p>An active-set method: it works on the blocks (single features or groups) that are non-zero or violate optimality,
 * with a copy of their part of H. Sweeps update one block after the other, a single weight exactly and a group by one
 * proximal step. Sweeps are slow if features are correlated; Cholesky steps then update all non-zero weights at once:
 * l1 is linear while the signs are fixed, and the norm of a group has a quadratic majorant.
 *
 * <p>Memory: besides H, twice the square of the number of active features per round. Threads: safe;
 * weights and slopes belong to one thread.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BlockDescent(double[] matrix, int features, List<int[]> blocks, double[] curvatures) {
    /** Minimum and maximum number of sweeps between two Cholesky steps. */
    private static final int LEAST_SWEEPS = 2;

    private static final int MOST_SWEEPS = 10;

    /** Cost of a Cholesky step in sweeps, per active feature and divided by the number of outputs. */
    private static final double SWEEPS_PER_FEATURE = 1.0 / 60;

    /** Maximum number of Cholesky steps before all gradients are checked again. */
    private static final int DIRECT_STEPS = 8;

    /** Minimum number of new blocks that may enter the active set at once. */
    private static final int NEWCOMERS = 32;

    /**
     * First damping of the diagonal of a singular matrix, relative to its largest entry, and the factor of its growth.
     */
    private static final double LEAST_DAMPING = 1e-10;

    private static final double MORE_DAMPING = 1e3;

    private static final int POWER_STEPS = 50;
    private static final Workers ONE = new Workers(1);

    /**
     * Prepares the solver: computes the largest eigenvalue of every block. Keeps the array.
     *
     * @param matrix H, the full D×D matrix, row-major
     * @param groups the blocks that the penalty sets to zero together
     */
    static BlockDescent prepare(double[] matrix, FeatureGroups groups) {
        int features = groups.features();
        double[] curvatures = groups.members().stream()
                .mapToDouble(block -> largestEigenvalue(matrix, features, block))
                .toArray();
        return new BlockDescent(matrix, features, groups.members(), curvatures);
    }

    /**
     * Returns the largest eigenvalue of a block of H by the power method, plus 1% because the method underestimates it.
     */
    private static double largestEigenvalue(double[] matrix, int features, int[] block) {
        if (block.length == 1) {
            return matrix[block[0] * (features + 1)];
        }
        double[] v = new double[block.length];
        Arrays.setAll(v, i -> 1 + 0.1 * (i % 7));
        double value = 0;
        for (int step = 0; step < POWER_STEPS; step++) {
            double norm = Math.sqrt(Vectors.dot(v, v));
            if (norm == 0) {
                break;
            }
            double[] next = new double[v.length];
            for (int i = 0; i < v.length; i++) {
                for (int k = 0; k < v.length; k++) {
                    next[i] += matrix[block[i] * features + block[k]] * v[k] / norm;
                }
            }
            value = Math.sqrt(Vectors.dot(next, next));
            v = next;
        }
        return 1.01 * value;
    }

    /**
     * Returns c − Hβ, D×outputs.
     *
     * @param linear c, D×outputs, row-major
     * @param weights β, D×outputs, row-major
     */
    double[] slopes(double[] linear, double[] weights, int outputs) {
        double[] slopes = linear.clone();
        for (int j = 0; j < features; j++) {
            takeOff(slopes, j, weights, j * outputs, outputs);
        }
        return slopes;
    }

    /** Reduces the largest entry of the minimum-norm subgradient about tenfold; changes weights and slopes in place. */
    void round(double[] linear, double[] weights, double[] slopes, int outputs, Regularizer regularizer) {
        double[] violations = violations(weights, slopes, outputs, regularizer);
        double most = Arrays.stream(violations).max().orElse(0);
        if (most > 0) {
            Part part = new Part(choose(weights, violations, outputs), linear, weights, outputs, regularizer);
            part.minimise(most / 10);
            part.copyBack(weights, slopes);
        }
    }

    /** Subtracts H(:, feature)·change from the slopes. */
    private void takeOff(double[] slopes, int feature, double[] change, int at, int outputs) {
        for (int o = 0; o < outputs; o++) {
            double by = change[at + o];
            if (by != 0) {
                for (int i = 0; i < features; i++) {
                    slopes[i * outputs + o] -= by * matrix[feature * features + i];
                }
            }
        }
    }

    /** Returns the largest absolute entry of the minimum-norm subgradient per block. */
    private double[] violations(double[] weights, double[] slopes, int outputs, Regularizer regularizer) {
        double[] gradient = new double[slopes.length];
        Arrays.setAll(gradient, i -> -slopes[i]);
        regularizer.subgradient(weights, gradient, features, outputs);
        double[] violations = new double[curvatures.length];
        for (int g = 0; g < violations.length; g++) {
            for (int feature : blocks.get(g)) {
                for (int o = 0; o < outputs; o++) {
                    violations[g] = Math.max(violations[g], Math.abs(gradient[feature * outputs + o]));
                }
            }
        }
        return violations;
    }

    /** Returns the non-zero blocks and the most violated zero blocks, at most as many of these as of the former. */
    private int[] choose(double[] weights, double[] violations, int outputs) {
        IntPredicate zero = g -> Arrays.stream(blocks.get(g))
                .allMatch(feature -> IntStream.range(feature * outputs, (feature + 1) * outputs)
                        .allMatch(at -> weights[at] == 0));
        int[] others =
                IntStream.range(0, violations.length).filter(zero.negate()).toArray();
        IntStream newcomers = IntStream.range(0, violations.length)
                .filter(g -> violations[g] > 0 && zero.test(g))
                .boxed()
                .sorted((a, b) -> Double.compare(violations[b], violations[a]))
                .limit(Math.max(NEWCOMERS, others.length))
                .mapToInt(g -> g);
        return IntStream.concat(Arrays.stream(others), newcomers).sorted().toArray();
    }

    /** The problem restricted to the active blocks. Their features are renumbered, block after block. */
    private final class Part {
        private final int[] chosen;
        private final int outputs;
        private final Regularizer regularizer;
        /** First feature of each active block, then the number of active features. */
        private final int[] starts;

        private final int size;
        private final int[] featureOf;
        private final double[] groupFactors;
        private final double[] small;
        /** The active entries of c, β and c − Hβ, per output. */
        private final double[][] linear;

        private final double[][] weights;
        private final double[][] slopes;

        Part(int[] chosen, double[] allLinear, double[] allWeights, int outputs, Regularizer regularizer) {
            this.chosen = chosen;
            this.outputs = outputs;
            this.regularizer = regularizer;
            starts = new int[chosen.length + 1];
            groupFactors = new double[chosen.length];
            for (int k = 0; k < chosen.length; k++) {
                int length = blocks.get(chosen[k]).length;
                starts[k + 1] = starts[k] + length;
                groupFactors[k] = regularizer.group() * Math.sqrt(length);
            }
            size = starts[chosen.length];
            featureOf = Arrays.stream(chosen)
                    .flatMap(block -> Arrays.stream(blocks.get(block)))
                    .toArray();
            small = new double[size * size];
            for (int i = 0; i < size; i++) {
                int row = featureOf[i] * features;
                for (int k = 0; k < size; k++) {
                    small[i * size + k] = matrix[row + featureOf[k]];
                }
            }
            linear = gather(allLinear);
            weights = gather(allWeights);
            slopes = new double[outputs][size];
            for (int o = 0; o < outputs; o++) {
                setSlopes(o);
            }
        }

        private double[][] gather(double[] all) {
            double[][] part = new double[outputs][size];
            for (int o = 0; o < outputs; o++) {
                for (int i = 0; i < size; i++) {
                    part[o][i] = all[featureOf[i] * outputs + o];
                }
            }
            return part;
        }

        private void setSlopes(int o) {
            System.arraycopy(linear[o], 0, slopes[o], 0, size);
            for (int i = 0; i < size; i++) {
                if (weights[o][i] != 0) {
                    Vectors.add(-weights[o][i], small, i * size, slopes[o], 0, size);
                }
            }
        }

        /** Iterates until a sweep changes no gradient by more than the tolerance. */
        void minimise(double tolerance) {
            double balanced = SWEEPS_PER_FEATURE * size / outputs;
            int sweeps = (int) Math.max(LEAST_SWEEPS, Math.min(MOST_SWEEPS, balanced));
            for (int step = 0; step <= DIRECT_STEPS; step++) {
                for (int sweep = 0; sweep < sweeps; sweep++) {
                    if (sweep() <= tolerance) {
                        return;
                    }
                }
                direct();
            }
        }

        /** Updates every block once. Returns the largest step times its curvature. */
        private double sweep() {
            double most = 0;
            for (int k = 0; k < chosen.length; k++) {
                double curvature = curvatures[chosen[k]];
                if (curvature > 0) {
                    most = Math.max(most, curvature * move(k, curvature));
                }
            }
            return most;
        }

        private double move(int k, double curvature) {
            double squares = 0;
            int from = starts[k];
            int to = starts[k + 1];
            double[] moved = new double[(to - from) * outputs];
            for (int o = 0; o < outputs; o++) {
                for (int i = from; i < to; i++) {
                    double v = Regularizer.soft(weights[o][i] + slopes[o][i] / curvature, regularizer.l1() / curvature);
                    moved[o * (to - from) + i - from] = v;
                    squares += v * v;
                }
            }
            double factor = regularizer.group() > 0
                    ? Regularizer.shrinkage(Math.sqrt(squares), groupFactors[k] / curvature)
                    : 1;
            factor /= 1 + regularizer.l2() / curvature;
            double most = 0;
            for (int o = 0; o < outputs; o++) {
                for (int i = from; i < to; i++) {
                    double change = factor * moved[o * (to - from) + i - from] - weights[o][i];
                    if (change != 0) {
                        weights[o][i] += change;
                        Vectors.add(-change, small, i * size, slopes[o], 0, size);
                        most = Math.max(most, Math.abs(change));
                    }
                }
            }
            return most;
        }

        /** Updates all non-zero weights at once with a Cholesky factor of their part of the matrix. */
        private void direct() {
            double[] majorants = majorants();
            Factor factor = null;
            for (int o = 0; o < outputs; o++) {
                int[] support = support(o);
                if (support.length == 0) {
                    continue;
                }
                // Without l1, the weights of a group are zero for all outputs or for none, so one factor serves all.
                if (factor == null || regularizer.l1() > 0) {
                    factor = factor(support, majorants);
                }
                double[] target = new double[support.length];
                for (int i = 0; i < target.length; i++) {
                    double w = weights[o][support[i]];
                    target[i] = linear[o][support[i]] - regularizer.l1() * Math.signum(w) + factor.damping * w;
                }
                factor.cholesky.solve(target, 1);
                go(o, support, target, majorants);
            }
        }

        /**
         * Returns, per feature, the coefficient of its squared weight in a majorant of the penalty: l2 + group/|β_g|.
         */
        private double[] majorants() {
            double[] majorants = new double[size];
            for (int k = 0; k < chosen.length; k++) {
                double squares = 0;
                for (int o = 0; o < outputs; o++) {
                    for (int i = starts[k]; i < starts[k + 1]; i++) {
                        squares += weights[o][i] * weights[o][i];
                    }
                }
                double share = squares > 0 ? groupFactors[k] / Math.sqrt(squares) : 0;
                Arrays.fill(majorants, starts[k], starts[k + 1], regularizer.l2() + share);
            }
            return majorants;
        }

        private int[] support(int o) {
            return IntStream.range(0, size).filter(i -> weights[o][i] != 0).toArray();
        }

        /** Factors the matrix plus the majorants, with as much damping as makes it positive definite. */
        private Factor factor(int[] support, double[] majorants) {
            int n = support.length;
            double most = 0;
            for (int at : support) {
                most = Math.max(most, small[at * (size + 1)] + majorants[at]);
            }
            for (double damping = 0; ; damping = damping == 0 ? LEAST_DAMPING * most : MORE_DAMPING * damping) {
                double[] a = new double[n * n];
                for (int i = 0; i < n; i++) {
                    for (int k = i; k < n; k++) {
                        a[i * n + k] = small[support[i] * size + support[k]];
                    }
                    a[i * n + i] += majorants[support[i]] + damping;
                }
                try {
                    return new Factor(Cholesky.factor(a, n, ONE), damping);
                } catch (NotPositiveDefiniteException e) {
                    if (!(damping < most)) {
                        throw e;
                    }
                }
            }
        }

        /**
         * Moves to the target, with weights whose sign would change set to zero. If the objective does not fall, stops
         * where the first sign changes; if it does not fall there either, because of rounding, restores the start.
         */
        private void go(int o, int[] support, double[] target, double[] majorants) {
            double[] start = weights[o].clone();
            double before = majorised(o, support, majorants, start);
            double reach = 1;
            for (int i = 0; i < target.length; i++) {
                double w = start[support[i]];
                if (regularizer.l1() > 0 && w * target[i] <= 0) {
                    reach = Math.min(reach, w / (w - target[i]));
                }
            }
            for (double step : new double[] {1, reach, 0}) {
                for (int i = 0; i < target.length; i++) {
                    double w = start[support[i]];
                    double to = w + step * (target[i] - w);
                    weights[o][support[i]] = regularizer.l1() > 0 && w * to <= 0 ? 0 : to;
                }
                setSlopes(o);
                if (majorised(o, support, majorants, start) < before) {
                    return;
                }
            }
        }

        /** Returns the value of the majorant for one output: half the quadratic terms, and l1. */
        private double majorised(int o, int[] support, double[] majorants, double[] start) {
            double sum = 0;
            for (int at : support) {
                double w = weights[o][at];
                sum -= w * (linear[o][at] + slopes[o][at]) / 2;
                sum += majorants[at] * w * w / 2 + regularizer.l1() * w * Math.signum(start[at]);
            }
            return sum;
        }

        /** Writes the weights back and updates all slopes. */
        void copyBack(double[] allWeights, double[] allSlopes) {
            double[] change = new double[outputs];
            for (int i = 0; i < size; i++) {
                int at = featureOf[i] * outputs;
                for (int o = 0; o < outputs; o++) {
                    change[o] = weights[o][i] - allWeights[at + o];
                    allWeights[at + o] = weights[o][i];
                }
                takeOff(allSlopes, featureOf[i], change, 0, outputs);
            }
        }
    }

    private record Factor(Cholesky cholesky, double damping) {}
}
