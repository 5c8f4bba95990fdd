package org.bochner.kernel.gram;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.NormKernel;
import org.bochner.numeric.optimise.Vectors;

/**
 * Computes the kernel values k(x, h) between blocks of rows x and fixed rows h, such as landmarks.
 *
 * <p>A kernel that is a function of inner products takes one matrix product per block; if the fixed rows are sparse, it
 * takes the common non-zeros only. Kernels of histograms visit the common non-zeros as well. Kernels of sums of powers of
 * differences (laplacian, stable) are computed column by column, other kernels pair by pair.
 *
 * <p>Memory: sparse fixed rows stay sparse, except for warped kernels, kernels of differences
 * (laplacian) and kernels that are steep at equal rows (matern(nu=0.5)), which take dense copies of at most 16 bytes per
 * value.
 *
 * <p>Accuracy: squared distances come from inner products of centred rows, |x|² + |h|² − 2x·h. Their rounding error is
 * about 10⁻¹⁵ of |x|² + |h|² in float64, and 10⁻⁷ in float32.
 *
 * <p>Threads: safe; immutable.
 */
public abstract class CrossKernel {
    private final int size;
    private final int columns;

    CrossKernel(RowBlock fixed) {
        size = fixed.rows();
        columns = fixed.columns();
    }

    /** Prepares a kernel for fixed rows, which must be plain and must not change afterwards. */
    public static CrossKernel of(Kernel kernel, RowBlock fixed) {
        if (kernel instanceof SumKernel sum) {
            return combined(sum.terms().stream().map(term -> of(term, fixed)).toList(), Double::sum, fixed);
        }
        if (kernel instanceof ScaledKernel scaled) {
            return scaled(of(scaled.kernel(), fixed), scaled.factor(), fixed);
        }
        if (kernel instanceof ChannelKernel channel) {
            return channel(channel.kernel(), channel.from(), channel.to(), fixed);
        }
        if (kernel instanceof ProductKernel product) {
            List<CrossKernel> factors = product.factors().stream()
                    .map(factor -> channel(factor.kernel(), factor.from(), factor.to(), fixed))
                    .toList();
            return combined(factors, (x, y) -> x * y, fixed);
        }
        if (kernel instanceof WarpedKernel warped) {
            return ofShiftInvariant(warped.kernel(), warped.warp()::apply, dense(fixed));
        }
        if (kernel instanceof SeparableKernel separable) {
            return ofProducts(
                    (x, column) -> {
                        separable.requireValue(x, column);
                        return separable.feature(x);
                    },
                    PairFunction.PRODUCT,
                    fixed);
        }
        if (kernel instanceof AdditiveKernel additive) {
            return ofColumns(additive, PairFunction.PRODUCT, fixed);
        }
        if (kernel instanceof RadialKernel radial) {
            return ofColumns(radial.additive(), new PairFunction.OfDistance(radial::atSquaredDistance), fixed);
        }
        if (kernel instanceof DotProductKernel dotProduct) {
            return ofProducts(ValueMap.IDENTITY, dotProduct::of, fixed);
        }
        return kernel instanceof ShiftInvariantKernel shiftInvariant
                ? ofShiftInvariant(shiftInvariant, ValueMap.IDENTITY, fixed)
                : new PairwiseCross(kernel, ValueMap.IDENTITY, fixed);
    }

    /** Returns the values of a function of inner products, after a function that leaves zeros of sparse rows. */
    private static CrossKernel ofProducts(ValueMap map, PairFunction function, RowBlock fixed) {
        return fixed instanceof SparseRows
                ? new ListCross(map, null, function, fixed)
                : new InnerProductCross(map, function, fixed);
    }

    private static CrossKernel ofColumns(AdditiveKernel kernel, PairFunction function, RowBlock fixed) {
        ValueMap checked = (x, column) -> {
            kernel.requireValue(x, column);
            return x;
        };
        return new ListCross(checked, kernel::scalar, function, fixed);
    }

