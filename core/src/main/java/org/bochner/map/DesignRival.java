package org.bochner.map;

import java.util.List;
import org.bochner.design.Design;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.study.DifferenceRivals;
import org.bochner.map.study.RatioRivals;

/**
 * A map that a design is compared with: a map of the same kernel with at most as many features, and its error on the range
 * of the design.
 *
 * @param map the spelling of the map, or a description where it has none
 * @param error the error of the same kind as that of the design: largest or mean, absolute or relative
 */
public record DesignRival(String map, int features, double error) {
    /** Measures sampled maps and series of a kernel of ratios. */
    public static List<DesignRival> of(HomogeneousKernel kernel, Design design, int features) {
        return new RatioRivals(kernel, design).all(features);
    }

    /** Measures the Fourier series on the range, or products of the columns' designs; and random features. */
    public static List<DesignRival> of(ShiftInvariantKernel kernel, Design design, int features) {
        return new DifferenceRivals(kernel, design, features).all();
    }
}
