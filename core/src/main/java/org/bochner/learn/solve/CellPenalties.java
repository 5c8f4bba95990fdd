package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.learn.Iteration;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.Monitor;

/**
 * Searches the ridge penalty on cells that has the least squared error on held-out rows. One run of conjugate gradients per fold
 * gives the errors of ten penalties ({@link CellFold}).
 *
 * <p>A run ends when the best penalty is solved and the error of the next smaller one no longer falls. If the best penalty is the
 * smallest or the largest of a run, another run goes on from there.
 */
final class CellPenalties {
    /** The number of penalties of a run. */
    private static final int PENALTIES = 10;

    /** The smallest penalty of the first run; penalties are the reference times 10^(k/2). */
    private static final int LOWEST = -4;

    /** The largest |k|. */
    private static final int FURTHEST = 11;

    /** The share by which a penalty that is ten times as small must lower the error: errors hardly change where it is too small to matter. */
    private static final double GAIN = 1e-3;

    /** An error that changes by a smaller share per iteration no longer falls. */
    private static final double LEVEL = 1e-4;

    private final List<CellFold> folds;
    private final StoppingRule stopping;
    private final Monitor monitor;
    private final double heldOut;
    private final double trained;
    private final Map<Double, PathPoint> solved = new TreeMap<>();
    private boolean stopped;

    /**
     * Creates a search.
     *
     * @param folds training rows with held-out rows; the training rows of all folds have similar total weights
     * @param monitor observes the iterations of all runs
     */
    CellPenalties(List<CellFold> folds, StoppingRule stopping, Monitor monitor) {
        this.folds = folds;
        this.stopping = stopping;
        this.monitor = monitor;
        heldOut = total(CellFold::heldOutWeight) * folds.get(0).outputs;
        trained = total(fold -> fold.system.weight) * folds.get(0).outputs;
    }

    /** Returns the bytes of a search, besides those of a run, for a number of held-out rows of all folds. */
    static double bytesNeeded(double heldOutRows, int outputs) {
        return CellFold.bytesNeeded(heldOutRows, outputs, PENALTIES);
    }

    /** Returns the best penalty, for the training rows of a fold. */
    PathPoint best() {
        double reference = total(fold -> fold.system.reference()) / folds.size();
        CellRun.requireInRange(reference > 0 && reference < Double.POSITIVE_INFINITY);
        int from = LOWEST;
        int lowest = from;
        int highest = from;
        while (true) {
            int to = Math.min(FURTHEST, from + PENALTIES - 1);
            lowest = Math.min(lowest, from);
            highest = Math.max(highest, to);
            double[] lambdas = IntStream.rangeClosed(from, to)
                    .mapToDouble(k -> reference * StrictMath.pow(10, k / 2.0))
                    .toArray();
            int best = run(lambdas);
            if (!stopped && from + best == lowest && lowest > -FURTHEST) {
                from = Math.max(-FURTHEST, lowest - PENALTIES + 1);
            } else if (!stopped && from + best == highest && highest < FURTHEST) {
                from = highest;
            } else {
                return point(best, lambdas[best]);
            }
        }
    }

    /** Returns the error of a penalty for the training rows of a fold. */
    PathPoint at(double lambda) {
        run(new double[] {lambda});
        return point(0, lambda);
    }

    /** Returns all penalties that were solved, in ascending order. */
    List<PathPoint> path() {
        return List.copyOf(solved.values());
    }

    /** Returns the mean squared error of the means of the training rows on the held-out rows. */
    double errorOfMeans() {
        return total(CellFold::heldOutScatter) / heldOut;
    }

    /** Runs conjugate gradients for penalties in ascending order. Returns the index of the best one. */
    private int run(double[] lambdas) {
        folds.forEach(fold -> fold.begin(lambdas, stopping.tolerance()));
        double[] errors = new double[lambdas.length];
        Arrays.fill(errors, Double.POSITIVE_INFINITY);
        boolean unsolved = folds.stream().anyMatch(fold -> fold.measure() > 0);
        for (int number = 1; ; number++) {
            boolean moved = false;
            for (CellFold fold : folds) {
                moved |= fold.iterate();
            }
            double[] before = errors.clone();
            Arrays.setAll(errors, j -> total(fold -> fold.heldOutSquares(j)) / heldOut);
            int best = 0;
            for (int j = 1; j < errors.length; j++) {
                best = errors[j] <= errors[best] * StrictMath.pow(1 + GAIN, (j - best) / 2.0) ? j : best;
            }
            boolean falls = best > 0 && !isSolved(best - 1) && errors[best - 1] < (1 - LEVEL) * before[best - 1];
            boolean finite = folds.stream().allMatch(fold -> fold.measure() < Double.POSITIVE_INFINITY);
            // The matrix is positive definite, so the first step of an unsolved problem goes somewhere.
            CellRun.requireInRange((moved || number > 1 || !unsolved) && finite);
            stopped = !goOn(number, best);
            if ((isSolved(best) && !falls) || stopped || !moved || number >= stopping.iterations()) {
                for (int j = 0; j < lambdas.length; j++) {
                    if (j == best || isSolved(j)) {
                        solved.put(lambdas[j], point(j, lambdas[j]));
                    }
                }
                return best;
            }
        }
    }

    /** Reports an iteration. Returns false if the monitor stops the search. */
    private boolean goOn(int number, int best) {
        double residual =
                folds.stream().mapToDouble(fold -> fold.measure(best)).max().orElseThrow();
        int features = folds.get(0).system.rows.features();
        Iteration iteration =
                new Iteration(number, total(fold -> fold.objective(best)), ConjugateRidge.MEASURE, residual, features);
        return monitor.goOn(iteration, () -> {
            throw new IllegalStateException("a search of penalties has no weights");
        });
    }

    private boolean isSolved(int penalty) {
        return folds.stream().allMatch(fold -> fold.isSolved(penalty));
    }

    private PathPoint point(int penalty, double lambda) {
        double training = total(fold -> fold.trainingSquares(penalty)) / trained;
        double error = total(fold -> fold.heldOutSquares(penalty)) / heldOut;
        return new PathPoint(lambda, Double.NaN, training, error);
    }

    private double total(ToDoubleFunction<CellFold> ofFold) {
        return folds.stream().mapToDouble(ofFold).sum();
    }
}
