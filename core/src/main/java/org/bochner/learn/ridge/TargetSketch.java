package org.bochner.learn.ridge;

import java.util.Arrays;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the ±1 targets of many classes with fixed random signs, called codes, from which the mean error of all
 * targets is estimated: the mean over codes of |Σₒ ±rₒ|² is about Σₒ |rₒ|², with a relative error of
 * √(2/(codes·outputs)) if the residuals rₒ of the classes are hardly correlated.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TargetSketch(int outputs, double[] signs) {
    /** Number of codes; more classes than this are replaced by codes. */
    static final int COUNT = 256;

    /** Returns the codes of the outputs; null if the outputs are few enough to be judged directly. */
    static @Nullable TargetSketch of(OutputCoding outputs) {
        if (!outputs.classes() || outputs.count() <= COUNT) {
            return null;
        }
        Seed seed = new Seed(0).derive("ridge codes");
        double[] signs = new double[outputs.count() * COUNT];
        Arrays.setAll(signs, i -> seed.derive(i).value() < 0 ? -1 : 1);
        return new TargetSketch(outputs.count(), signs);
    }

    /** Returns the codes of rows with one number per output: rows×COUNT, row-major. */
    private double[] sums(int rows, double[] values) {
        double[] sums = new double[Math.multiplyExact(rows, COUNT)];
        Blas.get().multiply(Matrix.of(values, rows, outputs), Matrix.of(signs, outputs, COUNT), sums);
        return sums;
    }

    /** Returns the moments of the codes. */
    OutputMoments of(OutputMoments targets, int features, double weight) {
        double[] means = sums(1, targets.means());
        return new OutputMoments(sums(features, targets.cross()), means, centredSquares(means, weight));
    }

    /**
     * Returns the sums over rows of the squared deviations of the codes from their means.
     *
     * @param means the means of the codes
     * @param weight the total row weight
     */
    private double[] centredSquares(double[] means, double weight) {
        double[] squares = new double[COUNT];
        for (int k = 0; k < COUNT; k++) {
            double offset = means[k];
            for (int o = 0; o < outputs; o++) {
                offset += signs[o * COUNT + k];
            }
            // A row has one class, so its code differs by ±2 from minus the sum of the signs.
            squares[k] = weight * (4 - offset * offset);
        }
        return squares;
    }
}
