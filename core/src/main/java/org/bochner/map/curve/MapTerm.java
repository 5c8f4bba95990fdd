package org.bochner.map.curve;

import org.bochner.kernel.Kernel;
import org.bochner.kernel.additive.Linear;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.BinCode;
import org.bochner.map.additive.BinnedMap;
import org.jspecify.annotations.Nullable;

/** The functions w·φ(x) of the columns of an additive map. */
final class MapTerm extends CurveTerm {
    private final AdditiveMap map;

    /** Features × outputs. */
    private final double[] weights;

    MapTerm(Place place, int outputs, AdditiveMap map, double[] weights) {
        super(place, outputs);
        this.map = map;
        this.weights = weights;
    }

    @Override
    Kernel kernel() {
        return map.kernel();
    }

    private double weight(int column, int feature, int output) {
        return weights[(column * map.featuresPerColumn() + feature) * outputs + output];
    }

    @Override
    boolean uses(int column) {
        int own = map.featuresPerColumn() * outputs;
        for (int k = column * own; k < (column + 1) * own; k++) {
            if (weights[k] != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    void add(int column, double x, double[] out) {
        if (x == 0) {
            return;
        }
        double[] features = new double[map.featuresPerColumn()];
        map.map(column, x, features, 0);
        for (int j = 0; j < features.length; j++) {
            for (int o = 0; o < outputs && features[j] != 0; o++) {
                out[o] += features[j] * weight(column, j, o);
            }
        }
    }

    @Override
    double @Nullable [] range(int column) {
        return map instanceof BinnedMap binned ? new double[] {0, binned.range(column)} : null;
    }

    private boolean linear() {
        return map.kernel() instanceof Linear && map.featuresPerColumn() == 1;
    }

    @Override
    void addSlopes(int column, double[] out) {
        for (int o = 0; o < outputs && linear(); o++) {
            out[o] += weight(column, 0, o);
        }
    }

    @Override
    boolean addPieces(int column, Breaks breaks) {
        if (map instanceof BinnedMap binned) {
            return addBins(binned, column, breaks);
        }
        for (int o = 0; o < outputs && linear(); o++) {
            breaks.addLastSlope(o, weight(column, 0, o));
        }
        return linear();
    }

    /** Adds the pieces between the bins. The feature of values above the bins is a root, which has no straight pieces. */
    private boolean addBins(BinnedMap map, int column, Breaks breaks) {
        int bins = map.bins();
        for (int o = 0; o < outputs; o++) {
            if (map.degree() != 1 || weight(column, bins, o) != 0) {
                return false;
            }
        }
        double length = map.range(column) / bins;
        double unit = Math.sqrt(length);
        boolean steps = map.code() == BinCode.UNARY;
        for (int k = 0; k <= bins - (steps ? 1 : 0); k++) {
            int node = breaks.add((steps ? k + 0.5 : k) * length);
            for (int o = 0; o < outputs; o++) {
                if (steps) {
                    breaks.jump(node, o, unit * weight(column, k, o));
                } else {
                    breaks.bend(node, o, slope(map, column, k, o) - slope(map, column, k - 1, o));
                }
            }
        }
        return true;
    }

    /** Returns the slope in a bin; 0 outside the bins. */
    private double slope(BinnedMap map, int column, int bin, int output) {
        if (bin < 0 || bin >= map.bins()) {
            return 0;
        }
        double length = map.range(column) / map.bins();
        double weight = weight(column, bin, output);
        return map.code() == BinCode.SPARSE
                ? (weight - (bin == 0 ? 0 : weight(column, bin - 1, output))) / length
                : weight / Math.sqrt(length);
    }
}
