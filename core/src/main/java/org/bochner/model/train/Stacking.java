package org.bochner.model.train;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.sample.Folds;
import org.bochner.numeric.optimise.NonNegativeLeastSquares;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Fits the weights of an average of models to their scores of rows that none of the models was trained on: non-negative
 * ridge regression,
 *
 * <pre>min over w ≥ 0 and c:  Σ v·(y − c − Σ wₘ·fₘ)² + λ·|w|²,</pre>
 *
 * where the first sum is over rows, of weight v, and outputs. All outputs share the weights w; each has its own intercept in
 * c. The penalty is chosen by cross-validation from statistics of the folds.
 *
 * <p>The scores of a model for its own training rows are too good, so that they must not be given. Scores of rows that are
 * out of the fold of each model are as good as those of other rows.
 *
 * <p>Memory: members² + members·outputs numbers per fold. Cost: members²·outputs operations per row.
 */
public final class Stacking {
    /** The number of folds that choose the penalty. */
    public static final int FOLDS = 5;

    /** The rows of all folds take part in a fit. */
    public static final int NO_FOLD = -1;

    /** The penalties to compare, as powers of ten, relative to the sum of squares of a member's centred scores. */
    private static final int LEAST_POWER = -6;

    private static final int LARGEST_POWER = 2;

    private final int members;
    private final int outputs;
    private final Folds folds;
    private final Sums[] sums;
    private final double[] values;
    private long rows;

    /**
     * Creates a fit without rows.
     *
     * @param seed draws the folds
     */
    public Stacking(int members, int outputs, Seed seed) {
        this.members = Require.atLeast("stacking", "members", members, 1);
        this.outputs = Require.atLeast("stacking", "outputs", outputs, 1);
        folds = Folds.of(FOLDS, seed.derive("stacking"));
        sums = new Sums[FOLDS];
        Arrays.setAll(sums, f -> new Sums(members, outputs));
        values = new double[outputs * (members + 1)];
    }

    /**
     * Adds a row.
     *
     * @param scores the scores of each member, an array of rows×outputs per member
     * @param row the index of the row in these arrays
     * @param targets one number per output, on the scale of the scores: ±1 for classes
     * @param weight the weight of the row; a row of weight 0 does not count
     * @param group rows of equal groups are in one fold
     */
    public void add(double[][] scores, int row, double[] targets, double weight, long group) {
        if (weight == 0) {
            return;
        }
        for (int o = 0; o < outputs; o++) {
            for (int m = 0; m < members; m++) {
                values[o * (members + 1) + m] = scores[m][row * outputs + o];
            }
            values[o * (members + 1) + members] = targets[o];
        }
        sums[folds.fold(group)].add(values, weight);
        rows++;
    }

    /** Returns the number of rows that were added, without those of weight 0. */
    public long rows() {
        return rows;
    }

    /** Returns the number of folds that have rows. */
    public int foldsWithRows() {
        return (int) Arrays.stream(sums).filter(fold -> fold.weight > 0).count();
    }

    /**
     * The fitted sum.
     *
     * @param weights w, one per member; 0 for members that do not help
     * @param intercepts c, one per output
     * @param penalty λ, divided by the weighted sum over rows and outputs of the squares of a member's centred scores, averaged over the members
     * @param error the mean squared error of the cross-validation, per row and output; NaN if all rows are in one fold
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Fit(double[] weights, double[] intercepts, double penalty, double error) {}

    /** Fits the weights; needs at least one row. Rows of one fold get the smallest penalty. */
    public Fit fit() {
        return fit(IntStream.range(0, members).toArray(), NO_FOLD);
    }

    /** Returns the fold of the rows of a group. */
    public int fold(long group) {
        return folds.fold(group);
    }

    /**
     * Fits the weights of some members.
     *
     * @param chosen the indices of these members; the fit has their weights in this order
     * @param without the fold whose rows take no part, so that they can test the fit; {@link #NO_FOLD} for none
     */
    public Fit fit(int[] chosen, int without) {
        Sums[] parts = IntStream.range(0, FOLDS)
                .filter(fold -> fold != without)
                .mapToObj(fold -> sums[fold].of(chosen))
                .toArray(Sums[]::new);
        Sums all = sum(parts, null);
        Require.that(all.weight > 0, "stacking", "no rows were added");
        if (Arrays.stream(parts).filter(part -> part.weight > 0).count() < 2) {
            return all.fit(StrictMath.pow(10, LEAST_POWER), Double.NaN);
        }
        double best = 1;
        double least = Double.POSITIVE_INFINITY;
        // From the largest penalty down: of equal errors, the larger penalty is taken.
        for (int power = LARGEST_POWER; power >= LEAST_POWER; power--) {
            double penalty = StrictMath.pow(10, power);
            double error = 0;
            for (Sums part : parts) {
                Sums others = sum(parts, part);
                if (part.weight > 0 && others.weight > 0) {
                    error += part.squaredError(others.fit(penalty, Double.NaN));
                }
            }
            if (error < least) {
                least = error;
                best = penalty;
            }
        }
        return all.fit(best, least / (all.weight * outputs));
    }

