package org.bochner.map.study;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.design.Design;
import org.bochner.design.Plan;
import org.bochner.design.Pool;
import org.bochner.design.Search;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.DesignRival;
import org.bochner.map.FeatureMap;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;

/**
 * Measures other maps of a kernel of differences, with at most the features of a design, on the range of the design.
 */
public record DifferenceRivals(ShiftInvariantKernel kernel, Design design, int dimension) {
    private static final int SEEDS = 5;

    /** Points per axis, by the number of columns. */
    private static final int[] POINTS = {0, 3001, 121, 31};

    private static final int INTEGRATION_POINTS = 8192;

    public List<DesignRival> all() {
        List<DesignRival> rivals = new ArrayList<>();
        if (design.columns() == 1) {
            rivals.add(harmonics());
        } else if (design.plan().search() != Search.GREEDY) {
            Plan products = new Plan(design.plan().norm(), design.plan().form(), Pool.PRODUCT, Search.GREEDY, 0);
            Design greedy = Design.ofDimension(design.target(), products, dimension);
            String name = "products of designs of the columns, without a linear program";
            rivals.add(new DesignRival(name, greedy.dimension(), greedy.error()));
        }
        // Random features come in pairs.
        int features = dimension / 2 * 2;
        if (features > 0) {
            double mean = 0;
            for (int seed = 1; seed <= SEEDS; seed++) {
                mean += error(random(features, seed)) / SEEDS;
            }
            rivals.add(new DesignRival("fourier, mean of " + SEEDS + " seeds", features, mean));
        }
        return rivals;
    }

    /**
     * Returns the Fourier series of the signature on its range, α₀ = ∫k/M and αⱼ = 2∫k·cos(jπz/M)/M, with as many terms
     * as the features allow. Negative weights, which no map has, are set to 0.
     */
    private DesignRival harmonics() {
        double length = design.target().axes().get(0).length();
        int order = (dimension - 1) / 2;
        double[] weights = new double[order + 1];
        for (int i = 0; i < INTEGRATION_POINTS; i++) {
            double share = (i + 0.5) / INTEGRATION_POINTS;
            double value = design.target().signature().applyAsDouble(new double[] {share * length});
            for (int j = 0; j <= order; j++) {
                weights[j] += (j == 0 ? 1 : 2) * value * Math.cos(j * Math.PI * share) / INTEGRATION_POINTS;
            }
        }
        double error = error(z -> {
            double sum = 0;
            for (int j = 0; j <= order; j++) {
                sum += Math.max(0, weights[j]) * Math.cos(j * Math.PI * z[0] / length);
            }
            return sum;
        });
        return new DesignRival("Fourier series on the range", 2 * order + 1, error);
    }

    private ToDoubleFunction<double[]> random(int features, int seed) {
        FeatureMap map = FourierRecipe.RANDOM.build(kernel, design.columns(), features, new Seed(seed));
        double[] origin = new double[features];
        map.apply(new double[design.columns()], origin);
        double[] other = new double[features];
        return z -> {
            map.apply(z, other);
            return Vectors.dot(origin, other);
        };
    }

    private double error(ToDoubleFunction<double[]> estimate) {
        return design.errorOf(estimate, POINTS[design.columns()]);
    }
}
