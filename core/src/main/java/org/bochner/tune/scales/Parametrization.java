package org.bochner.tune.scales;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bochner.data.ColumnRange;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.tune.Sharing;

/**
 * How the point that an optimiser moves becomes parameters of a map: parameters that share a coordinate are multiplied by
 * one factor, exp(x) or x itself, or each is a coordinate. Factors are relative to where learning began.
 */
public final class Parametrization {
    /** What a coordinate is. */
    public enum Form {
        /** The logarithm of a factor: scales stay positive. */
        LOGARITHM,
        /** A factor, which may become 0. */
        FACTOR,
        /** The parameter. */
        VALUE
    }

    /**
     * How far the logarithm of a factor may go: a million times. Upwards, where rows would be alike only if they are equal,
     * there is no going on; downwards nothing changes any more.
     */
    private static final double FURTHEST = 14;

    private final Form form;
    private final double[] base;
    private final double[] origin;
    private final int[] coordinateOf;

    private Parametrization(Form form, double[] base, double[] origin, int[] coordinateOf) {
        this.form = form;
        this.base = base;
        this.origin = origin;
        this.coordinateOf = coordinateOf;
    }

    /** Moves from some values, of which those with the same coordinate share a factor; coordinates count from 0. */
    public static Parametrization of(Form form, double[] values, int... coordinateOf) {
        return of(form, values, values, coordinateOf);
    }

    private static Parametrization of(Form form, double[] base, double[] values, int... coordinateOf) {
        double[] origin = new double[Arrays.stream(coordinateOf).max().orElse(-1) + 1];
        for (int p = 0; p < values.length; p++) {
            // What was dropped stays so, whatever its factor.
            double factor = base[p] == 0 ? 1 : values[p] / base[p];
            origin[coordinateOf[p]] = switch (form) {
                case LOGARITHM -> Math.log(factor);
                case FACTOR -> factor;
                case VALUE -> values[p];
            };
        }
        return new Parametrization(form, base.clone(), origin, coordinateOf.clone());
    }

    /**
     * Moves of a map's parameters.
     *
     * @param drops whether factors may become 0
     * @param blocks of columns, for {@link Sharing#RANGE}; where there are none, those that share a value are a block
     * @param began the map that factors are relative to
     * @param map where they are now
     */
    public static Parametrization of(
            Sharing sharing, boolean drops, List<ColumnRange> blocks, FeatureMap began, FeatureMap map) {
        if (sharing == Sharing.FREQUENCY) {
            double[] from = began.parameters(ParameterKind.FREQUENCIES).values();
            double[] to = map.parameters(ParameterKind.FREQUENCIES).values();
            int[] each = new int[to.length];
            Arrays.setAll(each, p -> p);
            return new Parametrization(Form.VALUE, from, to, each);
        }
        MapParameters parameters = map.parameters(ParameterKind.SCALES);
        double[] base = began.parameters(ParameterKind.SCALES).values();
        Map<List<Object>, Integer> known = new HashMap<>();
        int[] coordinateOf = new int[base.length];
        for (int p = 0; p < base.length; p++) {
            MapParameters.Scope scope = parameters.scope(p);
            List<Object> key =
                    switch (sharing) {
                        case ONE -> List.of(scope.term());
                        case RANGE -> List.of(scope.term(), block(blocks, scope, base[p]));
                        case COLUMN, FREQUENCY -> List.of(p);
                    };
            coordinateOf[p] = known.computeIfAbsent(key, unused -> known.size());
        }
        return of(drops ? Form.FACTOR : Form.LOGARITHM, base, parameters.values(), coordinateOf);
    }

    private static Object block(List<ColumnRange> blocks, MapParameters.Scope scope, double value) {
        for (ColumnRange range : blocks) {
            if (scope.from() >= range.from() && scope.from() < range.to()) {
                return range;
            }
        }
        return value;
    }

    public int count() {
        return origin.length;
    }

    public Form form() {
        return form;
    }

    /** Which of a map's parameters they are. */
    public ParameterKind freedom() {
        return form == Form.VALUE ? ParameterKind.FREQUENCIES : ParameterKind.SCALES;
    }

    /** The point that stands for where they are. */
    public double[] origin() {
        return origin.clone();
    }

    /** What frequencies are drawn to: those that factors are relative to. */
    double base(int parameter) {
        return base[parameter];
    }

    /** The parameters at a point. */
    double[] values(double[] point) {
        double[] values = new double[base.length];
        for (int p = 0; p < values.length; p++) {
            double x = point[coordinateOf[p]];
            values[p] = switch (form) {
                case LOGARITHM -> x > FURTHEST ? Double.NaN : base[p] * Math.exp(Math.max(x, -FURTHEST));
                case FACTOR -> base[p] * x;
                case VALUE -> x;
            };
        }
        return values;
    }

    /** Whether there is a map with these values: they are numbers, and no term of the kernel has lost all of its columns. */
    boolean makeMap(MapParameters parameters, double[] values) {
        Set<Integer> terms = new HashSet<>();
        Set<Integer> counting = new HashSet<>();
        for (int p = 0; p < values.length; p++) {
            if (!(Math.abs(values[p]) < Double.POSITIVE_INFINITY)) {
                return false;
            }
            if (form != Form.VALUE) {
                int term = parameters.scope(p).term();
                terms.add(term);
                if (values[p] > 0) {
                    counting.add(term);
                }
            }
        }
        return counting.equals(terms);
    }

    /** Adds to derivatives by the coordinates what follows from those by the parameters. */
    void addSlopes(double[] byParameter, double[] point, double[] values, double[] byCoordinate) {
        for (int p = 0; p < values.length; p++) {
            byCoordinate[coordinateOf[p]] += byParameter[p]
                    * switch (form) {
                        case LOGARITHM -> point[coordinateOf[p]] < -FURTHEST ? 0 : values[p];
                        case FACTOR -> base[p];
                        case VALUE -> 1;
                    };
        }
    }
}
