package org.bochner.kernel;

import java.util.List;
import org.bochner.base.Spelling;

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

    /** The names of its parameters besides {@code sigma}, which every family has. */
    List<String> parameters();

    /** The distance its bandwidth measures. */
    Distance distance();

    /**
     * The kernel so spelled. The caller has read sigma, from the spelling or from the data, and has checked that the
     * spelling names no other parameters than this family's.
     */
    ShiftInvariantKernel kernel(Spelling spelling, Bandwidth sigma);

    /** Makes a kernel of a family from its spelling and its bandwidth. */
    @FunctionalInterface
    interface Maker {
        ShiftInvariantKernel kernel(Spelling spelling, Bandwidth sigma);
    }

    /** A family in one line, for a kernel's file to declare. */
    static KernelFamily of(String name, Distance distance, Maker maker, String... parameters) {
        List<String> names = List.of(parameters);
        return new KernelFamily() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<String> parameters() {
                return names;
            }

            @Override
            public Distance distance() {
                return distance;
            }

            @Override
            public ShiftInvariantKernel kernel(Spelling spelling, Bandwidth sigma) {
                return maker.kernel(spelling, sigma);
            }
        };
    }
}
