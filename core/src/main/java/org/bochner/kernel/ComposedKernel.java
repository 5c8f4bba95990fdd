package org.bochner.kernel;

import java.util.List;

/**
 * A kernel made of other kernels: a sum, a multiple, a kernel of some columns, of warped values or of a distance.
 * {@link Kernels} creates them. Their feature maps are built in, so other implementations cannot be mapped.
 */
public non-sealed interface ComposedKernel extends Kernel {
    /** Returns the kernels that it is made of. */
    List<? extends Kernel> parts();

    @Override
    default void requireValue(double x, int column) {
        for (Kernel part : parts()) {
            part.requireValue(x, column);
        }
    }

    @Override
    default boolean takesAnyValue() {
        return parts().stream().allMatch(Kernel::takesAnyValue);
    }

    @Override
    default boolean takesAnyUnit() {
        return parts().stream().allMatch(Kernel::takesAnyUnit);
    }

    @Override
    default int minimumColumns() {
        return parts().stream().mapToInt(Kernel::minimumColumns).max().orElse(1);
    }
}
