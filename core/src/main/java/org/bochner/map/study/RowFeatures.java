package org.bochner.map.study;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.map.layout.MapMemory;
import org.jspecify.annotations.Nullable;

/** The float32 features of some rows, and the inner products that approximate the kernel. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowFeatures(
        int features, float[] dense, @Nullable SparseRows sparse) {
    /** The most dense features that are held at a time, 128 MiB; but at least {@link #FEWEST_ROWS} rows. */
    private static final int MOST_VALUES = 1 << 25;

    private static final int FEWEST_ROWS = 32;

    /** Returns the number of rows whose features can be held. */
    public static int affordableRows(FeatureMap map, RowBlock rows) {
        return sparse(map, rows) ? rows.rows() : Math.max(FEWEST_ROWS, MOST_VALUES / map.outputDimension());
    }

    /** Returns the most features per column with which the features of all rows can be held; at least 3. */
    public static int affordablePerColumn(RowBlock rows) {
        long values = (long) rows.rows() * rows.columns();
        return rows instanceof SparseRows ? Integer.MAX_VALUE : (int) Math.max(3, MOST_VALUES / values);
    }

    public static RowFeatures of(FeatureMap map, RowBlock rows) {
        if (map.makesSparse()) {
            return new RowFeatures(map.outputDimension(), new float[0], map.applySparse(rows));
        }
        if (sparse(map, rows)) {
            return new RowFeatures(map.outputDimension(), new float[0], map.apply((SparseRows) rows));
        }
        int features = map.outputDimension();
        String what = features + " features of each of " + rows.rows() + " rows";
        float[] values = new float[MapMemory.length("map of " + map.kernel(), what, (long) rows.rows() * features)];
        FeatureMap plain = map.hasPlainPenalty() ? map : new WhitenedMap(map);
        plain.apply(rows, values, 0, features);
        return new RowFeatures(features, values, null);
    }

    private static boolean sparse(FeatureMap map, RowBlock rows) {
        return map.makesSparse() || (rows instanceof SparseRows && map.keepsSparsity() && map.hasPlainPenalty());
    }

    /** Returns Σ over the features from (inclusive) to (exclusive) of rows i and j. */
    public double product(int i, int j, int from, int to) {
        if (sparse != null) {
            return product(sparse, i, j, from, to);
        }
        int x = i * features;
        int y = j * features;
        double sum = 0;
        for (int f = from; f < to; f++) {
            sum += (double) dense[x + f] * dense[y + f];
        }
        return sum;
    }

    private static double product(SparseRows rows, int i, int j, int from, int to) {
        int[] indices = rows.indices();
        int endI = rows.starts()[i + 1];
        int endJ = rows.starts()[j + 1];
        int p = firstFrom(rows, i, from);
        int q = firstFrom(rows, j, from);
        double sum = 0;
        while (p < endI && q < endJ && indices[p] < to && indices[q] < to) {
            int difference = Integer.compare(indices[p], indices[q]);
            if (difference == 0) {
                sum += (double) rows.values()[p] * rows.values()[q];
            }
            p += difference <= 0 ? 1 : 0;
            q += difference >= 0 ? 1 : 0;
        }
        return sum;
    }

    /** Returns the place of the first entry of a row whose feature is not before the given one. */
    private static int firstFrom(SparseRows rows, int row, int feature) {
        int place = Arrays.binarySearch(rows.indices(), rows.starts()[row], rows.starts()[row + 1], feature);
        return place >= 0 ? place : -place - 1;
    }
}
