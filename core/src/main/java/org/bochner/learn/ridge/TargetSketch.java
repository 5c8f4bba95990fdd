package org.bochner.learn.ridge;

import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the ±1 targets of many classes, with fixed random signs, that stand for the targets where only their mean error
 * is wanted: the mean over codes of |Σₒ ±rₒ|² is about Σₒ |rₒ|², with a relative error of √(2/(codes·outputs)) where the
 * residuals rₒ of the classes are hardly correlated.
 */
final class TargetSketch {
    /** How many codes stand for more classes than this. */
    static final int COUNT = 256;

    private final int outputs;
    /** outputs×COUNT, row-major. */
    private final double[] signs;

    private TargetSketch(int outputs) {
        this.outputs = outputs;
        Seed seed = new Seed(0).derive("ridge codes");
        signs = new double[outputs * COUNT];
        for (int i = 0; i < signs.length; i++) {
            signs[i] = seed.derive(i).value() < 0 ? -1 : 1;
        }
    }

    /** Codes for outputs; null where there are few enough outputs to be judged themselves. */
    static @Nullable TargetSketch of(OutputCoding outputs) {
        return outputs.classes() && outputs.count() > COUNT ? new TargetSketch(outputs.count()) : null;
    }

    /** The codes of rows of numbers, one number per output: rows×COUNT, row-major. */
    private double[] sums(int rows, double[] values) {
        double[] sums = new double[Math.multiplyExact(rows, COUNT)];
        Blas.get().multiply(Matrix.of(values, rows, outputs), Matrix.of(signs, outputs, COUNT), sums);
        return sums;
    }

    /** Returns the moments of the sums. */
    OutputMoments of(OutputMoments targets, int features, double weight) {
        double[] means = sums(1, targets.means());
        return new OutputMoments(sums(features, targets.cross()), means, centredSquares(means, weight));
    }

    /**
     * The sums over rows of the squares of the codes about their means.
     *
     * @param means of the codes of ±1 targets
     * @param weight of the rows
     */
    private double[] centredSquares(double[] means, double weight) {
        double[] squares = new double[COUNT];
        for (int k = 0; k < COUNT; k++) {
            double offset = means[k];
            for (int o = 0; o < outputs; o++) {
                offset += signs[o * COUNT + k];
            }
            // A row is of one class, so that its code is ±2 away from minus the sum of the signs.
            squares[k] = weight * (4 - offset * offset);
        }
        return squares;
    }
}
