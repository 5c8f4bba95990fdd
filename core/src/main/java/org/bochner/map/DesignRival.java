package org.bochner.map;

import java.util.List;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
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
    /**
     * Returns the maps that compete with a design: sampled maps and series for a kernel of ratios; for others the Fourier
     * series on the range, or products of the columns' designs, and random features.
     */
    public static List<DesignRival> of(DesignProblem problem, Design design, int features) {
        return problem.kernel() instanceof HomogeneousKernel ratios
                ? new RatioRivals(ratios, design).all(features)
                : new DifferenceRivals((ShiftInvariantKernel) problem.kernel(), design, features).all();
    }
}
