package org.bochner.map;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * How far a map's inner products are from its kernel, |⟨φ(x), φ(y)⟩ − k(x, y)|, measured on pairs of rows: overall, and
 * by the range in which the exact value lies. Features are the float32 ones that training sees.
 *
 * @param features how many features the map makes
 * @param overall all pairs together; its range is that of the exact values
 * @param ranges equal parts of that range, less those without a pair
 * @param expectedRms the RMS error of a map with as many features whose frequencies are drawn independently; falls like
 *     1/√D
 */
public record MapErrorReport(int features, Errors overall, List<Errors> ranges, double expectedRms) {
    private static final int RANGES = 5;

    /** Pairs whose rows are mapped together, unless they have very many features. */
    private static final int CHUNK = 256;

    /** Features that are made at a time, 64 MiB of them. */
    private static final int CHUNK_VALUES = 1 << 24;

    /**
     * Errors of the pairs whose exact kernel value lies between two bounds.
     *
     * @param low smallest exact value it stands for
     * @param high largest exact value it stands for
     * @param percentile99 what 99 of 100 errors do not exceed
     */
    public record Errors(
            double low, double high, int pairs, double max, double rms, double mean, double percentile99) {}

    public MapErrorReport {
        ranges = List.copyOf(ranges);
    }

    /**
     * Measures the error over pairs of different rows: all pairs, or as many as allowed, drawn at random. Time and memory
     * are those of mapping the rows of the pairs in small blocks.
     *
     * @param rows at least two, as wide as the map expects
     */
    public static MapErrorReport measure(FeatureMap map, RowBlock rows, int maxPairs, Seed seed) {
        map.checkWidth(rows);
        Require.atLeast("map error", "pairs", maxPairs, 1);
        if (rows.rows() < 2) {
            throw new BochnerException("map error: needs at least 2 rows, got " + rows.rows());
        }
        int[] pairs = choosePairs(rows.rows(), maxPairs, seed);
        int count = pairs.length / 2;
        double[] exact = new double[count];
        double[] errors = new double[count];
        double variance = 0;
        int chunk = Math.max(1, Math.min(CHUNK, CHUNK_VALUES / 2 / map.outputDimension()));
        for (int start = 0; start < count; start += chunk) {
            variance += measureChunk(map, rows, pairs, start, Math.min(count, start + chunk), exact, errors);
        }
        double low = Arrays.stream(exact).min().orElseThrow();
        double high = Arrays.stream(exact).max().orElseThrow();
        List<Errors> ranges = new ArrayList<>();
        double width = (high - low) / RANGES;
        for (int r = 0; r < RANGES && width > 0; r++) {
            double from = low + r * width;
            double to = r == RANGES - 1 ? high : from + width;
            double[] inside = select(exact, errors, from, to, r == RANGES - 1);
            if (inside.length > 0) {
                ranges.add(summarise(from, to, inside));
            }
        }
        return new MapErrorReport(
                map.outputDimension(), summarise(low, high, errors), ranges, Math.sqrt(variance / count));
    }

    /** The same for rows given as arrays of numbers. */
    public static MapErrorReport measure(FeatureMap map, double[][] rows, int maxPairs, Seed seed) {
        int columns = map.inputDimension();
        float[] values = new float[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            Require.sameSize("map error", "columns of row " + (i + 1), rows[i].length, columns);
            for (int l = 0; l < columns; l++) {
                values[i * columns + l] = (float) rows[i][l];
            }
        }
        return measure(map, DenseRows.of(rows.length, columns, values), maxPairs, seed);
    }

