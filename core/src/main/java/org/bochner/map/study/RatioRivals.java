package org.bochner.map.study;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.data.DenseRows;
import org.bochner.design.Design;
import org.bochner.design.Norm;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.DesignRival;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.Seed;

/**
 * Measures other maps of a kernel of ratios, for one column and with at most the features of a design, on pairs of
 * values with the ratios of the design. The largest value is 1, so errors are shares of the largest value.
 */
public record RatioRivals(HomogeneousKernel kernel, Design design) {
    /** The smallest value, above the subnormal numbers of float32. */
    private static final double SMALLEST = 1e-37;

    /** Number of values that are paired with the largest value. */
    private static final int VALUES = 3001;

    /** Number of values that are all paired, because errors of some maps do not depend on the ratio alone. */
    private static final int PAIRED_VALUES = 301;

    public List<DesignRival> all(int dimension) {
        List<String> spellings = new ArrayList<>();
        // A sampled map has two features per order, and one for the frequency 0.
        int order = (dimension - 1) / 2;
        if (order > 0) {
            spellings.add("sampled(order=" + order + ")");
            spellings.add("sampled(order=" + order + ", period=vlfeat)");
        }
        spellings.add("chebyshev(terms=" + dimension + ")");
        spellings.add("direct(terms=" + dimension + ")");
        RowSample rows = range();
        List<DesignRival> rivals = new ArrayList<>();
        for (String spelling : spellings) {
            try {
                FeatureMap map =
                        FeatureMaps.parse(spelling).build(kernel, rows, OptionalInt.empty(), new Seed(1), new Notes());
                rivals.add(new DesignRival(spelling, map.outputDimension(), error(map)));
            } catch (SpellingException e) {
                // There is no such map of this kernel.
            }
        }
        return rivals;
    }

    private double length() {
        return design.target().axes().get(0).length();
    }

    /** One row and the range: with fewer than two rows, recipes minimise the largest error on the range. */
    private RowSample range() {
        float[] ends = {(float) Math.max(SMALLEST, Math.exp(-length())), 1};
        return RowSample.of(DenseRows.of(2, 1, ends), 2, new Seed(1)).thinned(1);
    }

    private double error(FeatureMap map) {
        DoubleStream withTheLargest = errors(map, VALUES, 1);
        if (design.plan().norm() == Norm.MEAN) {
            return withTheLargest.average().orElseThrow();
        }
        return DoubleStream.concat(withTheLargest, errors(map, PAIRED_VALUES, PAIRED_VALUES))
                .max()
                .orElseThrow();
    }

    /**
     * Returns the weighted errors of a map at values that are even on a logarithmic scale, from the largest down: of
     * the first {@code paired} values with themselves and all later ones.
     */
    private DoubleStream errors(FeatureMap map, int count, int paired) {
        double[] values = new double[count];
        double[][] features = new double[count][map.outputDimension()];
        for (int i = 0; i < count; i++) {
            values[i] = Math.exp(-length() * i / (count - 1));
            map.apply(new double[] {values[i]}, features[i]);
        }
        return IntStream.range(0, paired)
                .boxed()
                .flatMapToDouble(i -> IntStream.range(i, count).mapToDouble(j -> {
                    double exact = kernel.scalar(values[i], values[j]);
                    double error = Math.abs(Vectors.dot(features[i], features[j]) - exact);
                    return error / (design.target().isRelative() ? exact : 1);
                }));
    }
}
