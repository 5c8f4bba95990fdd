package org.bochner.kernel;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.RowException;

/** A kernel of some consecutive columns only, {@code kernel[from:to]}: a channel. */
public record ChannelKernel(Kernel kernel, int from, int to) implements Kernel {
    public ChannelKernel {
        Require.that(from >= 0 && to > from, "channel", "[" + from + ":" + to + "] must not be empty");
        Require.that(
                !(kernel instanceof SumKernel || kernel instanceof ScaledKernel || kernel instanceof ChannelKernel),
                "channel",
                "give the columns of each term of a sum by itself");
        Require.that(
                kernel.minimumColumns() <= to - from,
                "channel",
                kernel + " needs " + kernel.minimumColumns() + " columns, [" + from + ":" + to + "] has "
                        + (to - from));
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
    public boolean takesAnyValue() {
        return kernel.takesAnyValue();
    }

    @Override
    public int minimumColumns() {
        return to;
    }

    @Override
    public String toString() {
        return kernel + "[" + from + ":" + to + "]";
    }
}
