package org.bochner.kernel.composed;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Warp;

/**
 * A shift-invariant kernel of warped values, k(t(x), t(y)): its feature map is φ∘t. It is spelled {@code kernel@warp},
 * or by a name of its own such as {@code skewed-chi2(c=0.1, power=0.5)}.
 */
public interface WarpedKernel extends ComposedKernel {
    /** Returns the kernel of the warped values. */
    ShiftInvariantKernel kernel();

    /** Returns the warp. */
    Warp warp();

    /** Returns the kernel with other length-scales of the warped values. */
    WarpedKernel withSigma(Bandwidth sigma);

    /** Returns a kernel of warped values without a name of its own. */
    static WarpedKernel of(ShiftInvariantKernel kernel, Warp warp) {
        return new Spelled(kernel, warp);
    }

    @Override
    default double value(double[] x, double[] y) {
        return kernel().value(warp().applyToRow(x), warp().applyToRow(y));
    }

    @Override
    default void requireValue(double x, int column) {
        double unused = warp().apply(x, column);
    }

    @Override
    default boolean takesAnyValue() {
        return false;
    }

    @Override
    default List<ShiftInvariantKernel> parts() {
        return List.of(kernel());
    }

    @Override
    default int minimumColumns() {
        return Math.max(kernel().minimumColumns(), warp().minimumColumns());
    }

    /** A kernel that is spelled {@code kernel@warp}. */
    record Spelled(ShiftInvariantKernel kernel, Warp warp) implements WarpedKernel {
        public Spelled {
            Require.that(kernel != null && warp != null, "warped kernel", "needs a kernel and a warp");
            Require.that(
                    !(kernel instanceof ProductKernel),
                    "warped kernel: a product cannot be warped; transform the columns of the data before");
        }

        @Override
        public Spelled withSigma(Bandwidth sigma) {
            return new Spelled(kernel.withSigma(sigma), warp);
        }

        @Override
        public String toString() {
            return kernel + "@" + warp;
        }
    }
}
