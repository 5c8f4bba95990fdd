package org.bochner.kernel.gram;

import java.util.List;
import java.util.Optional;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.numeric.matrix.Matrix;

/**
 * Computes kernel values k(xᵢ, hⱼ) between rows x and movable rows h in float64, and gradients of weighted sums of them
 * with respect to h. All matrices hold one row after the other, with any stride, and are not transposed.
 *
 * <p>Where a kernel has a kink, as min(x, h) at x = h, the gradient is that of one side or 0.
 *
 * <p>Cost: two matrix products per call for functions of the Euclidean distance or of inner products; otherwise one
 * operation per pair and column.
 *
 * <p>Threads: safe; immutable.
 */
public interface CrossGradient {
    /** Writes k(xᵢ, hⱼ) to row i, column j of {@code out}. */
    void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out);

    /** Adds Σᵢ cᵢⱼ·∂k(xᵢ, hⱼ)/∂hⱼ to row j of {@code out}. */
    void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out);

    /** Returns the gradient of a kernel; empty if the kernel is of a type that this library does not know. */
    static Optional<CrossGradient> of(Kernel kernel) {
        if (kernel instanceof SumKernel sum) {
            List<CrossGradient> terms =
                    sum.terms().stream().flatMap(term -> of(term).stream()).toList();
            return terms.size() == sum.terms().size()
                    ? Optional.of(new ComposedGradients.Sum(terms))
                    : Optional.empty();
        }
        if (kernel instanceof ScaledKernel scaled) {
            return of(scaled.kernel()).map(part -> new ComposedGradients.Scaled(scaled.factor(), part));
        }
        if (kernel instanceof ChannelKernel channel) {
            return of(channel.kernel()).map(part -> new ComposedGradients.Channel(channel.from(), channel.to(), part));
        }
        if (kernel instanceof WarpedKernel warped) {
            return of(warped.kernel()).map(part -> new ComposedGradients.Warped(warped.warp(), part));
        }
        if (kernel instanceof AdditiveKernel additive) {
            return Optional.of(new PairGradients.OfColumns(ColumnTerms.of(additive)));
        }
        if (kernel instanceof RadialKernel radial) {
            return Optional.of(new PairGradients.OfColumnDistance(radial, ColumnTerms.of(radial.additive())));
        }
        if (kernel instanceof DotProductKernel dotProduct) {
            return Optional.of(new ProductGradient(dotProduct));
        }
        if (kernel instanceof ShiftInvariantKernel shiftInvariant) {
            return Optional.of(
                    shiftInvariant.ofScaledSquare().isPresent()
                            ? new DistanceGradient(shiftInvariant)
                            : new PairGradients.OfOffset(shiftInvariant));
        }
        return Optional.empty();
    }
}
