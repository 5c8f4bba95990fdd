package org.bochner.map.study;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.MapMemory;

/** The features of some rows, the float32 ones that training sees, with the inner products that stand for the kernel. */
public interface RowFeatures {
    /** Features that are held at a time where rows are dense, 128 MiB of them, and the fewest rows all the same. */
    int MOST_VALUES = 1 << 25;

    int FEWEST_ROWS = 32;

    /** Σ over the features from (inclusive) to (exclusive) of rows i and j. */
    double product(int i, int j, int from, int to);

    /** How many rows the features of so wide a map can be held of. */
    static int affordableRows(FeatureMap map, RowBlock rows) {
        return sparse(map, rows) ? rows.rows() : Math.max(FEWEST_ROWS, MOST_VALUES / map.outputDimension());
    }

    /** How many numbers a column an additive map may make for the features of all rows to be held; 3 all the same. */
    static int affordableWidth(RowBlock rows) {
        long values = (long) rows.rows() * rows.columns();
        return rows instanceof SparseRows ? Integer.MAX_VALUE : (int) Math.max(3, MOST_VALUES / values);
    }

    static RowFeatures of(FeatureMap map, RowBlock rows) {
        if (sparse(map, rows)) {
            return new Sparse(map.apply((SparseRows) rows));
        }
        int features = map.outputDimension();
        float[] values = new float
                [MapMemory.length(
                        "map of " + map.kernel(),
                        features + " features of each of " + rows.rows() + " rows",
                        (long) rows.rows() * features)];
        if (map.hasPlainPenalty()) {
            map.apply(rows, values, 0, features);
        } else {
            whiten(map, rows, values);
        }
        return new Dense(features, values);
    }

    private static boolean sparse(FeatureMap map, RowBlock rows) {
        return rows instanceof SparseRows && map.keepsSparsity() && map.hasPlainPenalty();
    }

    /** Features whose penalty is not plain have the kernel's inner products in another basis. */
    private static void whiten(FeatureMap map, RowBlock rows, float[] out) {
        double[] row = new double[rows.columns()];
        double[] features = new double[map.outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            map.apply(row, features);
            map.whiten(features, 0);
            for (int j = 0; j < features.length; j++) {
                out[i * features.length + j] = (float) features[j];
            }
        }
    }

    /** One row after the other. */
    final class Dense implements RowFeatures {
        private final int features;
        private final float[] values;

        private Dense(int features, float[] values) {
            this.features = features;
            this.values = values;
        }

        @Override
        public double product(int i, int j, int from, int to) {
            int x = i * features;
            int y = j * features;
            double sum = 0;
            for (int f = from; f < to; f++) {
                sum += (double) values[x + f] * values[y + f];
            }
            return sum;
        }
    }

    /** Non-zeros alone. */
    final class Sparse implements RowFeatures {
        private final SparseRows rows;

        private Sparse(SparseRows rows) {
            this.rows = rows;
        }

        @Override
        public double product(int i, int j, int from, int to) {
            int[] indices = rows.indices();
            int endI = rows.starts()[i + 1];
            int endJ = rows.starts()[j + 1];
            int p = firstFrom(i, from);
            int q = firstFrom(j, from);
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

        /** Place of the first entry of a row whose feature is not before the given one. */
        private int firstFrom(int row, int feature) {
            int place = Arrays.binarySearch(rows.indices(), rows.starts()[row], rows.starts()[row + 1], feature);
            return place >= 0 ? place : -place - 1;
        }
    }
}
