package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.Convergence;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.WeightMatrix;
import org.jspecify.annotations.Nullable;

/**
 * Dual coordinate descent for losses with kinks and the penalty {@code l2/2·|w|²}: support vector machines and support
 * vector regression, all outputs at once.
 *
 * <p>Each row and output has a dual variable β, which a step moves to its optimum while all others stay. A step needs
 * the current score of its row, so rows are processed in blocks with known inner products: one product with the weights
 * gives the scores of a block, several sweeps inside the block update them (in float32; later visits correct the
 * rounding), and one product updates the weights. Both products are over all outputs. Features that are not kept in
 * memory are computed again in each sweep, which makes the sweeps inside a block worth even more (Yu, Hsieh, Chang and
 * Lin, 2010).
 *
 * <p>The intercept b is not penalised, which requires Σ β = 0, a constraint that single steps cannot keep. The method
 * of multipliers adds {@code ρ/2·(b − bₖ)²}, with bₖ set to b after each sweep: in the dual this is a constant feature
 * with the value √(l2/ρ), and in the limit it is no penalty. Features are centred, because the direction of their mean
 * would dominate otherwise.
 *
 * <p>If sweeps are slow and a D×D matrix fits into memory, {@link DualNewton} takes over, output by output. Measured on
 * a9a with 500 features: gaps of 2.5e-1, 1.7e-2, 1.1e-3 after 1, 10, 120 sweeps at C = 1; with Newton steps from sweep
 * 11 on, 1e-3 after 16 iterations and 1e-6 after 42. At C = 100, where 100 sweeps leave 2e-1, these take 25 and 110.
 *
 * <p>It stops when the duality gap of every output is below the tolerance times the primal value. An iteration is a
 * sweep or a Newton step. The gap, measured in a separate pass, is reported after each of the first ten sweeps, then
 * whenever their number has grown by a tenth or by five, and after every round of Newton steps.
 *
 * <p>Memory: {@link DualPoint#bytesNeeded}, and 256 bytes per row for inner products if a quarter of the memory holds
 * them; otherwise each sweep computes them again.
 *
 * <p>Reference: Hsieh, Chang, Lin, Keerthi and Sundararajan, A dual coordinate descent method for large-scale linear
 * SVM (ICML 2008).
 */
final class DualCoordinateDescent {
    private static final String METHOD = "dual coordinate descent";
    private static final String MEASURE = "duality gap";
    private static final int BLOCK_ROWS = 64;
    private static final int SWEEPS_INSIDE = 4;

    /**
     * The square of the constant feature, relative to the mean square of centred rows. Gap after 100 sweeps on a9a with
     * 500 features, C = 1: 1e-2 at 10, 2.4e-3 at 1, 0.9e-3 at 0.1, 0.85e-3 for smaller values; but the intercept moves
     * more slowly with a smaller value.
     */
    private static final double CONSTANT_SHARE = 0.1;

    /** Number of first sweeps after each of which the gap is measured. */
    private static final int MEASURED_SWEEPS = 10;

    /** Newton rounds without a smaller gap after which the precision is reached. */
    private static final int IDLE_ROUNDS = 5;

    private final DualPoint point;
    private final SolverRun run;
    /** The gaps after each sweep. */
    private final List<Double> gaps = new ArrayList<>();

    private int iterations;
    /** Why the run ended; {@code ITERATIONS} while it goes on. */
    private Convergence.End end = Convergence.End.ITERATIONS;

    private final double l2;
    private final int outputs;
    private final Seed seed;
    /** |z̄|². */
    private final double meanSquare;
    /** l2/ρ, the square of the constant feature. */
    private final double constant;
    /** bₖ. */
    private final double[] centres;
    /** v·z̄, one per output. */
    private final double[] productsWithMean;
    /** True for outputs within the tolerance. */
    private final boolean[] done;
    /** z·z̄, one per row. */
    private final double[] rowsWithMean;
    /** Inner products of the rows of each block, centred and with the constant feature; the key is the first row. */
    private final Map<Integer, float[]> grams = new HashMap<>();

    private final boolean keepGrams;

    private final int[] order = new int[BLOCK_ROWS];
    private final double[] blockScores = new double[BLOCK_ROWS];
    private final double[] blockGram = new double[BLOCK_ROWS * BLOCK_ROWS];
    private final double[] allScores;
    private final double[] changes;

