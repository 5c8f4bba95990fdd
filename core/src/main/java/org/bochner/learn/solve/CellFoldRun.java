package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.List;
import org.bochner.numeric.optimise.Vectors;

/**
 * One run of conjugate gradients on training rows for many penalties, with the scores that each penalty gives held-out rows. The
 * systems of the penalties differ by a multiple of the identity, so they have the same Krylov spaces, and their residuals are
 * parallel. The run is that of the least penalty; the steps of each other penalty follow from a few numbers.
 *
 * <p>Reference: Jegerlehner, Krylov space solvers for shifted linear systems, 1996, arXiv:hep-lat/9612014.
 */
final class CellFoldRun {
    /** The residuals of a solved output of a large penalty are set to 0 below this factor, before they underflow. */
    private static final double VANISHED = 1e-100;

    private final CellFold fold;
    private final CellSystem system;
    private final int outputs;
    private final CellRun run;
    private final List<Penalty> penalties;
    /** The held-out rows' scores for the direction and for the residual of the run, rows×outputs. */
    private final double[] ofDirection;

    private final double[] ofResidual;
    /** The last step of the run, and the share of the last direction in the direction, per output. */
    private double[] lengths;

    private double[] shares;

    /** Begins a run for penalties in ascending order. Penalties with residuals of at most the tolerance are solved. */
    CellFoldRun(CellFold fold, double[] lambdas, double tolerance) {
        this.fold = fold;
        system = fold.system;
        outputs = fold.outputs;
        run = new CellRun(system, fold.sides, lambdas[0]);
        ofDirection = fold.newScores();
        ofResidual = fold.newScores();
        lengths = new double[outputs];
        shares = new double[outputs];
        penalties = Arrays.stream(lambdas)
                .mapToObj(lambda -> new Penalty(lambda, lambda - lambdas[0], tolerance))
                .toList();
    }

    /** Takes a step. Returns false if it changed nothing. */
    boolean iterate() {
        double[] energy = run.energy();
        run.multiply();
        scoreResidual();
        double[] lengthsBefore = lengths;
        boolean moved = run.step();
        lengths = run.lengths().clone();
        for (Penalty penalty : penalties) {
            penalty.follow(energy, lengthsBefore);
        }
        shares = run.shares().clone();
        run.turn();
        return moved;
    }

    /** Returns the largest residual of the run, relative to its right-hand side. */
    double measure() {
        return run.measure();
    }

    /** Returns the largest residual of a penalty, relative to its right-hand side. */
    double measure(int penalty) {
        return penalties.get(penalty).measured;
    }

    boolean isSolved(int penalty) {
        return penalties.get(penalty).isSolved();
    }

    /** Returns the sum of the squared errors of the held-out rows, times their weights. */
    double heldOutSquares(int penalty) {
        return penalties.get(penalty).heldOutSquares;
    }

    /** Returns the sum of the squared errors of the training rows, times their weights. */
    double trainingSquares(int penalty) {
        Penalty chosen = penalties.get(penalty);
        return system.squares(chosen.lambda, chosen.products());
    }

    /** Returns the objective of a penalty. */
    double objective(int penalty) {
        Penalty chosen = penalties.get(penalty);
        double norm = system.squaredNorm(chosen.lambda, chosen.products());
        return (trainingSquares(penalty) + chosen.lambda * norm) / 2;
    }

    /** Computes the scores of the held-out rows for the residual: that of the direction without a share of the last direction. */
    private void scoreResidual() {
        double[] without = Arrays.stream(shares).map(share -> -share).toArray();
        Interleaved.combine(without, ofDirection, new double[outputs], ofResidual);
        double[] centres = run.centres();
        fold.heldOut.pass(
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
        private final double lambda;
        /** How much larger the penalty is than that of the run. */
        private final double shift;

        private final double tolerance;

        /** ζ: the residual is ζ times that of the run. */
        private final double[] zeta = new double[outputs];

        private final double[] zetaBefore = new double[outputs];
        /** The factor of each output's last direction in its next one. */
        private final double[] ownShares = new double[outputs];

        private final double[] ofOwnDirection = fold.newScores();
        private final double[] ofPoint = fold.newScores();

        // For the point x, the direction p and the right-hand side b: |x|², xᵀp, |p|², xᵀb.
        private final double[] points = new double[outputs];
        private final double[] crossed = new double[outputs];
        private final double[] directions = new double[outputs];
        private final double[] withSides = new double[outputs];

        private final double[] squaredResiduals = new double[outputs];
        /** The largest residual of an output, relative to its right-hand side. */
        private double measured;

        private double heldOutSquares;

        Penalty(double lambda, double shift, double tolerance) {
            this.lambda = lambda;
            this.shift = shift;
            this.tolerance = tolerance;
            Arrays.fill(zeta, 1);
            System.arraycopy(run.energy(), 0, squaredResiduals, 0, outputs);
            measured = run.measure();
            heldOutSquares = fold.squares(ofPoint);
        }

        boolean isSolved() {
            return measured <= tolerance;
        }

        /**
         * Takes the step that belongs to a step of the run, unless it is solved.
         *
         * @param energy the squared residuals of the run before its step
         * @param lengthsBefore the lengths of the step before
         */
        void follow(double[] energy, double[] lengthsBefore) {
            if (isSolved()) {
                return;
            }
            Interleaved.combine(zeta, ofResidual, ownShares, ofOwnDirection);
            double[] ownLengths = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                double z = zeta[o];
                double ratio = ratio(o, lengthsBefore[o]);
                double length = z == 0 ? 0 : lengths[o] * ratio;
                ownLengths[o] = length;
                directions[o] = z * z * energy[o] + ownShares[o] * ownShares[o] * directions[o];
                crossed[o] *= ownShares[o];
                points[o] += length * (2 * crossed[o] + length * directions[o]);
                crossed[o] += length * directions[o];
                withSides[o] += length * z * z * energy[o];
                ownShares[o] = z == 0 ? 0 : run.shares()[o] * ratio * ratio;
                zetaBefore[o] = z;
                zeta[o] = z * ratio < VANISHED ? 0 : z * ratio;
                squaredResiduals[o] = zeta[o] * zeta[o] * run.energy()[o];
            }
            Interleaved.add(ownLengths, ofOwnDirection, ofPoint);
            measured = run.measure(squaredResiduals);
            heldOutSquares = fold.squares(ofPoint);
        }

        /** Returns the next ζ divided by the present one. */
        private double ratio(int output, double lengthBefore) {
            double length = lengths[output];
            if (lengthBefore == 0 || zetaBefore[output] == 0) {
                return 1 / (1 + shift * length);
            }
            double before = zetaBefore[output] * lengthBefore;
            double turned = length * shares[output] * (zetaBefore[output] - zeta[output]);
            return before / (turned + before * (1 + shift * length));
        }

        CellSystem.Products products() {
            return new CellSystem.Products(sum(points), sum(withSides), sum(squaredResiduals));
        }
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }
}
