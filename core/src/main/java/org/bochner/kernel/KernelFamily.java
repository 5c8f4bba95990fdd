package org.bochner.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bochner.base.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that share a name and differ in their parameters: what turns {@code matern(nu=1.5, sigma=2)} into a kernel.
 *
 * <p>Families from outside this library are found by {@link java.util.ServiceLoader}: implement this interface in a
 * public class with a public constructor without arguments, and name that class in
 * {@code META-INF/services/org.bochner.kernel.KernelFamily}. Names of the library's own families cannot be taken.
 */
public interface KernelFamily {
    /** The name in spellings: letters, digits and hyphens, starting with a letter. */
    String name();

    /** The names of all its parameters. */
    List<String> parameters();

    /** The parameter that is measured on the data where a spelling leaves it out, such as {@code sigma}. */
    Optional<String> scale();

    /** Whether rows count as alike over longer distances where {@link #scale} is larger; not so for gamma, beta and power. */
    default boolean scaleIsLength() {
        return true;
    }

    /**
     * Measures what {@link #scale} names.
     *
     * @param spelling the other parameters
     * @param rows those of the kernel's columns
     * @param warp what values go through before the kernel sees them
     */
    double measure(Spelling spelling, RowSample rows, @Nullable Warp warp);

    /** The kernel so spelled. The caller has checked that every parameter is one of the family's, and that the scale is there. */
    Kernel kernel(Spelling spelling);

    /** Makes a kernel of a family. */
    @FunctionalInterface
    interface Maker {
        Kernel kernel(Spelling spelling);
    }

    /** Makes a shift-invariant kernel of a family from its spelling and its bandwidth. */
    @FunctionalInterface
    interface BandwidthMaker {
        ShiftInvariantKernel kernel(Spelling spelling, Bandwidth sigma);
    }

    /** Measures a family's scale; see {@link KernelFamily#measure}. */
    @FunctionalInterface
    interface Measure {
        double of(Spelling spelling, RowSample rows, @Nullable Warp warp);
    }

    /** A family of shift-invariant kernels, whose {@code sigma} is by default the median of a distance. */
    static KernelFamily of(String name, Distance distance, BandwidthMaker maker, String... parameters) {
        return declared(
                name,
                "sigma",
                true,
                spelling -> maker.kernel(spelling, Bandwidth.parse(name, spelling.textOf("sigma"))),
                (spelling, rows, warp) -> rows.medianDistance(distance, 0, rows.columns(), warp),
                parameters);
    }

    /** A family of which the data may give one parameter, one over a length or its square. */
    static KernelFamily measured(String name, String scale, Maker maker, Measure measure, String... others) {
        return declared(name, scale, false, maker, measure, others);
    }

    private static KernelFamily declared(
            String name, String scale, boolean length, Maker maker, Measure measure, String... others) {
        List<String> parameters = new ArrayList<>(List.of(scale));
        parameters.addAll(List.of(others));
        return new Declared(name, List.copyOf(parameters), Optional.of(scale), length, maker, measure);
    }

    /** A family of which the data give nothing. */
    static KernelFamily withoutScale(String name, Maker maker, String... parameters) {
        return new Declared(name, List.of(parameters), Optional.empty(), false, maker, (spelling, rows, warp) -> {
            throw new IllegalStateException(name + " has nothing to measure");
        });
    }

    /** A family in one line, for a kernel's file to declare. */
    record Declared(
            String name,
            List<String> parameters,
            Optional<String> scale,
            boolean scaleIsLength,
            Maker maker,
            Measure measure)
            implements KernelFamily {
        @Override
        public double measure(Spelling spelling, RowSample rows, @Nullable Warp warp) {
            return measure.of(spelling, rows, warp);
        }

        @Override
        public Kernel kernel(Spelling spelling) {
            return maker.kernel(spelling);
        }
    }
}
