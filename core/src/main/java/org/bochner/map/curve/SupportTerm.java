package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.gram.ColumnLists;

/** The functions Σᵢ cᵢ·κ(x, sᵢ) of the columns of an additive kernel, with rows s such as support vectors. */
final class SupportTerm extends CurveTerm {
    private final AdditiveKernel kernel;

    /** The values of the rows; zeros are left out, because κ(x, 0) = 0. */
    private final ColumnLists support;

    /** Rows × outputs. */
    private final double[] coefficients;

    /**
     * Creates a term.
     *
     * @param support the rows, with the columns of the term only
     * @param coefficients c, rows × outputs, not copied
     */
    SupportTerm(Place place, int outputs, AdditiveKernel kernel, RowBlock support, double[] coefficients) {
        super(place, outputs);
        this.kernel = kernel;
        this.coefficients = coefficients;
        this.support = ColumnLists.of(support);
    }

    @Override
    Kernel kernel() {
        return kernel;
    }

    @Override
    boolean uses(int column) {
        return support.starts()[column] < support.starts()[column + 1];
    }

    /** Returns Σᵢ cᵢ·g(sᵢ) for the feature g of a separable kernel, one number per output. */
    private double[] sums(SeparableKernel separable, int column) {
        double[] sums = new double[outputs];
        for (int e = support.starts()[column]; e < support.starts()[column + 1]; e++) {
            addTimes(support.rows()[e], separable.feature(support.values()[e]), sums);
        }
        return sums;
    }

    private void addTimes(int row, double value, double[] out) {
        for (int o = 0; o < outputs; o++) {
            out[o] += coefficients[row * outputs + o] * value;
        }
    }

    @Override
    void add(int column, double x, double[] out) {
        if (x == 0) {
            return;
        }
        if (kernel instanceof SeparableKernel separable) {
            double[] sums = sums(separable, column);
            for (int o = 0; o < outputs; o++) {
                out[o] += separable.feature(x) * sums[o];
            }
            return;
        }
        for (int e = support.starts()[column]; e < support.starts()[column + 1]; e++) {
            addTimes(support.rows()[e], kernel.scalar(x, support.values()[e]), out);
        }
    }

    @Override
    double[] range(int column) {
        boolean zeros = support.starts()[column + 1] - support.starts()[column] < support.rowCount();
        double low = zeros ? 0 : Double.POSITIVE_INFINITY;
        double high = zeros ? 0 : Double.NEGATIVE_INFINITY;
        for (int e = support.starts()[column]; e < support.starts()[column + 1]; e++) {
            low = Math.min(low, support.values()[e]);
            high = Math.max(high, support.values()[e]);
        }
        return new double[] {low, high};
    }

    @Override
    void addSlopes(int column, double[] out) {
        if (kernel instanceof Linear linear) {
            double[] sums = sums(linear, column);
            Arrays.setAll(out, o -> out[o] + sums[o]);
        }
    }

    @Override
    boolean addPieces(int column, Breaks breaks) {
        if (kernel instanceof Linear linear) {
            double[] sums = sums(linear, column);
            for (int o = 0; o < outputs; o++) {
                breaks.addLastSlope(o, sums[o]);
            }
            return true;
        }
        if (!(kernel instanceof Intersection intersection && intersection.degree() == 1)) {
            return false;
        }
        for (int e = support.starts()[column]; e < support.starts()[column + 1]; e++) {
            int number = breaks.add(support.values()[e]);
            for (int o = 0; o < outputs; o++) {
                breaks.bend(number, o, -coefficients[support.rows()[e] * outputs + o]);
            }
        }
        return true;
    }
}