    /** Indices of the first and second row of each pair, alternating. */
    private static int[] choosePairs(int rows, int maxPairs, Seed seed) {
        long all = rows * (rows - 1L) / 2;
        int[] pairs = new int[2 * (int) Math.min(all, maxPairs)];
        int next = 0;
        if (all <= maxPairs) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < i; j++) {
                    pairs[next++] = i;
                    pairs[next++] = j;
                }
            }
            return pairs;
        }
        RandomStream stream = seed.derive("pairs").stream();
        while (next < pairs.length) {
            int i = stream.nextInt(rows);
            int j = stream.nextInt(rows - 1);
            pairs[next++] = i;
            pairs[next++] = j < i ? j : j + 1;
        }
        return pairs;
    }

    /** Fills in exact values and errors of some pairs; returns the sum of their expected squared errors. */
    private static double measureChunk(
            FeatureMap map, RowBlock rows, int[] pairs, int from, int to, double[] exact, double[] errors) {
        int columns = rows.columns();
        int features = map.outputDimension();
        double[][] values = new double[2 * (to - from)][columns];
        float[] block = new float[values.length * columns];
        for (int i = 0; i < values.length; i++) {
            rows.copyRow(pairs[2 * from + i], values[i]);
            for (int l = 0; l < columns; l++) {
                block[i * columns + l] = (float) values[i][l];
            }
        }
        float[] mapped = new float[Math.multiplyExact(values.length, features)];
        map.apply(DenseRows.of(values.length, columns, block), mapped, 0, features);
        double variance = 0;
        Kernel kernel = map.kernel();
        for (int p = from; p < to; p++) {
            int x = 2 * (p - from);
            double product = 0;
            for (int j = 0; j < features; j++) {
                product += (double) mapped[x * features + j] * mapped[(x + 1) * features + j];
            }
            exact[p] = kernel.value(values[x], values[x + 1]);
            errors[p] = Math.abs(product - exact[p]);
            variance += variance(map, values[x], values[x + 1]);
        }
        return variance;
    }

    /** Variance of ⟨φ(x), φ(y)⟩ for independent frequencies; for maps of other kinds, k(x, x)·k(y, y)/D stands in. */
    private static double variance(FeatureMap map, double[] x, double[] y) {
        if (map instanceof ConcatenatedMap sum) {
            return sum.parts().stream()
                    .mapToDouble(part -> variance(part, x, y))
                    .sum();
        }
        if (map instanceof ScaledMap scaled) {
            return scaled.factor() * scaled.factor() * variance(scaled.map(), x, y);
        }
        if (map instanceof ColumnsMap channel) {
            return variance(
                    channel.map(),
                    Arrays.copyOfRange(x, channel.from(), channel.to()),
                    Arrays.copyOfRange(y, channel.from(), channel.to()));
        }
        if (map instanceof WarpedMap warped) {
            return variance(
                    warped.map(), warped.warp().applyToRow(x), warped.warp().applyToRow(y));
        }
        if (map instanceof ComposedMap composed) {
            double[] innerX = new double[composed.first().outputDimension()];
            double[] innerY = new double[innerX.length];
            composed.first().apply(x, innerX);
            composed.first().apply(y, innerY);
            return variance(composed.second(), innerX, innerY);
        }
        if (map instanceof FourierMap fourier && fourier.kernel() instanceof ShiftInvariantKernel kernel) {
            return fourier.form().variance(kernel, x, y, fourier.outputDimension());
        }
        return map.kernel().value(x, x) * map.kernel().value(y, y) / map.outputDimension();
    }

    private static double[] select(double[] exact, double[] errors, double from, double to, boolean withEnd) {
        double[] inside = new double[errors.length];
        int count = 0;
        for (int p = 0; p < errors.length; p++) {
            if (exact[p] >= from && (exact[p] < to || (withEnd && exact[p] <= to))) {
                inside[count++] = errors[p];
            }
        }
        return Arrays.copyOf(inside, count);
    }

    private static Errors summarise(double low, double high, double[] errors) {
        double[] sorted = errors.clone();
        Arrays.sort(sorted);
        double sum = 0;
        double squares = 0;
        for (double error : sorted) {
            sum += error;
            squares += error * error;
        }
        int count = sorted.length;
        int rank = (int) Math.ceil(0.99 * count) - 1;
        return new Errors(low, high, count, sorted[count - 1], Math.sqrt(squares / count), sum / count, sorted[rank]);
    }
}
