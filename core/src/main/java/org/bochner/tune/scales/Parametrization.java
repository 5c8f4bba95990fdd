package org.bochner.tune.scales;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bochner.data.ColumnRange;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.tune.Sharing;

/**
 * The relation between the point that an optimiser moves and the parameters of a map. Parameters that share a
 * coordinate x are multiplied by one factor, exp(x) or x; or each parameter is a coordinate. Factors are relative to
 * the initial parameters.
 */
public final class Parametrization {
    /** The meaning of a coordinate. */
    public enum Form {
        /** The logarithm of a factor, so that scales stay positive. */
        LOGARITHM,
        /** A factor, which may become 0. */
        FACTOR,
        /** The parameter. */
        VALUE
    }

    /**
     * The largest logarithm of a factor, about a million. Beyond it rows are similar only if they are equal, so there
     * is no map; below its negative the map does not change any more.
     */
    private static final double LARGEST_LOGARITHM = 14;

    /** Digits of learned length-scales and penalties. */
    private static final MathContext DIGITS = new MathContext(5);

    private final Form form;
    private final MapParameters parameters;
    private final double[] base;
    private final double[] origin;
    private final int[] coordinateOf;

    private Parametrization(Form form, MapParameters parameters, double[] base, int... coordinateOf) {
        this.form = form;
        this.parameters = parameters;
        this.base = base;
        this.coordinateOf = coordinateOf;
        origin = new double[Arrays.stream(coordinateOf).max().orElse(-1) + 1];
        double[] values = parameters.values();
        for (int p = 0; p < values.length; p++) {
            // A dropped column stays dropped for every factor.
            double factor = base[p] == 0 ? 1 : values[p] / base[p];
            origin[coordinateOf[p]] = switch (form) {
                case LOGARITHM -> Math.log(factor);
                case FACTOR -> factor;
                case VALUE -> values[p];
            };
        }
    }

    /** Returns the parametrization of parameters; those with the same coordinate, counted from 0, share a factor. */
    public static Parametrization of(Form form, MapParameters parameters, int... coordinateOf) {
        return new Parametrization(form, parameters, parameters.values(), coordinateOf.clone());
    }

    /**
     * Returns the parametrization of a map.
     *
     * @param drops true if factors may become 0
     * @param ranges of columns, for {@link Sharing#RANGE}; columns outside of them share a coordinate if their values
     *     are equal
     * @param began the map that factors are relative to
     * @param map the map at the origin
     */
    public static Parametrization of(
            Sharing sharing, boolean drops, List<ColumnRange> ranges, FeatureMap began, FeatureMap map) {
        boolean frequencies = sharing == Sharing.FREQUENCY;
        ParameterKind kind = frequencies ? ParameterKind.FREQUENCIES : ParameterKind.SCALES;
        MapParameters parameters = map.parameters(kind);
        double[] base = began.parameters(kind).values();
        if (frequencies) {
            int[] each = IntStream.range(0, base.length).toArray();
            return new Parametrization(Form.VALUE, parameters, base, each);
        }
        Map<List<Object>, Integer> known = new HashMap<>();
        int[] coordinateOf = new int[base.length];
        for (int p = 0; p < base.length; p++) {
            MapParameters.Scope scope = parameters.scope(p);
            List<Object> key =
                    switch (sharing) {
                        case ONE -> List.of(scope.term());
                        case RANGE -> List.of(scope.term(), range(ranges, scope, base[p]));
                        case COLUMN, FREQUENCY -> List.of(p);
                    };
            coordinateOf[p] = known.computeIfAbsent(key, unused -> known.size());
        }
        return new Parametrization(drops ? Form.FACTOR : Form.LOGARITHM, parameters, base, coordinateOf);
    }

    /** Returns the mean of one number per parameter over the parameters that share a coordinate. */
    public double[] averaged(double[] byParameter) {
        double[] sums = new double[origin.length];
        int[] counts = new int[origin.length];
        for (int p = 0; p < byParameter.length; p++) {
            sums[coordinateOf[p]] += byParameter[p];
            counts[coordinateOf[p]]++;
        }
        return Arrays.stream(coordinateOf).mapToDouble(c -> sums[c] / counts[c]).toArray();
    }

    /** Returns the map with length-scales of five digits. */
    public static FeatureMap rounded(FeatureMap map) {
        MapParameters parameters = map.parameters(ParameterKind.SCALES);
        double[] values = parameters.values();
        for (int p = 0; p < values.length; p++) {
            values[p] = values[p] > 0 ? 1 / rounded(1 / values[p]) : values[p];
        }
        return parameters.with(values);
    }

    /** Returns a number of five digits. */
    public static double rounded(double value) {
        return value < Double.POSITIVE_INFINITY
                ? new BigDecimal(value).round(DIGITS).doubleValue()
                : value;
    }

    private static Object range(List<ColumnRange> ranges, MapParameters.Scope scope, double value) {
        for (ColumnRange range : ranges) {
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

    /** Returns the kind of the map's parameters. */
    public ParameterKind kind() {
        return form == Form.VALUE ? ParameterKind.FREQUENCIES : ParameterKind.SCALES;
    }

    /** Returns the point of the map that the parametrization was made for. */
    public double[] origin() {
        return origin.clone();
    }

    /** Returns the initial value of a parameter. */
    double base(int parameter) {
        return base[parameter];
    }

    /** Returns the map at a point. */
    FeatureMap map(double[] point) {
        return parameters.with(values(point));
    }

    private double[] values(double[] point) {
        double[] values = new double[base.length];
        for (int p = 0; p < values.length; p++) {
            double x = point[coordinateOf[p]];
            values[p] = switch (form) {
                case LOGARITHM ->
                    x > LARGEST_LOGARITHM ? Double.NaN : base[p] * Math.exp(Math.max(x, -LARGEST_LOGARITHM));
                case FACTOR -> base[p] * x;
                case VALUE -> x;
            };
        }
        return values;
    }

    /**
     * Returns true if there is a map at a point: its parameters are finite, and each term of the kernel has a column
     * that is not dropped.
     */
    boolean hasMap(double[] point) {
        double[] values = values(point);
        Set<Integer> dropped = new HashSet<>();
        Set<Integer> counting = new HashSet<>();
        for (int p = 0; p < values.length; p++) {
            if (!(Math.abs(values[p]) < Double.POSITIVE_INFINITY)) {
                return false;
            }
            if (form != Form.VALUE) {
                (values[p] > 0 ? counting : dropped).add(parameters.scope(p).term());
            }
        }
        return counting.containsAll(dropped);
    }

    /** Adds the derivatives by the coordinates at a point, given those by the parameters. */
    void addSlopes(double[] byParameter, double[] point, double[] byCoordinate) {
        double[] values = values(point);
        for (int p = 0; p < values.length; p++) {
            byCoordinate[coordinateOf[p]] += byParameter[p]
                    * switch (form) {
                        case LOGARITHM -> point[coordinateOf[p]] < -LARGEST_LOGARITHM ? 0 : values[p];
                        case FACTOR -> base[p];
                        case VALUE -> 1;
                    };
        }
    }
}