    /** Returns the values of a multiple of a kernel. */
    private static CrossKernel scaled(CrossKernel part, double factor, RowBlock fixed) {
        return new CrossKernel(fixed) {
            @Override
            void compute(RowBlock rows, double[] out, int offset, int stride) {
                part.compute(rows, out, offset, stride);
                for (int i = 0; i < rows.rows(); i++) {
                    for (int j = 0; j < size(); j++) {
                        out[offset + i * stride + j] *= factor;
                    }
                }
            }
        };
    }

    /** Returns the values of a sum or a product of kernels. */
    private static CrossKernel combined(List<CrossKernel> parts, DoubleBinaryOperator combine, RowBlock fixed) {
        return new CrossKernel(fixed) {
            @Override
            void compute(RowBlock rows, double[] out, int offset, int stride) {
                parts.get(0).compute(rows, out, offset, stride);
                double[] values = new double[Math.multiplyExact(rows.rows(), size())];
                for (CrossKernel next : parts.subList(1, parts.size())) {
                    next.compute(rows, values, 0, size());
                    for (int i = 0; i < rows.rows(); i++) {
                        for (int j = 0; j < size(); j++) {
                            int at = offset + i * stride + j;
                            out[at] = combine.applyAsDouble(out[at], values[i * size() + j]);
                        }
                    }
                }
            }
        };
    }

    /** Returns the values of a kernel of the columns from (inclusive) to (exclusive). */
    private static CrossKernel channel(Kernel kernel, int from, int to, RowBlock fixed) {
        CrossKernel part = of(kernel, fixed.columns(from, to));
        return new CrossKernel(fixed) {
            @Override
            void compute(RowBlock rows, double[] out, int offset, int stride) {
                try {
                    part.compute(rows.columns(from, to), out, offset, stride);
                } catch (RowException e) {
                    throw e.behind(from);
                }
            }

            @Override
            void compute(RowBlock rows, float[] out, int offset, int stride) {
                try {
                    part.compute(rows.columns(from, to), out, offset, stride);
                } catch (RowException e) {
                    throw e.behind(from);
                }
            }
        };
    }

    private static CrossKernel ofShiftInvariant(ShiftInvariantKernel kernel, ValueMap before, RowBlock fixed) {
        if (kernel.ofScaledSquare().isEmpty()) {
            return kernel instanceof NormKernel norm
                    ? new NormCross(norm, before, fixed)
                    : new PairwiseCross(kernel, before, fixed);
        }
        PairFunction function =
                new PairFunction.OfDistance(kernel.ofScaledSquare().get());
        return ofProducts(
                before.dividedBy(kernel.sigma(), fixed.columns()),
                function,
                function.smoothAtEqualRows() ? fixed : dense(fixed));
    }

    /** Returns the rows as a dense block, for functions that move zeros. */
    private static RowBlock dense(RowBlock rows) {
        if (!(rows instanceof SparseRows sparse)) {
            return rows;
        }
        // The copy in float32, and the prepared values in float64 and float32.
        float[] values = new float[DenseSize.of(rows.rows(), rows.columns(), 16)];
        sparse.copyDense(0, rows.rows(), values);
        return DenseRows.like(rows, rows.columns(), values);
    }

    /** Returns the number of fixed rows. */
    public final int size() {
        return size;
    }

    /**
     * Computes a block in float64: the value of row i and fixed row j goes to {@code out[offset + i * stride + j]}.
     *
     * @throws RowException if a row lies outside the kernel's domain
     */
    public final void values(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        compute(rows, out, offset, stride);
    }

    /**
     * Computes a block in float32: the value of row i and fixed row j goes to {@code out[offset + i * stride + j]}.
     *
     * @throws RowException if a row lies outside the kernel's domain
     */
    public final void values(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        compute(rows, out, offset, stride);
    }

    private void checkColumns(RowBlock rows) {
        Require.sameSize("kernel matrix", "columns", rows.columns(), columns);
    }

    abstract void compute(RowBlock rows, double[] out, int offset, int stride);

    /** Computes in float64 and rounds; kernels with a faster way override this method. */
    void compute(RowBlock rows, float[] out, int offset, int stride) {
        double[] exact = new double[Math.multiplyExact(rows.rows(), size)];
        compute(rows, exact, 0, size);
        for (int i = 0; i < rows.rows(); i++) {
            Vectors.round(exact, i * size, out, offset + i * stride, size);
        }
    }
}
