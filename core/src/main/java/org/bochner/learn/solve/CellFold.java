package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.stats.CellRows;

/** Training rows and held-out rows, on which a {@link CellFoldRun} compares penalties. */
final class CellFold {
    final CellSystem system;
    final int outputs;
    final CellRows heldOut;
    /** The right-hand sides of the system. */
    final double[] sides;
    /** The held-out targets minus the means of the training rows, rows×outputs. */
    private final double[] targets;

    private final double[] rowWeights;
    private final double totalWeight;

    CellFold(CellSystem system, CellRows heldOut) {
        this.system = system;
        this.heldOut = heldOut;
        outputs = system.outputs;
        sides = system.rightSides();
        CellRun.requireInRange(sides, outputs);
        int rows = Math.toIntExact(heldOut.rows());
        targets = new double[Math.multiplyExact(rows, outputs)];
        rowWeights = new double[rows];
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
        totalWeight = Arrays.stream(rowWeights).sum();
    }

    /** Returns the bytes besides those of a run: for each held-out row and output, two numbers per penalty and three more. */
    static double bytesNeeded(double heldOutRows, int outputs, int penalties) {
        return Double.BYTES * heldOutRows * (1 + (2.0 * penalties + 3) * outputs);
    }

    /** Returns the sum of the squared errors of the means of the training rows on the held-out rows, times their weights. */
    double heldOutScatter() {
        return squares(newScores());
    }

    /** Returns the sum of the weights of the held-out rows. */
    double heldOutWeight() {
        return totalWeight;
    }

    /** Returns zeros, one per held-out row and output. */
    double[] newScores() {
        return new double[targets.length];
    }

    /** Returns the sum of the squared errors of scores of the held-out rows, times the weights of the rows. */
    double squares(double[] scores) {
        double sum = 0;
        for (int i = 0; i < rowWeights.length; i++) {
            double squares = 0;
            for (int j = i * outputs; j < (i + 1) * outputs; j++) {
                double apart = scores[j] - targets[j];
                squares += apart * apart;
            }
            sum += rowWeights[i] * squares;
        }
        return sum;
    }
}