    private static Sums sum(Sums[] parts, @Nullable Sums without) {
        Sums sum = new Sums(parts[0].members, parts[0].outputs);
        for (Sums part : parts) {
            if (part != without) {
                sum.add(part);
            }
        }
        return sum;
    }

    /** Means and centred products of the scores and the target, whose products are summed over the outputs. */
    private static final class Sums {
        private final int members;
        private final int outputs;
        /** The number of values per output: the scores and the target. */
        private final int size;

        private final double[] means;
        private final double[] products;
        private double weight;

        Sums(int members, int outputs) {
            this.members = members;
            this.outputs = outputs;
            size = members + 1;
            means = new double[outputs * size];
            products = new double[size * size];
        }

        void add(double[] values, double rowWeight) {
            double share = rowWeight / (weight + rowWeight);
            addProducts(values, weight * share);
            weight += rowWeight;
            for (int i = 0; i < means.length; i++) {
                means[i] += share * (values[i] - means[i]);
            }
        }

        /** Returns the sums of some members. */
        Sums of(int[] chosen) {
            Sums some = new Sums(chosen.length, outputs);
            some.weight = weight;
            for (int i = 0; i < some.size; i++) {
                int from = i < chosen.length ? chosen[i] : members;
                for (int j = 0; j < some.size; j++) {
                    some.products[i * some.size + j] =
                            products[from * size + (j < chosen.length ? chosen[j] : members)];
                }
                for (int o = 0; o < outputs; o++) {
                    some.means[o * some.size + i] = means[o * size + from];
                }
            }
            return some;
        }

        void add(Sums other) {
            if (other.weight == 0) {
                return;
            }
            double share = other.weight / (weight + other.weight);
            addProducts(other.means, weight * share);
            for (int i = 0; i < products.length; i++) {
                products[i] += other.products[i];
            }
            weight += other.weight;
            for (int i = 0; i < means.length; i++) {
                means[i] += share * (other.means[i] - means[i]);
            }
        }

        private void addProducts(double[] values, double factor) {
            for (int o = 0; o < outputs; o++) {
                int at = o * size;
                for (int i = 0; i < size; i++) {
                    double difference = factor * (values[at + i] - means[at + i]);
                    for (int j = 0; j < size; j++) {
                        products[i * size + j] += difference * (values[at + j] - means[at + j]);
                    }
                }
            }
        }

        Fit fit(double penalty, double error) {
            double trace = 0;
            for (int m = 0; m < members; m++) {
                trace += products[m * (size + 1)];
            }
            double[] weights = new double[members];
            // Constant scores say nothing.
            if (trace > 0) {
                double[] a = new double[members * members];
                double[] b = new double[members];
                for (int m = 0; m < members; m++) {
                    System.arraycopy(products, m * size, a, m * members, members);
                    b[m] = products[m * size + members];
                    a[m * (members + 1)] += penalty * trace / members;
                }
                weights = NonNegativeLeastSquares.solve(a, b);
            }
            double[] intercepts = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                intercepts[o] = means[o * size + members];
                for (int m = 0; m < members; m++) {
                    intercepts[o] -= weights[m] * means[o * size + m];
                }
            }
            return new Fit(weights, intercepts, penalty, error);
        }

        /** Returns the sum of the squared errors of a fit for the rows of these sums. */
        double squaredError(Fit fit) {
            double[] signed = Arrays.copyOf(fit.weights, size);
            signed[members] = -1;
            double error = 0;
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    error += signed[i] * products[i * size + j] * signed[j];
                }
            }
            for (int o = 0; o < outputs; o++) {
                double bias = fit.intercepts[o];
                for (int i = 0; i < size; i++) {
                    bias += signed[i] * means[o * size + i];
                }
                error += weight * bias * bias;
            }
            return error;
        }
    }
}
