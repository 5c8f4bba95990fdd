package org.bochner.kernel.composed;

import java.util.function.Function;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.family.DeclaredFamily;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Sech;

/**
 * A skewed kernel of histograms: a product over the columns that compares the ratios of X = (x + c)^power.
 *
 * @param c added to every value, one for all columns or one per column range; values must be greater than −c
 * @param power one for all columns or one per column range
 */
public record SkewedKernel(Kind kind, ByColumn c, Bandwidth power) implements WarpedKernel {
    /** The skewed kernels. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    public enum Kind {
        /**
         * {@code ∏ₗ 2XₗYₗ / (Xₗ² + Yₗ²)} = sech(power·(log(x + c) − log(y + c))). With power ½ it is
         * {@code ∏ₗ 2√(xₗ+c)√(yₗ+c) / (xₗ + yₗ + 2c)}, the usual definition of the skewed χ² kernel.
         */
        CHI2("skewed-chi2", 2, Sech::new),

        /** {@code ∏ₗ min(Xₗ/Yₗ, Yₗ/Xₗ)} = exp(−power·|log(x + c) − log(y + c)|). */
        INTERSECTION("skewed-intersection", 1, Laplacian::new);

        private final String spelled;
        private final int norm;
        private final Function<Bandwidth, ShiftInvariantKernel> ofLogarithms;

        Kind(String spelled, int norm, Function<Bandwidth, ShiftInvariantKernel> ofLogarithms) {
            this.spelled = spelled;
            this.norm = norm;
            this.ofLogarithms = ofLogarithms;
        }

        /** Returns the kernel with one c per column range; range r ends before column {@code ends[r]}. */
        public SkewedKernel kernel(int[] ends, double[] c, Bandwidth power) {
            return new SkewedKernel(this, ByColumn.of(spelled, ends, c), power);
        }

        /** Returns the kernel with one c and one power for all columns. */
        public SkewedKernel kernel(double c, double power) {
            return new SkewedKernel(this, ByColumn.of(c), Bandwidth.of(power));
        }

        /** Returns the family of the kernel. A missing power is one over the median distance of log(x + c). */
        public KernelFamily family() {
            return DeclaredFamily.measured(
                    spelled,
                    "power",
                    spelling -> new SkewedKernel(
                            this,
                            LogWarp.shift(spelling),
                            Bandwidth.parseInverse(spelled, "power", spelling.textOf("power"))),
                    (spelling, rows) -> 1
                            / rows.warped(new LogWarp(LogWarp.shift(spelling))).medianDistance(norm),
                    "c");
        }
    }

    public SkewedKernel {
        // Fails if c is negative.
        new LogWarp(kind.spelled, c);
    }

    @Override
    public ShiftInvariantKernel kernel() {
        return kind.ofLogarithms.apply(power.inverse());
    }

    @Override
    public LogWarp warp() {
        return new LogWarp(kind.spelled, c);
    }

    @Override
    public SkewedKernel withSigma(Bandwidth sigma) {
        return new SkewedKernel(kind, c, sigma.inverse());
    }

    @Override
    public String toString() {
        return kind.spelled + "(c=" + c + ", power=" + power + ")";
    }
}
