package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.GramStatistics;

/** One run of an {@link Elimination}: the groups that are left, and the order in which the others were removed. */
final class EliminationSearch {
    /** A round removes one of this many groups. */
    private static final int SHARE = 5;

    /** Candidates of a round per group removed; more change next to nothing. */
    private static final int CANDIDATES = 2;

    /** Rows of a product that one thread computes at a time. */
    private static final int STRIP = 192;

    private final GramStatistics statistics;
    private final FeatureGroups groups;
    private final List<int[]> members;
    private final Function<int[], Penalty> penalties;
    private final double lambda;
    private final Workers workers;
    private final int outputs;

    /** C, D×outputs: the right-hand sides. */
    private final double[] cross;

    /** Σ w (y − ȳ)² of all outputs. */
    private final double total;

    private final int[] removed;
    private final double[] objectives;
    private int gone;

    /** The groups and the features that are left, ascending. */
    private int[] left;

    private int[] features = new int[0];

    /** The penalty P = RᵀR of the features that are left. */
    private Penalty penalty = Penalty.PLAIN;

    /** B, one row per feature that is left. */
    private double[] weights = new double[0];

    EliminationSearch(
            GramStatistics statistics,
            FeatureGroups groups,
            Function<int[], Penalty> penalties,
            double lambda,
            Workers workers) {
        this.statistics = statistics;
        this.groups = groups;
        this.members = groups.members();
        this.penalties = penalties;
        this.lambda = lambda;
        this.workers = workers;
        OutputMoments targets = OutputMoments.of(statistics);
        outputs = targets.squares().length;
        cross = targets.cross();
        total = Arrays.stream(targets.squares()).sum();
        removed = new int[groups.count()];
        objectives = new double[groups.count() + 1];
        left = IntStream.range(0, groups.count()).toArray();
    }

    Elimination run(int fewest) {
        Cholesky factor = solve();
        while (left.length > fewest) {
            // The size of a round does not depend on fewest, so the sets do not either.
            int count = Math.max(1, left.length / SHARE);
            Pool pool = pool(factor, Math.min(left.length, CANDIDATES * count));
            for (int i = 0; i < Math.min(count, left.length - fewest); i++) {
                pool.removeCheapest();
            }
            left = pool.without(left);
            factor = solve();
        }
        return new Elimination(groups.count(), Arrays.copyOf(removed, gone), Arrays.copyOf(objectives, gone + 1));
    }

    /** Solves the regression on the groups that are left, and sets its objective. Returns the factor of its matrix. */
    private Cholesky solve() {
        features = groups.featuresOf(left);
        penalty = penalties.apply(features);
        double[] matrix = new double[Math.multiplyExact(features.length, features.length)];
        if (penalty.plain()) {
            statistics.copyScatter(lambda, features, matrix);
            weights = new double[features.length * outputs];
            for (int j = 0; j < features.length; j++) {
                System.arraycopy(cross, features[j] * outputs, weights, j * outputs, outputs);
            }
        } else {
            GramStatistics whitened = statistics.restrict(features, penalty);
            whitened.copyScatter(lambda, matrix);
            weights = OutputMoments.of(whitened).cross().clone();
        }
        double[] right = weights.clone();
        Cholesky factor = factor(matrix);
        factor.solve(weights, outputs);
        objectives[gone] = total - Vectors.dot(weights, right);
        for (int o = 0; o < outputs; o++) {
            penalty.unwhiten(weights, o, outputs);
        }
        return factor;
    }

    /** Returns a factor U⁻¹ with A⁻¹ = U⁻¹U⁻ᵀ, from that of whitened features. */
    private double[] inverseFactor(Cholesky factor) {
        double[] inverse = factor.inverseFactor(workers);
        if (penalty.plain()) {
            return inverse;
        }
        int k = features.length;
        workers.each(k, column -> {
            double[] values = new double[k];
            for (int j = 0; j < k; j++) {
                values[j] = inverse[j * k + column];
            }
            penalty.unwhiten(values, 0, 1);
            for (int j = 0; j < k; j++) {
                inverse[j * k + column] = values[j];
            }
        });
        return inverse;
    }

    private Cholesky factor(double[] matrix) {
        try {
            return Cholesky.factor(matrix, features.length, workers);
        } catch (NotPositiveDefiniteException e) {
            throw new BochnerException(
                    "elimination: at lambda=" + Spelling.print(lambda)
                            + " features depend on each other within their rounding; use a larger lambda",
                    e);
        }
    }

