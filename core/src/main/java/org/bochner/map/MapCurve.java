package org.bochner.map;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bochner.data.DenseRows;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.BinnedMap;
import org.bochner.map.study.AdditiveErrors;
import org.bochner.map.study.MapTerm;
import org.bochner.map.study.RowFeatures;
import org.bochner.numeric.optimise.Vectors;

/**
 * A kernel and its approximation by a map, as functions of one number; for plots.
 *
 * @param distance true if the number is the distance |x − y| of two rows; otherwise it is a log-ratio, or the share of
 *     the way between two rows
 * @param at the numbers
 * @param exact the exact values
 * @param estimate the values of the map
 * @param error estimate minus exact value; of a signature, times (xy)^(degree/2) and divided by κ(b, b) for the larger
 *     value b, which is the error in the kernel
 */
public record MapCurve(
        Kernel kernel,
        boolean distance,
        List<Double> at,
        List<Double> exact,
        List<Double> estimate,
        List<Double> error) {
    private static final int POINTS = 201;

    /** Beyond this log-ratio every signature is nearly 0, except that of hellinger. */
    private static final double LARGEST_LOG_RATIO = 12;

    public MapCurve {
        at = List.copyOf(at);
        exact = List.copyOf(exact);
        estimate = List.copyOf(estimate);
        error = List.copyOf(error);
    }

    /** Takes points of four numbers each, in the order of the components. */
    private static MapCurve of(Kernel kernel, boolean distance, double[][] points) {
        return new MapCurve(
                kernel, distance, numbers(points, 0), numbers(points, 1), numbers(points, 2), numbers(points, 3));
    }

    private static List<Double> numbers(double[][] points, int component) {
        return Arrays.stream(points).map(point -> point[component]).toList();
    }

    /**
     * Returns the signature K(λ) of the first homogeneous term of a map, and its approximation ⟨φ(x),
     * φ(y)⟩/(xy)^(degree/2) for x = b, the largest value of the rows, and y = b·e^−λ, in the column of that value; for
     * λ from 0 to the log-ratio of the smallest value. Empty where no term is homogeneous, and for bins, whose error
     * depends on the place of values in a bin, not on their ratio.
     */
    public static Optional<MapCurve> signature(FeatureMap map, RowSample rows) {
        for (MapTerm term : MapTerm.of(map)) {
            if (term.map() instanceof AdditiveMap additive
                    && !(additive instanceof BinnedMap)
                    && additive.kernel() instanceof HomogeneousKernel kernel) {
                Interval range = rows.range(term.from(), term.to());
                int column = columnOfLargest(rows, term) - term.from();
                return Optional.of(
                        signature(additive, kernel, column, range.hasPositive() ? range : AdditiveErrors.TYPICAL));
            }
        }
        return Optional.empty();
    }

    private static int columnOfLargest(RowSample rows, MapTerm term) {
        return IntStream.range(term.from(), term.to())
                .boxed()
                .max(Comparator.comparingDouble(l -> rows.range(l, l + 1).high()))
                .orElseThrow();
    }

    private static MapCurve signature(AdditiveMap map, HomogeneousKernel kernel, int column, Interval range) {
        double end = Math.min(LARGEST_LOG_RATIO, Math.max(1, Math.log(range.high() / range.low())));
        double[] largest = features(map, column, range.high());
        double[][] points = new double[POINTS][];
        for (int i = 0; i < POINTS; i++) {
            double lambda = end * i / (POINTS - 1);
            double[] other = features(map, column, range.high() * Math.exp(-lambda));
            // (xy)^(degree/2) as a share of κ(b, b), which is b^degree.
            double share = Math.exp(-kernel.degree() * lambda / 2);
            double exact = kernel.signature(lambda);
            double estimate = Vectors.dot(largest, other) / (share * Math.pow(range.high(), kernel.degree()));
            points[i] = new double[] {lambda, exact, estimate, share * (estimate - exact)};
        }
        return of(kernel, false, points);
    }

    /** Returns the features of a row with this value in a column and zeros elsewhere. */
    private static double[] features(AdditiveMap map, int column, double value) {
        double[] row = new double[map.inputDimension()];
        double[] features = new double[map.outputDimension()];
        row[column] = value;
        map.apply(row, features);
        map.whiten(features, 0);
        return features;
    }

    /**
     * Returns the kernel of the first sampled row and of rows on the straight line from it to the most distant row, and
     * the inner products of their features.
     */
    public static MapCurve alongTheWay(FeatureMap map, RowSample rows) {
        double[] start = rows.row(0);
        double[] end = furthest(rows, start);
        int columns = start.length;
        float[] way = new float[Math.multiplyExact(POINTS, columns)];
        for (int i = 0; i < POINTS; i++) {
            for (int l = 0; l < columns; l++) {
                way[i * columns + l] = (float) (start[l] + (end[l] - start[l]) * i / (POINTS - 1));
            }
        }
        DenseRows block = DenseRows.of(POINTS, columns, way);
        RowFeatures mapped = RowFeatures.of(map, block);
        boolean distance = map.kernel() instanceof ShiftInvariantKernel;
        double length = distance ? Math.sqrt(squaredDistance(start, end)) : 1;
        double[][] points = new double[POINTS][];
        double[] row = new double[columns];
        for (int i = 0; i < POINTS; i++) {
            block.copyRow(i, row);
            double exact = map.kernel().value(start, row);
            double estimate = mapped.product(0, i, 0, map.outputDimension());
            points[i] = new double[] {length * i / (POINTS - 1), exact, estimate, estimate - exact};
        }
        return of(map.kernel(), distance, points);
    }

    private static double[] furthest(RowSample rows, double[] start) {
        return IntStream.range(1, rows.rows())
                .mapToObj(rows::row)
                .max(Comparator.comparingDouble(row -> squaredDistance(start, row)))
                .orElse(start);
    }

    private static double squaredDistance(double[] x, double[] y) {
        double[] difference = Vectors.difference(x, y);
        return Vectors.dot(difference, difference);
    }
}
