package org.bochner.map.study;

import java.util.Arrays;
import java.util.List;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.columns.PairVisitor;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.map.composed.MapAlgebra;

/**
 * A term of a kernel: its factor, its columns from (inclusive) to (exclusive), and the kernel that remains, which is no
 * sum and has neither factor nor columns.
 */
public record KernelTerm(double factor, int from, int to, Kernel kernel) {
    /**
     * A value of a kernel and, for kernels of an offset, the value at twice that offset, which the variance of random
     * features needs; otherwise NaN.
     */
    public record Values(double atOffset, double atTwice) {}

    public static List<KernelTerm> of(Kernel kernel, int columns) {
        return MapAlgebra.terms(kernel).stream()
                .map(term -> of(term, 1, 0, columns))
                .toList();
    }

    private static KernelTerm of(Kernel term, double factor, int from, int to) {
        if (term instanceof ScaledKernel scaled) {
            return of(scaled.kernel(), factor * scaled.factor(), from, to);
        }
        if (term instanceof ChannelKernel channel) {
            return of(channel.kernel(), factor, channel.from(), channel.to());
        }
        return new KernelTerm(factor, from, to, term);
    }

    /** Returns true if a value costs only the non-zeros of the rows. */
    public boolean sparse() {
        return kernel instanceof AdditiveKernel || kernel instanceof RadialKernel || kernel instanceof DotProductKernel;
    }

    /** Returns the values of the kernel, without the factor, for two sampled rows. */
    public Values values(RowSample rows, int i, int j) {
        if (kernel instanceof AdditiveKernel additive) {
            double sum = PairVisitor.sum(rows.nonZeros(), i, j, from, to, additive::scalar);
            return new Values(sum, Double.NaN);
        }
        if (kernel instanceof RadialKernel radial) {
            double squared = PairVisitor.sum(rows.nonZeros(), i, j, from, to, radial.additive()::squaredDistance);
            return new Values(radial.atSquaredDistance(squared), radial.atSquaredDistance(4 * squared));
        }
        if (kernel instanceof DotProductKernel dotProduct) {
            double[] sums = new double[3];
            PairVisitor.visit(rows.nonZeros(), i, j, from, to, (column, x, y) -> {
                sums[0] += x * y;
                sums[1] += x * x;
                sums[2] += y * y;
            });
            return new Values(dotProduct.of(sums[0], sums[1], sums[2]), Double.NaN);
        }
        double[] x = Arrays.copyOfRange(rows.row(i), from, to);
        double[] y = Arrays.copyOfRange(rows.row(j), from, to);
        if (kernel instanceof WarpedKernel warped) {
            return values(
                    warped.kernel(), warped.warp().applyToRow(x), warped.warp().applyToRow(y));
        }
        if (kernel instanceof ShiftInvariantKernel shiftInvariant) {
            return values(shiftInvariant, x, y);
        }
        return new Values(kernel.value(x, y), Double.NaN);
    }

    private static Values values(ShiftInvariantKernel kernel, double[] x, double[] y) {
        double[] offset = new double[x.length];
        double[] twice = new double[x.length];
        for (int l = 0; l < x.length; l++) {
            offset[l] = x[l] - y[l];
            twice[l] = 2 * offset[l];
        }
        return new Values(kernel.atOffset(offset), kernel.atOffset(twice));
    }
}
