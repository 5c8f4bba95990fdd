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
 * The other maps of a kernel of ratios, one column wide, of at most the features of a design; measured over pairs of values
 * of the same ratios. The largest value is 1: errors are then shares of it, whatever it is.
 */
public final class RatioRivals {
    /** Rows hold no smaller values as normal numbers. */
    private static final double SMALLEST = 1e-37;

    /** Values whose pairs with the largest are looked at. */
    private static final int VALUES = 3001;

    /** Values all of whose pairs are looked at, for maps whose errors do not only depend on the ratio. */
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
        // Orders of sampled maps have two features each, and one for the frequency 0.
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
                // The map is not one of this kernel.
            }
        }
        return rivals;
    }

    /** No rows but one, and the range: maps then make their largest error over it small, rather than that of rows. */
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

    /** The weighted errors of a map at values with even logarithms, the largest first. */
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
