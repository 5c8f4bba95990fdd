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
 * gives the errors of ten penalties ({@link CellFoldRun}).
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

    /**
     * The share by which a penalty that is ten times as small must lower the error: errors hardly change where it is too small to
     * matter.
     */
    private static final double GAIN = 1e-3;

    /** An error that changes by a smaller share per iteration no longer falls. */
    private static final double LEVEL = 1e-4;

    private final List<CellFold> folds;
    private final StoppingRule stopping;
    private final Monitor monitor;
    private final double heldOut;
    private final double trained;
    private final Map<Double, PathPoint> solved = new TreeMap<>();

    /**
     * The result of a run.
     *
     * @param best the index of the best penalty
     * @param stopped true if the monitor stopped the search
     */
    private record Ended(int best, PathPoint point, boolean stopped) {}

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
        heldOut = total(folds, CellFold::heldOutWeight) * folds.get(0).outputs;
        trained = total(folds, fold -> fold.system.weight) * folds.get(0).outputs;
    }

    /** Returns the bytes of a search, besides those of a run, for a number of held-out rows of all folds. */
    static double bytesNeeded(double heldOutRows, int outputs) {
        return CellFold.bytesNeeded(heldOutRows, outputs, PENALTIES);
    }

    /** Returns the best penalty, for the training rows of a fold. */
    PathPoint best() {
        double reference = total(folds, fold -> fold.system.reference()) / folds.size();
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
            Ended ended = run(lambdas);
            int best = from + ended.best;
            if (!ended.stopped && best == lowest && lowest > -FURTHEST) {
                from = Math.max(-FURTHEST, lowest - PENALTIES + 1);
            } else if (!ended.stopped && best == highest && highest < FURTHEST) {
                from = highest;
            } else {
                return ended.point;
            }
        }
    }

    /** Returns the error of a penalty for the training rows of a fold. */
    PathPoint at(double lambda) {
        return run(new double[] {lambda}).point;
    }

    /** Returns all penalties that were solved, in ascending order. */
    List<PathPoint> path() {
        return List.copyOf(solved.values());
    }

    /** Returns the mean squared error of the means of the training rows on the held-out rows. */
    double errorOfMeans() {
        return total(folds, CellFold::heldOutScatter) / heldOut;
    }

    /** Runs conjugate gradients for penalties in ascending order. */
    private Ended run(double[] lambdas) {
        List<CellFoldRun> runs = folds.stream()
                .map(fold -> new CellFoldRun(fold, lambdas, stopping.tolerance()))
                .toList();
        double[] errors = new double[lambdas.length];
        Arrays.fill(errors, Double.POSITIVE_INFINITY);
        boolean unsolved = runs.stream().anyMatch(run -> run.measure() > 0);
        for (int number = 1; ; number++) {
            boolean moved = false;
            for (CellFoldRun run : runs) {
                moved |= run.iterate();
            }
            double[] before = errors.clone();
            Arrays.setAll(errors, j -> total(runs, run -> run.heldOutSquares(j)) / heldOut);
            int best = 0;
            for (int j = 1; j < errors.length; j++) {
                best = errors[j] <= errors[best] * StrictMath.pow(1 + GAIN, (j - best) / 2.0) ? j : best;
            }
            boolean falls = best > 0 && !isSolved(runs, best - 1) && errors[best - 1] < (1 - LEVEL) * before[best - 1];
            boolean finite = runs.stream().allMatch(run -> run.measure() < Double.POSITIVE_INFINITY);
            // The matrix is positive definite, so the first step of an unsolved problem goes somewhere.
            CellRun.requireInRange((moved || number > 1 || !unsolved) && finite);
            boolean stopped = !goOn(runs, number, best);
            if ((isSolved(runs, best) && !falls) || stopped || !moved || number >= stopping.iterations()) {
                for (int j = 0; j < lambdas.length; j++) {
                    if (j == best || isSolved(runs, j)) {
                        solved.put(lambdas[j], point(runs, j, lambdas[j]));
                    }
                }
                return new Ended(best, point(runs, best, lambdas[best]), stopped);
            }
        }
    }

    /** Reports an iteration. Returns false if the monitor stops the search. */
    private boolean goOn(List<CellFoldRun> runs, int number, int best) {
        double residual =
                runs.stream().mapToDouble(run -> run.measure(best)).max().orElseThrow();
        double objective = total(runs, run -> run.objective(best));
        int features = folds.get(0).system.rows.features();
        Iteration iteration = new Iteration(number, objective, ConjugateRidge.MEASURE, residual, features);
        return monitor.goOn(iteration, () -> {
            throw new IllegalStateException("a search of penalties has no weights");
        });
    }

    private static boolean isSolved(List<CellFoldRun> runs, int penalty) {
        return runs.stream().allMatch(run -> run.isSolved(penalty));
    }

    private PathPoint point(List<CellFoldRun> runs, int penalty, double lambda) {
        double training = total(runs, run -> run.trainingSquares(penalty)) / trained;
        double error = total(runs, run -> run.heldOutSquares(penalty)) / heldOut;
        return new PathPoint(lambda, Double.NaN, training, error);
    }

    private static <T> double total(List<T> all, ToDoubleFunction<T> ofOne) {
        return all.stream().mapToDouble(ofOne).sum();
    }
}
