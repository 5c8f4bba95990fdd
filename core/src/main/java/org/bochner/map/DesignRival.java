package org.bochner.map;

import java.util.List;
import org.bochner.design.Design;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.study.DifferenceRivals;
import org.bochner.map.study.RatioRivals;

/**
 * Another map of a kernel than a designed one, of at most as many features, with its error on the range of the design.
 *
 * @param map its spelling, or what it is in words where it has none
 * @param error largest or mean, absolute or relative, as that of the design is
 */
public record DesignRival(String map, int features, double error) {
    /** Sampled maps and series of a kernel of ratios. */
    public static List<DesignRival> of(HomogeneousKernel kernel, Design design, int features) {
        return new RatioRivals(kernel, design).all(features);
    }

    /** The Fourier series on the range, or products of the columns' designs; and random features. */
    public static List<DesignRival> of(ShiftInvariantKernel kernel, Design design, int features) {
        return new DifferenceRivals(kernel, design, features).all();
    }
}
