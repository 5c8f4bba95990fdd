package org.bochner.map;

import java.util.List;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.study.DifferenceRivals;
import org.bochner.map.study.RatioRivals;

/**
 * A map that a design is compared with: a map of the same kernel with at most as many features, and its error on the
 * range of the design.
 *
 * @param map the spelling of the map, or a description where it has none
 * @param error the error of the same kind as that of the design: largest or mean, absolute or relative
 */
public record DesignRival(String map, int features, double error) {
    /**
     * Returns the maps that compete with a design: sampled maps and series for a kernel of ratios; for others the
     * Fourier series on the range, or products of the columns' designs, and random features.
     */
    public static List<DesignRival> of(DesignProblem problem, Design design, int features) {
        return problem.kernel() instanceof HomogeneousKernel ratios
                ? new RatioRivals(ratios, design).all(features)
                : new DifferenceRivals((ShiftInvariantKernel) problem.kernel(), design, features).all();
    }
}