    private DualCoordinateDescent(DualPoint point, Seed seed, SolverRun run) {
        this.point = point;
        this.seed = seed;
        this.run = run;
        l2 = point.l2;
        outputs = point.outputs;
        meanSquare = Vectors.dot(point.mean, point.mean);
        double spread = point.source.scatterTrace() / point.source.totalRowWeight();
        constant = CONSTANT_SHARE * (spread > 0 ? spread : 1);
        centres = new double[outputs];
        productsWithMean = new double[outputs];
        done = new boolean[outputs];
        int rows = (int) point.source.rows();
        rowsWithMean = new double[rows];
        keepGrams = MemoryBudget.spare().holds(4.0 * BLOCK_ROWS * rows);
        allScores = new double[BLOCK_ROWS * outputs];
        changes = new double[BLOCK_ROWS * outputs];
    }

    /**
     * Solves the problem.
     *
     * @param start the point of a warm start, such as the fit with another penalty, or null
     */
    static Solution solve(
            Objective objective,
            Regularizer regularizer,
            StoppingRule stopping,
            double @Nullable [] start,
            Seed seed,
            Monitor monitor) {
        if (!regularizer.smooth() || !(regularizer.l2() > 0)) {
            throw new BochnerException(METHOD + ": needs the penalty l2, above 0, and no other, because the dual of"
                    + " the hinge is a quadratic function for that alone; alternating directions take l1 and groups");
        }
        DualPoint point = DualPoint.start(objective, regularizer.l2());
        SolverRun run = new SolverRun(METHOD, MEASURE, stopping, monitor);
        return new DualCoordinateDescent(point, seed.derive(METHOD), run).solve(start);
    }

    private Solution solve(double @Nullable [] start) {
        point.multiply(WeightMatrix.of(point.source.features(), 1, point.mean), 0, rowsWithMean);
        if (start != null) {
            point.startAt(start);
        }
        measure();
        Arrays.setAll(centres, point::intercept);
        end = allDone() ? Convergence.End.CONVERGED : Convergence.End.ITERATIONS;
        descend();
        if (goesOn()) {
            stepByNewton();
        }
        return new Solution(point.best(), run.ended(iterations, point.value(), point.gap(), end));
    }

    private boolean goesOn() {
        return end == Convergence.End.ITERATIONS && iterations < run.stopping().iterations();
    }

    private void report(int number) {
        boolean goOn = run.report(number, point.value(), point.gap(), point.nonZeros(), point::model);
        if (allDone()) {
            end = Convergence.End.CONVERGED;
        } else if (!goOn) {
            end = Convergence.End.STOPPED;
        }
    }

    /** Sweeps until the problem is solved or Newton steps are estimated to be faster. */
    private void descend() {
        int next = 1;
        while (goesOn()) {
            sweep(++iterations);
            gaps.add(point.gap());
            if (iterations < next && goesOn()) {
                continue;
            }
            next = iterations + Math.max(1, Math.min(5, iterations / MEASURED_SWEEPS));
            measure();
            gaps.set(iterations - 1, point.gap());
            report(iterations);
            if (iterations >= MEASURED_SWEEPS && newtonIsFaster()) {
                return;
            }
        }
    }

    /**
     * Compares the cost of the remaining sweeps, if the gap keeps falling at the rate of the later half, with 25 Newton
     * steps per unsolved output. Costs are counted in multiplications; those of matrix products in BLAS count a tenth.
     */
    private boolean newtonIsFaster() {
        double features = point.source.features();
        if (!DualNewton.affordable(point.source.features())) {
            return false;
        }
        int now = iterations;
        double before = gaps.get(now / 2 - 1);
        double rate = Math.log(before / point.gap()) / (now - now / 2);
        double left = Math.log(point.gap() / run.tolerance()) / Math.max(rate, 1e-9);
        double products = point.source.rows() * features;
        long undone = IntStream.range(0, outputs).filter(o -> !done[o]).count();
        double newton = undone * 25.0 * (8 * products + 0.33 * features * features * features);
        return left * 4 * products * outputs > newton;
    }

    private void stepByNewton() {
        int sweeps = iterations;
        int most = run.stopping().iterations() - sweeps;
        int number = sweeps;
        boolean limited = false;
        for (int o = 0; o < outputs && end == Convergence.End.ITERATIONS; o++) {
            DualNewton newton = new DualNewton(point, o);
            int steps = 0;
            int idle = 0;
            while (!done[o] && idle < IDLE_ROUNDS && steps < most && end == Convergence.End.ITERATIONS) {
                double before = point.gap(o);
                int taken = Math.max(1, newton.round(most - steps));
                steps += taken;
                number += taken;
                measure();
                idle = point.gap(o) < before ? 0 : idle + 1;
                report(number);
            }
            limited |= !done[o] && idle < IDLE_ROUNDS;
            iterations = Math.max(iterations, sweeps + steps);
        }
        if (end == Convergence.End.ITERATIONS && !limited) {
            end = Convergence.End.PRECISION;
        }
    }

