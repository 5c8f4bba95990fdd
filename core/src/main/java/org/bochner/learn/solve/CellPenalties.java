package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bochner.learn.Iteration;
import org.bochner.learn.PathPoint;
import org.bochner.learn.linear.Monitor;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.CellRows;

/**
 * Searches the ridge penalty on cells that has the least squared error on held-out rows. One run of conjugate gradients gives the
 * errors of many penalties: their systems differ by a multiple of the identity, so they have the same Krylov spaces, and their
 * residuals are parallel. The run is that of the least penalty; the steps of each other penalty follow from a few numbers.
 *
 * <p>Only the scores of the held-out rows are computed for each penalty, not its weights. A run ends when the best penalty is
 * solved and the error of the next smaller one no longer falls. If the best penalty is the smallest or the largest of a run,
 * another run goes on from there.
 *
 * <p>Memory: {@link #bytesNeeded}. Cost of a run: about that of one solution.
 *
 * <p>Reference: Jegerlehner, Krylov space solvers for shifted linear systems, 1996, arXiv:hep-lat/9612014.
 */
final class CellPenalties {
    /** The number of penalties of a run. */
    private static final int PENALTIES = 10;

    /** The smallest penalty of the first run; penalties are the reference times 10^(k/2). */
    private static final int LOWEST = -4;

    /** The largest |k|. */
    private static final int FURTHEST = 11;

    /** An error that changes by a smaller share per iteration no longer falls. */
    private static final double LEVEL = 1e-4;

    /** The residuals of a solved output of a large penalty are set to 0 below this factor, before they underflow. */
    private static final double VANISHED = 1e-100;

    private final CellSystem system;
    private final double[] sides;
    private final double reference;
    private final StoppingRule stopping;
    private final Monitor monitor;
    private final int outputs;
    private final CellRows heldOut;
    /** The held-out targets minus the means of the training rows, rows×outputs. */
    private final double[] targets;

    private final double[] rowWeights;
    /** The held-out rows' scores for the direction and for the residual of a run, rows×outputs. */
    private final double[] ofDirection;

    private final double[] ofResidual;
    private final Map<Double, PathPoint> solved = new TreeMap<>();
    private boolean stopped;

    /**
     * Creates a search.
     *
     * @param monitor observes the iterations of all runs
     */
    CellPenalties(CellSystem system, CellRows heldOut, StoppingRule stopping, Monitor monitor) {
        this.system = system;
        this.heldOut = heldOut;
        this.stopping = stopping;
        this.monitor = monitor;
        sides = system.rightSides();
        reference = system.reference();
        outputs = system.outputs;
        int rows = Math.toIntExact(heldOut.rows());
        targets = new double[Math.multiplyExact(rows, outputs)];
        rowWeights = new double[rows];
        ofDirection = new double[targets.length];
        ofResidual = new double[targets.length];
        heldOut.pass(
                null,
                1,
                (block, values, totals) -> {
                    for (int i = 0; i < block.rows(); i++) {
                        int row = (int) block.first() + i;
                        rowWeights[row] = block.rowWeight(i);
                        for (int o = 0; o < outputs; o++) {
                            targets[row * outputs + o] = system.centred(block, i, o);
                        }
                    }
                },
                null,
                0);
    }

    /** Returns the bytes of a search for a number of held-out rows: for each output, two numbers per penalty and three more. */
    static double bytesNeeded(double heldOutRows, int outputs) {
        return Double.BYTES * heldOutRows * (1 + (2.0 * PENALTIES + 3) * outputs);
    }

    /** Returns the best penalty. */
    PathPoint best() {
        CellRun.requireInRange(reference > 0 && reference < Double.POSITIVE_INFINITY);
        int from = LOWEST;
        while (true) {
            int to = Math.min(FURTHEST, from + PENALTIES - 1);
            Penalty best = run(IntStream.rangeClosed(from, to)
                    .mapToDouble(k -> reference * StrictMath.pow(10, k / 2.0))
                    .toArray());
            if (!stopped && best.index == 0 && from > -FURTHEST) {
                from = Math.max(-FURTHEST, from - PENALTIES + 1);
            } else if (!stopped && best.index == to - from && to < FURTHEST) {
                from = to;
            } else {
                return best.point();
            }
        }
    }

