package org.bochner.kernel.composed;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.kernel.ComposedKernel;
import org.bochner.kernel.Kernel;

/**
 * A kernel of some consecutive columns only, {@code kernel[from:to]}: a channel. The channel of a {@link ProductKernel}
 * is spelled with the columns of its factors, {@code gaussian(sigma=1)[5:7] * laplacian(sigma=2)[7:9]}.
 */
public record ChannelKernel(Kernel kernel, int from, int to) implements ComposedKernel {
    public ChannelKernel {
        Require.that(from >= 0 && to > from, "channel", "[" + from + ":" + to + "] must not be empty");
        Require.that(
                !(kernel instanceof SumKernel || kernel instanceof ScaledKernel || kernel instanceof ChannelKernel),
                "channel: give the columns of each term of a sum by itself");
        Require.that(
                !(kernel instanceof ProductKernel product) || (from > 0 && product.columns() == to - from),
                "channel: " + kernel
                        + " has columns already; it takes a channel only if other columns come before them, with the same"
                        + " number of columns");
        Require.that(
                kernel.minimumColumns() <= to - from,
                "channel: " + kernel + " needs " + kernel.minimumColumns() + " columns, [" + from + ":" + to + "] has "
                        + (to - from));
    }

    /** Returns the kernel of some columns; for a product and its own columns, the product itself. */
    public static Kernel of(Kernel kernel, int from, int to) {
        return from == 0 && kernel instanceof ProductKernel product && product.columns() == to
                ? product
                : new ChannelKernel(kernel, from, to);
    }

    @Override
    public double value(double[] x, double[] y) {
        try {
            return kernel.value(Arrays.copyOfRange(x, from, to), Arrays.copyOfRange(y, from, to));
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    public void requireValue(double x, int column) {
        if (column >= from && column < to) {
            kernel.requireValue(x, column - from);
        }
    }

    @Override
    public List<Kernel> parts() {
        return List.of(kernel);
    }

    @Override
    public int minimumColumns() {
        return to;
    }

    @Override
    public String toString() {
        return kernel instanceof ProductKernel product ? product.behind(from) : kernel + "[" + from + ":" + to + "]";
    }
}
