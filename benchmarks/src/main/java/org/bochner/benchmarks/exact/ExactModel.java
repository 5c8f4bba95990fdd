package org.bochner.benchmarks.exact;

import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Minimum;

/**
 * An exact kernel machine: {@code fₒ(x) = bₒ + Σᵢ aᵢₒ·k(xᵢ, x)} over all rows it was fitted to.
 *
 * <p>Cost: as many values of the kernel a prediction as there were rows. Memory: those rows.
 *
 * <p>Threads: immutable, safe.
 */
public final class ExactModel {
    private final Kernel kernel;
    private final double[][] rows;
    private final double[] coefficients;
    private final double[] intercepts;
    private final Minimum minimum;

    ExactModel(Kernel kernel, ExactRows rows, double[] coefficients, double[] intercepts, Minimum minimum) {
        this.kernel = kernel;
        this.rows = new double[rows.count()][];
        for (int i = 0; i < this.rows.length; i++) {
            this.rows[i] = kernel instanceof WarpedKernel warped
                    ? rows.prepared(i, warped.warp()::applyToRow)
                    : rows.rows()[i];
        }
        this.coefficients = coefficients;
        this.intercepts = intercepts;
        this.minimum = minimum;
    }

    /** The kernel, with what was learned of it. */
    public Kernel kernel() {
        return kernel;
    }

    public int outputs() {
        return intercepts.length;
    }

    /** The coefficients a, one row after the other: a copy. */
    public double[] coefficients() {
        return coefficients.clone();
    }

    /** The intercepts b: a copy. */
    public double[] intercepts() {
        return intercepts.clone();
    }

    /** How the kernel was learned: where the optimiser ended, in its own coordinates, and why. */
    public Minimum minimum() {
        return minimum;
    }

    /** The outputs of some rows, one row after the other. */
    public double[] predict(RowBlock block, Workers workers) {
        if (rows.length > 0) {
            Require.sameSize("ExactModel", "columns of the rows", block.columns(), rows[0].length);
        }
        int outputs = outputs();
        double[] predictions = new double[block.rows() * outputs];
        workers.each(block.rows(), i -> {
            double[] row = new double[block.columns()];
            block.copyRow(i, row);
            predict(row, predictions, i * outputs);
        });
        return predictions;
    }

    private void predict(double[] row, double[] to, int at) {
        int outputs = outputs();
        System.arraycopy(intercepts, 0, to, at, outputs);
        double[] x = row;
        Kernel inner = kernel;
        if (kernel instanceof WarpedKernel warped) {
            x = warped.warp().applyToRow(row);
            inner = warped.kernel();
        }
        double[] delta = new double[x.length];
        for (int i = 0; i < rows.length; i++) {
            double value;
            if (inner instanceof ShiftInvariantKernel shift) {
                for (int l = 0; l < delta.length; l++) {
                    delta[l] = x[l] - rows[i][l];
                }
                value = shift.atOffset(delta);
            } else {
                value = inner.value(x, rows[i]);
            }
            for (int o = 0; o < outputs; o++) {
                to[at + o] += coefficients[i * outputs + o] * value;
            }
        }
    }
}