    /** Returns the error of a penalty. */
    PathPoint at(double lambda) {
        return run(new double[] {lambda}).point();
    }

    /** Returns all penalties that were solved, in ascending order. */
    List<PathPoint> path() {
        return List.copyOf(solved.values());
    }

    /** Runs conjugate gradients for penalties in ascending order. Returns the best one. */
    private Penalty run(double[] lambdas) {
        List<Penalty> penalties = new ArrayList<>();
        for (int index = 0; index < lambdas.length; index++) {
            penalties.add(new Penalty(index, lambdas[index], lambdas[index] - lambdas[0]));
        }
        CellRun run = new CellRun(system, sides, lambdas[0]);
        Arrays.fill(ofDirection, 0);
        run.requireInRange();
        double[] lengths = new double[outputs];
        double[] shares = new double[outputs];
        for (int number = 1; ; number++) {
            double[] energy = run.energy();
            run.multiply();
            scoreResidual(run, shares);
            double[] lengthsBefore = lengths;
            boolean moved = run.step();
            lengths = run.lengths().clone();
            for (Penalty penalty : penalties) {
                penalty.follow(run, energy, lengthsBefore, shares);
            }
            shares = run.shares().clone();
            run.turn();
            Penalty best = penalties.stream()
                    .min(Comparator.comparingDouble(penalty -> penalty.error))
                    .orElseThrow();
            // The matrix is positive definite, so the first step of an unsolved problem goes somewhere.
            CellRun.requireInRange((moved || number > 1) && run.measure() < Double.POSITIVE_INFINITY);
            Iteration iteration = new Iteration(
                    number, best.objective(), ConjugateRidge.MEASURE, best.measured, system.rows.features());
            stopped = !monitor.goOn(iteration, () -> {
                throw new IllegalStateException("a search of penalties has no weights");
            });
            boolean found = best.isSolved()
                    && (best.index == 0 || !penalties.get(best.index - 1).falls());
            if (found || stopped || !moved || number >= stopping.iterations()) {
                penalties.stream()
                        .filter(penalty -> penalty == best || penalty.isSolved())
                        .forEach(penalty -> solved.put(penalty.lambda, penalty.point()));
                return best;
            }
        }
    }

    /** Computes the scores of the held-out rows for the residual: that of the direction without a share of the last direction. */
    private void scoreResidual(CellRun run, double[] shares) {
        double[] without = Arrays.stream(shares).map(share -> -share).toArray();
        Interleaved.combine(without, ofDirection, new double[outputs], ofResidual);
        double[] centres = run.centres();
        heldOut.pass(
                run.cells(),
                outputs,
                (block, values, totals) -> {
                    int at = (int) block.first() * outputs;
                    for (int i = 0; i < block.rows() * outputs; i++) {
                        ofDirection[at + i] = values[i] - centres[i % outputs];
                    }
                },
                null,
                0);
        Vectors.add(1, ofDirection, ofResidual);
    }

    /** A penalty with its scores of the held-out rows. The names of numbers are those of Jegerlehner, for each output. */
    private final class Penalty {
        private final int index;
        private final double lambda;
        /** How much larger the penalty is than that of the run. */
        private final double shift;

        /** ζ: the residual is ζ times that of the run. */
        private final double[] zeta = new double[outputs];

        private final double[] zetaBefore = new double[outputs];
        /** The factor of each output's last direction in its next one. */
        private final double[] shares = new double[outputs];

        private final double[] ofOwnDirection = new double[targets.length];
        private final double[] ofPoint = new double[targets.length];

