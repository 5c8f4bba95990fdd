package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.numeric.optimise.Vectors;

/**
 * The residuals and directions of conjugate gradients for the systems (A + λI)·x = b of all outputs, from x = 0. The caller adds
 * the steps up. Each output has its own step lengths.
 */
final class CellRun {
    private final CellSystem system;
    private final double lambda;
    private final int outputs;
    private final double[] residual;
    private final double[] direction;
    private final double[] product;
    /** |b|² of each output. */
    private final double[] scales;

    private final double[] lengths;
    private final double[] shares;
    /** The squared residual of each output. */
    private double[] energy;
    /** The means of the predictions of the last product, see {@link CellSystem#multiply}. */
    private double[] centres;

    CellRun(CellSystem system, double[] sides, double lambda) {
        this.system = system;
        this.lambda = lambda;
        outputs = system.outputs;
        residual = sides.clone();
        direction = sides.clone();
        product = new double[sides.length];
        scales = Interleaved.dots(sides, sides, outputs);
        energy = scales;
        lengths = new double[outputs];
        shares = new double[outputs];
        centres = new double[outputs];
    }

    /** Fails if squares of right-hand sides overflow or vanish. */
    static void requireInRange(double[] sides, int outputs) {
        double[] squares = Interleaved.dots(sides, sides, outputs);
        boolean vanished =
                Arrays.stream(squares).sum() == 0 && Arrays.stream(sides).anyMatch(side -> side != 0);
        requireInRange(Arrays.stream(squares).allMatch(Double::isFinite) && !vanished);
    }

    /** Fails if sums of squares overflow or underflow; the condition must be false for NaN. */
    static void requireInRange(boolean inRange) {
        if (!inRange) {
            throw new BochnerException(
                    "ridge: the factor of the kernel, the penalty, the targets or the row weights are so large"
                            + " or so small that their products have no finite number; rescale them");
        }
    }

    /** Computes the product with the directions, after which their predictions are known. */
    void multiply() {
        centres = system.multiply(direction, product);
        Vectors.add(lambda, direction, product);
    }

    /** Moves each output to the minimum along its direction, after {@link #multiply}. Returns true if any output moved. */
    boolean step() {
        double[] curvature = Interleaved.dots(direction, product, outputs);
        boolean moved = false;
        for (int o = 0; o < outputs; o++) {
            // The direction of an output that is solved exactly is zero.
            lengths[o] = curvature[o] > 0 && energy[o] > 0 ? energy[o] / curvature[o] : 0;
            moved |= lengths[o] > 0;
        }
        double[] back = Arrays.stream(lengths).map(length -> -length).toArray();
        Interleaved.add(back, product, residual);
        double[] next = Interleaved.dots(residual, residual, outputs);
        Arrays.setAll(shares, o -> energy[o] > 0 ? next[o] / energy[o] : 0);
        energy = next;
        return moved;
    }

    /** Sets the next directions, conjugate to the previous ones. */
    void turn() {
        Interleaved.combine(shares, residual, direction);
    }

    /** Returns the largest residual of an output, relative to its right-hand side. */
    double measure() {
        return measure(energy);
    }

    /** Returns the largest root of squared residuals, relative to the right-hand sides. */
    double measure(double[] squares) {
        double largest = 0;
        for (int o = 0; o < outputs; o++) {
            // A right-hand side of zero has the solution zero.
            largest = Math.max(largest, Math.sqrt(scales[o] > 0 ? squares[o] / scales[o] : squares[o]));
        }
        return largest;
    }

    double[] residual() {
        return residual;
    }

    double[] direction() {
        return direction;
    }

    /** Returns the weights of the cells for the directions of the last product. */
    double[] cells() {
        return system.cells(direction);
    }

    /** Returns the means of the scores that {@link #cells} give the rows. */
    double[] centres() {
        return centres;
    }

    /** Returns the squared residual of each output. */
    double[] energy() {
        return energy;
    }

    /** Returns the last step of each output, as a factor of its direction. */
    double[] lengths() {
        return lengths;
    }

    /** Returns the factor of each output's last direction in its next one. */
    double[] shares() {
        return shares;
    }
}
