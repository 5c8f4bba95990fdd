package org.bochner.cli;

import java.util.List;
import java.util.Optional;
import org.bochner.design.Design;
import org.bochner.design.Target;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.map.DesignRival;

/** What is designed: a kernel, and the range of its values. */
sealed interface DesignSubject permits RatioSubject, DifferenceSubject {
    Kernel kernel();

    boolean relative();

    /** The problem in the library's terms. */
    Target target();

    /** The range of values, in words. */
    String range();

    /** The intervals of the columns' values; empty where all values are meant, or those of a period. */
    List<Optional<Interval>> domain();

    /** The range as a parameter of the map's spelling; empty where the map must take it from data. */
    Optional<String> rangeParameter();

    /** Other maps of at most so many dimensions, with their errors measured as that of the design is. */
    List<DesignRival> rivals(Design design, int dimension);

    /** The kernel of a channel's columns; fails, saying what to do instead, where a kernel has no design. */
    static Kernel requireDesignable(Kernel kernel) {
        if (kernel instanceof ChannelKernel channel) {
            return requireDesignable(channel.kernel());
        }
        boolean homogeneous = kernel instanceof HomogeneousKernel && !(kernel instanceof SeparableKernel);
        if (homogeneous || kernel instanceof ShiftInvariantKernel) {
            return kernel;
        }
        throw new UsageException("design is for kernels of the ratio of two values, such as chi2, and of the difference"
                + " of rows of 1 to 3 columns, such as gaussian; " + advice(kernel));
    }

    private static String advice(Kernel kernel) {
        if (kernel instanceof SeparableKernel) {
            return kernel + " has an exact map, --map exact, with one feature a column";
        }
        if (kernel instanceof RadialKernel radial) {
            return kernel + " is a kernel of the distance of " + radial.additive() + ": design that, and use it as the"
                    + " first stage, as in --map 'fourier@lp(dimension=5)'";
        }
        if (kernel instanceof SumKernel) {
            return "design the terms of " + kernel + " one by one, and add their maps with '+'";
        }
        if (kernel instanceof ScaledKernel scaled) {
            return "leave out the factor of " + kernel + ": its errors are those of " + scaled.kernel() + " times it";
        }
        if (kernel instanceof WarpedKernel warped) {
            return kernel + " is the kernel " + warped.kernel()
                    + " of warped values: design that, with the --domain of these";
        }
        return kernel + " depends on the inner product: take --map auto";
    }
}