        // For the point x, the direction p and the right-hand side b: |x|², xᵀp, |p|², xᵀb.
        private final double[] points = new double[outputs];
        private final double[] crossed = new double[outputs];
        private final double[] directions = new double[outputs];
        private final double[] withSides = new double[outputs];

        private double[] squaredResiduals = new double[outputs];
        /** The largest residual of an output, relative to its right-hand side. */
        private double measured = Double.POSITIVE_INFINITY;

        private double error = Double.POSITIVE_INFINITY;
        private double errorBefore = Double.POSITIVE_INFINITY;

        Penalty(int index, double lambda, double shift) {
            this.index = index;
            this.lambda = lambda;
            this.shift = shift;
            Arrays.fill(zeta, 1);
        }

        boolean isSolved() {
            return measured <= stopping.tolerance();
        }

        /** Returns true if the error fell in the last iteration. */
        boolean falls() {
            return !isSolved() && error < (1 - LEVEL) * errorBefore;
        }

        /**
         * Takes the step that belongs to a step of the run, unless it is solved.
         *
         * @param energy the squared residuals of the run before its step
         * @param lengthsBefore the lengths of the step before
         * @param sharesBefore the share of the direction before that one in the direction of the step
         */
        void follow(CellRun run, double[] energy, double[] lengthsBefore, double[] sharesBefore) {
            if (isSolved()) {
                return;
            }
            Interleaved.combine(zeta, ofResidual, shares, ofOwnDirection);
            double[] lengths = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                double z = zeta[o];
                double length = run.lengths()[o];
                double next = z * ratio(o, length, lengthsBefore[o], sharesBefore[o]);
                lengths[o] = z == 0 ? 0 : length * next / z;
                directions[o] = z * z * energy[o] + shares[o] * shares[o] * directions[o];
                crossed[o] *= shares[o];
                points[o] += lengths[o] * (2 * crossed[o] + lengths[o] * directions[o]);
                crossed[o] += lengths[o] * directions[o];
                withSides[o] += lengths[o] * z * z * energy[o];
                shares[o] = z == 0 ? 0 : run.shares()[o] * (next / z) * (next / z);
                zetaBefore[o] = z;
                zeta[o] = next < VANISHED ? 0 : next;
                squaredResiduals[o] = zeta[o] * zeta[o] * run.energy()[o];
            }
            Interleaved.add(lengths, ofOwnDirection, ofPoint);
            measured = run.measure(squaredResiduals);
            errorBefore = error;
            error = meanSquare(ofPoint);
        }

        /** Returns the next ζ divided by the present one. */
        private double ratio(int output, double length, double lengthBefore, double shareBefore) {
            if (lengthBefore == 0 || zetaBefore[output] == 0) {
                return 1 / (1 + shift * length);
            }
            double before = zetaBefore[output] * lengthBefore;
            return before
                    / (length * shareBefore * (zetaBefore[output] - zeta[output]) + before * (1 + shift * length));
        }

        private CellSystem.Products products() {
            return new CellSystem.Products(sum(points), sum(withSides), sum(squaredResiduals));
        }

        double objective() {
            CellSystem.Products products = products();
            return (system.squares(lambda, products) + lambda * system.squaredNorm(lambda, products)) / 2;
        }

        PathPoint point() {
            double loss = system.squares(lambda, products()) / (system.weight * outputs);
            return new PathPoint(lambda, Double.NaN, loss, error);
        }
    }

    /** Returns the mean squared error of the held-out rows over rows and outputs. */
    private double meanSquare(double[] predictions) {
        double sum = 0;
        double total = 0;
        for (int i = 0; i < rowWeights.length; i++) {
            double squares = 0;
            for (int j = i * outputs; j < (i + 1) * outputs; j++) {
                double apart = predictions[j] - targets[j];
                squares += apart * apart;
            }
            sum += rowWeights[i] * squares;
            total += rowWeights[i];
        }
        return sum / (total * outputs);
    }

    /** Returns the error of the means of the training rows. */
    double errorOfMeans() {
        return meanSquare(new double[targets.length]);
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }
}
