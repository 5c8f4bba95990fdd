package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/**
 * What the {@link MapParameters} of a map must keep, of either {@link ParameterKind}, so that they can be learned. It is a part of
 * {@link FeatureMapContract}, and says nothing of maps without parameters.
 */
public interface MapParametersContract {
    /** The map under test; the same one, bit for bit, at each call. */
    FeatureMap map();

    /** Rows to map, of values that float32 holds exactly. */
    double[][] samples(int columns);

    /** How far float32 features of a row may be from float64 ones, in units of the length of φ. */
    double floatTolerance();

    /** How far float64 features of a block may be from those of single rows, in units of the length of φ. */
    double doubleTolerance();

    @Test
    default void parametersActOnColumnsOfTheRows() {
        FeatureMap map = map();
        for (ParameterKind freedom : ParameterKind.values()) {
            MapParameters parameters = map.parameters(freedom);
            assertEquals(parameters.count(), parameters.values().length);
            for (int p = 0; p < parameters.count(); p++) {
                MapParameters.Scope scope = parameters.scope(p);
                assertTrue(scope.term() >= 0, () -> scope + " has no term");
                assertTrue(
                        scope.from() >= 0 && scope.from() < scope.to() && scope.to() <= map.inputDimension(),
                        () -> scope + " is not within " + map.inputDimension() + " columns");
            }
        }
    }

    @Test
    default void withItsOwnParametersItIsTheSame() {
        FeatureMap map = map();
        for (MapParameters parameters : parameters(map)) {
            FeatureMap same = parameters.with(parameters.values());
            assertEquals(map.outputDimension(), same.outputDimension());
            for (double[] row : samples(map.inputDimension())) {
                double[] expected = features(map, row);
                double tolerance = doubleTolerance() * ContractRows.length(expected);
                assertArrayEquals(expected, features(same, row), tolerance);
            }
        }
    }

    @Test
    default void otherParametersAreReadBack() {
        FeatureMap map = map();
        for (ParameterKind freedom : ParameterKind.values()) {
            MapParameters parameters = map.parameters(freedom);
            if (parameters.count() == 0) {
                continue;
            }
            double[] moved =
                    Arrays.stream(parameters.values()).map(v -> 1.5 * v).toArray();
            double[] read = parameters.with(moved).parameters(freedom).values();
            for (int p = 0; p < moved.length; p++) {
                // Some maps keep one over them.
                assertEquals(moved[p], read[p], 4 * Math.ulp(moved[p]));
            }
        }
    }

    /**
     * Differences of a sum of features, of which (16·D(h/4) − D(h))/15 is wrong by O(h⁴), until rounding takes over; the
     * numbers for smaller and smaller h change by about their errors.
     */
    @Test
    default void gradientIsTheLimitOfDifferences() {
        FeatureMap map = map();
        RandomStream stream = new Seed(21).stream();
        for (MapParameters parameters : parameters(map)) {
            double[] values = parameters.values();
            double[][] rows = Arrays.copyOfRange(samples(map.inputDimension()), 20, 22);
            double[][] cotangents = cotangents(map, rows.length, stream);
            double[] direction = new double[values.length];
            Arrays.setAll(direction, p -> (1 + stream.nextUniform()) * (values[p] == 0 ? 1 : values[p]));
            double[] gradient = byDefinition(parameters, rows, cotangents).values();
            double slope = ContractRows.dot(gradient, direction);
            double size = 0;
            for (int p = 0; p < gradient.length; p++) {
                size = Math.max(size, Math.abs(gradient[p] * direction[p]));
            }
            DoubleUnaryOperator along = step -> {
                double[] moved = values.clone();
                Arrays.setAll(moved, p -> values[p] + step * direction[p]);
                FeatureMap other = parameters.with(moved);
                double sum = 0;
                for (int i = 0; i < rows.length; i++) {
                    sum += ContractRows.dot(cotangents[i], features(other, rows[i]));
                }
                return sum;
            };
            assertLimit(along, slope, Math.max(size, Math.abs(slope)));
        }
    }

    private static void assertLimit(DoubleUnaryOperator along, double slope, double size) {
        double limit = Double.NaN;
        double error = Double.POSITIVE_INFINITY;
        double before = Double.NaN;
        double lastChange = Double.NaN;
        double step = 0x1p-8;
        double wide = difference(along, step);
        for (int k = 0; k < 8; k++) {
            step /= 4;
            double narrow = difference(along, step);
            double extrapolated = (16 * narrow - wide) / 15;
            double change = Math.abs(extrapolated - before);
            // Two changes, because one may be small by chance.
            if (change + lastChange < error) {
                error = change + lastChange;
                limit = extrapolated;
            }
            lastChange = change;
            before = extrapolated;
            wide = narrow;
        }
        assertTrue(error <= 1e-5 * size, "differences come no nearer to a limit than " + error + " of " + size);
        assertEquals(limit, slope, 10 * error + 1e-9 * size, "the derivative by the parameters");
    }

    private static double difference(DoubleUnaryOperator along, double step) {
        return (along.applyAsDouble(step) - along.applyAsDouble(-step)) / (2 * step);
    }