    /** Returns the {@code size} groups whose removal costs the least. */
    private Pool pool(Cholesky factor, int size) {
        int[] placeOf = new int[statistics.features()];
        for (int j = 0; j < features.length; j++) {
            placeOf[features[j]] = j;
        }
        int[][] places = new int[left.length][];
        for (int i = 0; i < left.length; i++) {
            places[i] = Arrays.stream(members.get(left[i]))
                    .map(feature -> placeOf[feature])
                    .toArray();
        }
        double[] inverse = inverseFactor(factor);
        double[] losses = new double[left.length];
        workers.each(left.length, i -> losses[i] = loss(places[i], inverse));
        int[] cheapest = IntStream.range(0, left.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> losses[i]))
                .mapToInt(i -> i)
                .limit(size)
                .sorted()
                .toArray();
        int[] rows =
                Arrays.stream(cheapest).flatMap(i -> Arrays.stream(places[i])).toArray();
        double[][] ownWeights = new double[rows.length][];
        Arrays.setAll(ownWeights, r -> Arrays.copyOfRange(weights, rows[r] * outputs, (rows[r] + 1) * outputs));
        return new Pool(Arrays.stream(cheapest).map(i -> left[i]).toArray(), block(rows, inverse), ownWeights);
    }

    /** Returns the cost of removing the features at some places. Blocks of A⁻¹ are products of rows of U⁻¹. */
    private double loss(int[] places, double[] inverse) {
        int size = places.length;
        double[] block = new double[size * size];
        double[] own = new double[size * outputs];
        for (int r = 0; r < size; r++) {
            for (int c = r; c < size; c++) {
                block[r * size + c] = product(places[r], places[c], inverse);
            }
            System.arraycopy(weights, places[r] * outputs, own, r * outputs, outputs);
        }
        return new SmallCholesky(block, size).squares(own, outputs);
    }

    private double product(int row, int other, double[] inverse) {
        int k = features.length;
        // Entries below the diagonal are zero if the features were not whitened.
        int from = penalty.plain() ? Math.max(row, other) : 0;
        return Vectors.dot(inverse, row * k + from, inverse, other * k + from, k - from);
    }

    /** Returns the block of A⁻¹ for some rows. */
    private double[][] block(int[] rows, double[] inverse) {
        int k = features.length;
        int size = rows.length;
        double[] gathered = new double[Math.multiplyExact(size, k)];
        for (int r = 0; r < size; r++) {
            System.arraycopy(inverse, rows[r] * k, gathered, r * k, k);
        }
        double[] product = new double[Math.multiplyExact(size, size)];
        Blas blas = Blas.get();
        Strips.each(workers, size, STRIP, (from, to) -> {
            Matrix<double[]> strip = Matrix.of(gathered, from * k, to - from, k, k);
            Matrix<double[]> right = Matrix.of(gathered, from * k, size - from, k, k);
            Matrix<double[]> result = Matrix.of(product, from * size + from, to - from, size - from, size);
            blas.multiply(1.0, strip, right.transposed(), 0.0, result);
        });
        double[][] block = new double[size][size];
        for (int r = 0; r < size; r++) {
            for (int c = r; c < size; c++) {
                block[r][c] = product[r * size + c];
                block[c][r] = block[r][c];
            }
        }
        return block;
    }

    /**
     * The candidates of a round, with their block of A⁻¹ and their rows of B. The update after a removal needs only the
     * entries in the pool, so every step is exact without the groups outside.
     */
    private final class Pool {
        private final int[] candidates;

        /** The first row of each candidate, then the number of rows. */
        private final int[] starts;

        private final double[][] inverse;
        private final double[][] weights;
        private final boolean[] out;

        Pool(int[] candidates, double[][] inverse, double[][] weights) {
            this.candidates = candidates;
            this.inverse = inverse;
            this.weights = weights;
            out = new boolean[candidates.length];
            starts = new int[candidates.length + 1];
            for (int c = 0; c < candidates.length; c++) {
                starts[c + 1] = starts[c] + members.get(candidates[c]).length;
            }
        }

        void removeCheapest() {
            int cheapest = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int c = 0; c < candidates.length; c++) {
                if (!out[c]) {
                    double loss = factor(c).squares(ownWeights(c), outputs);
                    if (cheapest < 0 || loss < least) {
                        cheapest = c;
                        least = loss;
                    }
                }
            }
            out[cheapest] = true;
            remove(cheapest);
            removed[gone++] = candidates[cheapest];
            objectives[gone] = objectives[gone - 1] + least;
        }

        private SmallCholesky factor(int candidate) {
            int start = starts[candidate];
            int size = starts[candidate + 1] - start;
            double[] block = new double[size * size];
            for (int r = 0; r < size; r++) {
                System.arraycopy(inverse[start + r], start, block, r * size, size);
            }
            return new SmallCholesky(block, size);
        }

        private double[] ownWeights(int candidate) {
            int start = starts[candidate];
            double[] own = new double[(starts[candidate + 1] - start) * outputs];
            for (int r = start; r < starts[candidate + 1]; r++) {
                System.arraycopy(weights[r], 0, own, (r - start) * outputs, outputs);
            }
            return own;
        }

        /** Removes a candidate: with P = RᵀR and F = R⁻ᵀ·A⁻¹[g, :], subtracts Fᵀ·F from A⁻¹ and Fᵀ·(R⁻ᵀ·B_g) from B. */
        private void remove(int candidate) {
            int start = starts[candidate];
            int size = starts[candidate + 1] - start;
            int columns = inverse.length;
            SmallCholesky factor = factor(candidate);
            double[] own = ownWeights(candidate);
            factor.reduce(own, outputs);
            double[] reduced = new double[size * columns];
            for (int r = 0; r < size; r++) {
                System.arraycopy(inverse[start + r], 0, reduced, r * columns, columns);
            }
            factor.reduce(reduced, columns);
            for (int r = 0; r < size; r++) {
                double[] row = Arrays.copyOfRange(reduced, r * columns, (r + 1) * columns);
                double[] lost = Arrays.copyOfRange(own, r * outputs, (r + 1) * outputs);
                for (int c = 0; c < candidates.length; c++) {
                    for (int i = starts[c]; i < starts[c + 1] && !out[c]; i++) {
                        Vectors.add(-row[i], row, inverse[i]);
                        Vectors.add(-row[i], lost, weights[i]);
                    }
                }
            }
        }

        /** Returns the groups without the removed ones. */
        int[] without(int[] before) {
            BitSet gone = new BitSet();
            IntStream.range(0, candidates.length).filter(c -> out[c]).forEach(c -> gone.set(candidates[c]));
            return Arrays.stream(before).filter(group -> !gone.get(group)).toArray();
        }
    }
}
