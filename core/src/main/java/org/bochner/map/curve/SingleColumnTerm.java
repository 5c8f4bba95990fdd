package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.landmark.LandmarkMap;
import org.jspecify.annotations.Nullable;

/** The function w·φ(x) of any map of a single column. */
final class SingleColumnTerm extends CurveTerm {
    private final FeatureMap map;

    /** Features × outputs. */
    private final double[] weights;

    SingleColumnTerm(Place place, int outputs, FeatureMap map, double[] weights) {
        super(place, outputs);
        this.map = map;
        this.weights = weights;
    }

    @Override
    Kernel kernel() {
        return map.kernel();
    }

    @Override
    double @Nullable [] range(int column) {
        if (!(map instanceof LandmarkMap landmarks)) {
            return null;
        }
        double[] values = new double[landmarks.landmarks().rows()];
        double[] row = new double[1];
        for (int i = 0; i < values.length; i++) {
            landmarks.landmarks().copyRow(i, row);
            values[i] = row[0];
        }
        return new double[] {
            Arrays.stream(values).min().orElse(0), Arrays.stream(values).max().orElse(0)
        };
    }

    @Override
    boolean uses(int column) {
        return Arrays.stream(weights).anyMatch(weight -> weight != 0);
    }

    @Override
    void add(int column, double x, double[] out) {
        double[] features = new double[map.outputDimension()];
        map.apply(new double[] {x}, features);
        for (int j = 0; j < features.length; j++) {
            for (int o = 0; o < outputs; o++) {
                out[o] += features[j] * weights[j * outputs + o];
            }
        }
    }
}