    @Test
    default void gradientOfABlockIsTheSumOverItsRows() {
        FeatureMap map = map();
        RandomStream stream = new Seed(22).stream();
        double[][] rows = samples(map.inputDimension());
        double[][] cotangents = cotangents(map, rows.length, stream);
        int width = map.outputDimension();
        int offset = 3;
        int stride = width + 5;
        double[] laidOut = new double[offset + rows.length * stride];
        Arrays.fill(laidOut, Double.NaN);
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(cotangents[i], 0, laidOut, offset + i * stride, width);
        }
        float[] rounded = new float[laidOut.length];
        for (int k = 0; k < rounded.length; k++) {
            rounded[k] = (float) laidOut[k];
        }
        for (MapParameters parameters : parameters(map)) {
            double[] expected = byDefinition(parameters, rows, cotangents).values();
            double[] sizes = sizes(parameters, rows, cotangents);
            for (RowBlock block : new RowBlock[] {ContractRows.dense(rows), ContractRows.sparse(rows)}) {
                double[] features = new double[laidOut.length];
                map.apply(block, features, offset, stride);
                MapGradient gradient = parameters.gradient();
                gradient.add(block, features, laidOut, offset, stride);
                assertNear(expected, gradient.values(), sizes, 100 * doubleTolerance());
                float[] floats = new float[laidOut.length];
                map.apply(block, floats, offset, stride);
                MapGradient inFloat = parameters.gradient();
                inFloat.add(block, floats, rounded, offset, stride);
                assertNear(expected, inFloat.values(), sizes, 10 * floatTolerance());
            }
        }
    }

    /** What the rows' own derivatives come to without their signs, by parameter, but not less than a thousandth of the largest. */
    private static double[] sizes(MapParameters parameters, double[][] rows, double[][] cotangents) {
        double[] sizes = new double[parameters.count()];
        for (int i = 0; i < rows.length; i++) {
            MapGradient one = parameters.gradient();
            one.add(rows[i], cotangents[i]);
            double[] values = one.values();
            for (int p = 0; p < sizes.length; p++) {
                sizes[p] += Math.abs(values[p]);
            }
        }
        double largest = Arrays.stream(sizes).max().orElseThrow();
        return Arrays.stream(sizes).map(size -> Math.max(size, 1e-3 * largest)).toArray();
    }

    private static void assertNear(double[] expected, double[] actual, double[] sizes, double tolerance) {
        assertEquals(expected.length, actual.length);
        for (int p = 0; p < expected.length; p++) {
            if (!(Math.abs(expected[p] - actual[p]) <= tolerance * sizes[p])) {
                assertEquals(expected[p], actual[p], tolerance * sizes[p], "the derivative by parameter " + p);
            }
        }
    }

    @Test
    default void gradientsMoveIntoATotal() {
        FeatureMap map = map();
        RandomStream stream = new Seed(23).stream();
        double[][] rows = Arrays.copyOf(samples(map.inputDimension()), 4);
        double[][] cotangents = cotangents(map, rows.length, stream);
        for (MapParameters parameters : parameters(map)) {
            double[] once = byDefinition(parameters, rows, cotangents).values();
            MapGradient total = parameters.gradient();
            MapGradient part = parameters.gradient();
            assertEquals(map.outputDimension(), part.features());
            for (int turn = 1; turn <= 2; turn++) {
                for (int i = 0; i < rows.length; i++) {
                    part.add(rows[i], cotangents[i]);
                }
                part.moveInto(total);
                assertTrue(Arrays.stream(part.values()).allMatch(value -> value == 0), "what has moved is still there");
                double[] values = total.values();
                for (int p = 0; p < once.length; p++) {
                    assertEquals(turn * once[p], values[p], 1e-12 * Math.abs(once[p]) + Double.MIN_NORMAL);
                }
            }
        }
    }

    private static List<MapParameters> parameters(FeatureMap map) {
        List<MapParameters> all = new ArrayList<>();
        for (ParameterKind freedom : ParameterKind.values()) {
            MapParameters parameters = map.parameters(freedom);
            if (parameters.count() > 0) {
                all.add(parameters);
            }
        }
        return all;
    }

    /** Numbers between −1 and 1 that float32 holds exactly. */
    private static double[][] cotangents(FeatureMap map, int rows, RandomStream stream) {
        double[][] cotangents = new double[rows][map.outputDimension()];
        for (double[] row : cotangents) {
            Arrays.setAll(row, j -> (float) (2 * stream.nextUniform() - 1));
        }
        return cotangents;
    }

    private static MapGradient byDefinition(MapParameters parameters, double[][] rows, double[][] cotangents) {
        MapGradient gradient = parameters.gradient();
        for (int i = 0; i < rows.length; i++) {
            gradient.add(rows[i], cotangents[i]);
        }
        return gradient;
    }

    private static double[] features(FeatureMap map, double[] row) {
        double[] features = new double[map.outputDimension()];
        map.apply(row, features);
        return features;
    }
}
