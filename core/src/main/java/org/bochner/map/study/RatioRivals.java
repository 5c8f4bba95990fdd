package org.bochner.map.study;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.SpellingException;
import org.bochner.data.DenseRows;
import org.bochner.design.Design;
import org.bochner.design.Norm;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.DesignRival;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;

/**
 * Measures other maps of a kernel of ratios, for one column and with at most the features of a design, on pairs of
 * values with the ratios of the design. The largest value is 1, so errors are shares of the largest value.
 */
public final class RatioRivals {
    /** The smallest value, above the subnormal numbers of float32. */
    private static final double SMALLEST = 1e-37;

    /** Number of values that are paired with the largest value. */
    private static final int VALUES = 3001;

    /** Number of values that are all paired, because errors of some maps do not depend on the ratio alone. */
    private static final int PAIRED_VALUES = 301;

    private final HomogeneousKernel kernel;
    private final Design design;
    private final double length;

    public RatioRivals(HomogeneousKernel kernel, Design design) {
        this.kernel = kernel;
        this.design = design;
        this.length = design.target().axes().get(0).length();
    }

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
                        FeatureMaps.parse(spelling).build(kernel, rows, OptionalInt.empty(), new Seed(1), note -> {});
                rivals.add(new DesignRival(spelling, map.outputDimension(), error(map)));
            } catch (SpellingException e) {
                // There is no such map of this kernel.
            }
        }
        return rivals;
    }

    /** One row and the range: with fewer than two rows, recipes minimise the largest error on the range. */
    private RowSample range() {
        float[] ends = {(float) Math.max(SMALLEST, Math.exp(-length)), 1};
        return RowSample.of(DenseRows.of(2, 1, ends), 2, new Seed(1)).thinned(1);
    }

    private double error(FeatureMap map) {
        double[] errors = new Errors(map, VALUES).withTheLargest();
        double largest = 0;
        double sum = 0;
        for (double error : errors) {
            largest = Math.max(largest, error);
            sum += error;
        }
        if (design.plan().norm() == Norm.MEAN) {
            return sum / errors.length;
        }
        return Math.max(largest, new Errors(map, PAIRED_VALUES).largestOfAll());
    }

    /** The weighted errors of a map at values that are even on a logarithmic scale, from the largest down. */
    private final class Errors {
        private final double[] values;
        private final double[][] features;

        Errors(FeatureMap map, int count) {
            values = new double[count];
            features = new double[count][map.outputDimension()];
            for (int i = 0; i < count; i++) {
                values[i] = Math.exp(-length * i / (count - 1));
                map.apply(new double[] {values[i]}, features[i]);
            }
        }

        double[] withTheLargest() {
            double[] errors = new double[values.length];
            for (int i = 0; i < errors.length; i++) {
                errors[i] = error(0, i);
            }
            return errors;
        }

        double largestOfAll() {
            double largest = 0;
            for (int i = 0; i < values.length; i++) {
                for (int j = i; j < values.length; j++) {
                    largest = Math.max(largest, error(i, j));
                }
            }
            return largest;
        }

        private double error(int i, int j) {
            double estimate = 0;
            for (int f = 0; f < features[i].length; f++) {
                estimate += features[i][f] * features[j][f];
            }
            double exact = kernel.scalar(values[i], values[j]);
            return Math.abs(estimate - exact) / (design.target().isRelative() ? exact : 1);
        }
    }
}
