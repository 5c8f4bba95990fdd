package org.bochner.kernel;

import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnNames;

/**
 * Reads kernels from their spellings: a name with its parameters, {@code gaussian(sigma=0.5)}; a sum of such terms with
 * factors, {@code gaussian(sigma=1) + 0.5*laplacian(sigma=3)}; a term of some columns, {@code gaussian(sigma=2)[0:64]},
 * or of warped values, {@code laplacian(sigma=1)@log(c=0.1)}; a product of kernels, each of its own columns,
 * {@code gaussian(sigma=2)[0:2] * periodic(width=0.5)[2:3]}.
 */
public final class Kernels {
    private Kernels() {}

    /** The kernel so spelled; what a kernel prints gives an equal one. Every bandwidth must be there. */
    public static Kernel parse(String text) {
        return Spelling.reading(() -> recipe(text).complete());
    }

    /** The kernel so spelled, of which bandwidths may be missing. */
    public static KernelRecipe recipe(String text) {
        return recipe(text, ColumnNames.none());
    }

    /**
     * Reads a kernel in which channels and columns may go by their names: {@code gaussian[colour] + laplacian[texture]}.
     * Terms whose columns are not known yet ({@link ColumnNames#unread}) become kernels of all columns, which is enough to
     * check the rest of the spelling.
     */
    public static KernelRecipe recipe(String text, ColumnNames names) {
        return Spelling.reading(() -> new KernelParser(text, names).parse());
    }

    /** Every family that a spelling may name: the library's own first, then those found on the class path. */
    public static List<KernelFamily> families() {
        return List.copyOf(KernelFamilies.all());
    }
}