    private void measure() {
        point.measure();
        double[] v = point.products.float64();
        Arrays.fill(productsWithMean, 0);
        for (int i = 0; i < v.length; i++) {
            productsWithMean[i % outputs] += v[i] * point.mean[i / outputs];
        }
        for (int o = 0; o < outputs; o++) {
            done[o] = point.gap(o) <= run.tolerance();
        }
    }

    private boolean allDone() {
        return IntStream.range(0, outputs).allMatch(o -> done[o]);
    }

    private void sweep(int number) {
        Seed own = seed.derive(number);
        point.source.inOrder(tile -> {
            int blocks = (tile.rows() + BLOCK_ROWS - 1) / BLOCK_ROWS;
            for (int b = 0; b < blocks; b++) {
                int from = (int) ((long) b * tile.rows() / blocks);
                int to = (int) ((b + 1L) * tile.rows() / blocks);
                visit(tile.part(from, to), own);
            }
        });
        for (int o = 0; o < outputs; o++) {
            centres[o] += point.sums[o] * constant / l2;
        }
    }

    private void visit(FeatureTile block, Seed sweep) {
        int rows = block.rows();
        int first = (int) block.firstRow();
        float[] gram = grams.get(first);
        if (gram == null) {
            gram = gram(block);
            if (keepGrams) {
                grams.put(first, gram);
            }
        }
        shuffle(rows, sweep.derive(first).stream());
        block.multiply(point.products, allScores);
        Arrays.fill(changes, 0, rows * outputs, 0);
        boolean changed = false;
        for (int o = 0; o < outputs; o++) {
            changed |= !done[o] && descend(first, rows, o, gram);
        }
        if (changed) {
            block.addTransposed(changes, point.products);
        }
    }

    private float[] gram(FeatureTile block) {
        int rows = block.rows();
        int first = (int) block.firstRow();
        block.gram(blockGram);
        float[] gram = new float[rows * rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                double centred =
                        blockGram[i * rows + j] - rowsWithMean[first + i] - rowsWithMean[first + j] + meanSquare;
                // Rounding could make a square negative.
                gram[i * rows + j] = (float) (constant + (i == j ? Math.max(0, centred) : centred));
            }
        }
        return gram;
    }

    private void shuffle(int rows, RandomStream stream) {
        for (int i = 0; i < rows; i++) {
            int j = stream.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }

    /** Updates the variables of a block for one output. Returns true if any changed. */
    private boolean descend(int first, int rows, int output, float[] gram) {
        double sum = point.sums[output];
        double offset = centres[output] + (sum * (constant + meanSquare) - productsWithMean[output]) / l2;
        for (int i = 0; i < rows; i++) {
            blockScores[i] = offset + (allScores[i * outputs + output] - sum * rowsWithMean[first + i]) / l2;
        }
        boolean changed = false;
        for (int sweep = 0; sweep < SWEEPS_INSIDE; sweep++) {
            boolean moved = false;
            for (int p = 0; p < rows; p++) {
                moved |= move(first, order[p], rows, output, gram);
            }
            if (!moved) {
                break;
            }
            changed = true;
        }
        if (changed) {
            for (int i = 0; i < rows; i++) {
                double change = changes[i * outputs + output];
                point.sums[output] += change;
                productsWithMean[output] += change * rowsWithMean[first + i];
            }
        }
        return changed;
    }

    private boolean move(int first, int i, int rows, int output, float[] gram) {
        if (point.rowWeight(first + i) == 0) {
            return false;
        }
        int at = (first + i) * outputs + output;
        double old = point.variables[at];
        double moved = point.best(first + i, output, old, blockScores[i], gram[i * rows + i] / l2);
        double change = moved - old;
        if (change == 0) {
            return false;
        }
        point.variables[at] = moved;
        changes[i * outputs + output] += change;
        addRow(change / l2, gram, i * rows, rows, blockScores);
        return true;
    }

    // Static and on plain indices, which lets the JIT vectorise the loop.
    private static void addRow(double factor, float[] gram, int start, int count, double[] to) {
        for (int j = 0; j < count; j++) {
            to[j] += factor * gram[start + j];
        }
    }
}
