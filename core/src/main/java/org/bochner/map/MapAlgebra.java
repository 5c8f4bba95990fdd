package org.bochner.map;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.kernel.ChannelKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ScaledKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.SumKernel;
import org.bochner.kernel.WarpedKernel;
import org.bochner.random.Seed;

/**
 * The mirror between kernels and maps: a sum becomes a concatenation, a·k becomes √a·φ, a channel a map of its columns,
 * and k∘t becomes φ∘t. Recipes say only how a shift-invariant kernel is mapped.
 */
final class MapAlgebra {
    private MapAlgebra() {}

    /** Makes the map of a kernel that the algebra cannot take apart. */
    interface Leaf {
        FourierMap build(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed);
    }

    /**
     * Builds the map of any kernel.
     *
     * @param frequencies how many to use in all; the terms of a sum share them equally, the first ones taking the rest
     */
    static FeatureMap build(Kernel kernel, int columns, int frequencies, Seed seed, Leaf leaf) {
        Require.atLeast("map", "columns", columns, 1);
        Require.that(
                kernel.minimumColumns() <= columns,
                kernel.toString(),
                "needs " + kernel.minimumColumns() + " columns, the rows have " + columns);
        if (kernel instanceof SumKernel sum) {
            return concatenate(sum, columns, frequencies, seed, leaf);
        }
        if (kernel instanceof ScaledKernel scaled) {
            return new ScaledMap(scaled.factor(), build(scaled.kernel(), columns, frequencies, seed, leaf));
        }
        if (kernel instanceof ChannelKernel channel) {
            int width = channel.to() - channel.from();
            return new ColumnsMap(
                    build(channel.kernel(), width, frequencies, seed, leaf), channel.from(), channel.to(), columns);
        }
        if (kernel instanceof WarpedKernel warped) {
            return new WarpedMap(leaf.build(warped.kernel(), columns, frequencies, seed), warped.warp());
        }
        return leaf.build((ShiftInvariantKernel) kernel, columns, frequencies, seed);
    }

    private static FeatureMap concatenate(SumKernel sum, int columns, int frequencies, Seed seed, Leaf leaf) {
        int terms = sum.terms().size();
        Require.that(
                frequencies >= terms,
                sum.toString(),
                "a sum of " + terms + " kernels needs a frequency for each, got " + frequencies
                        + "; take more features");
        List<FeatureMap> parts = new ArrayList<>();
        for (int t = 0; t < terms; t++) {
            int share = frequencies / terms + (t < frequencies % terms ? 1 : 0);
            parts.add(build(sum.terms().get(t), columns, share, seed.derive(t), leaf));
        }
        return new ConcatenatedMap(parts);
    }
}
