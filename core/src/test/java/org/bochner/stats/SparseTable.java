package org.bochner.stats;

import java.util.OptionalInt;
import java.util.function.Consumer;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Gaussian;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Random sparse rows, whose targets and weights the caller may change. Column j is non-zero in a share of the rows that
 * falls like 1/(j + 1), as words do; the first is in all of them.
 */
public final class SparseTable implements RowSource {
    public final float[][] x;
    public final double[][] y;
    public final double[] weights;
    private final int columns;
    private final Labels labels;

    public SparseTable(int rows, int columns, Labels labels, Seed seed) {
        this.columns = columns;
        this.labels = labels;
        x = new float[rows][columns];
        y = new double[rows][labels.width()];
        weights = new double[rows];
        RandomStream stream = seed.stream();
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                if (stream.nextUniform() < Math.max(0.05, 1.0 / (j + 1))) {
                    x[i][j] = (float) (0.1 + stream.nextUniform());
                }
            }
            for (int t = 0; t < y[i].length; t++) {
                y[i][t] = labels instanceof Labels.Classes classes
                        ? stream.nextInt(classes.names().size())
                        : 3 + x[i][1 + t] - x[i][3] + 0.3 * stream.nextUniform();
            }
            weights[i] = 1;
        }
    }

    /** Some of the rows. */
    public SparseRows block(int from, int to) {
        RowBlockBuilder builder = new RowBlockBuilder();
        fill(builder, from, to);
        return (SparseRows) builder.build();
    }

    private void fill(RowBlockBuilder builder, int from, int to) {
        builder.beginSparse(from, columns, labels.width(), true);
        for (int i = from; i < to; i++) {
            for (int j = 0; j < columns; j++) {
                if (x[i][j] != 0) {
                    builder.addEntry(j, x[i][j]);
                }
            }
            builder.endRow();
            for (int t = 0; t < y[i].length; t++) {
                builder.setTarget(t, y[i][t]);
            }
            builder.setWeight(weights[i]);
        }
    }

    @Override
    public String name() {
        return "sparse table";
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public boolean sparse() {
        return true;
    }

    @Override
    public RowCursor open() {
        return new RowCursor() {
            private int next;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                int from = next;
                next = Math.min(x.length, from + maxRows);
                fill(into, from, next);
                return next > from;
            }

            @Override
            public void close() {}
        };
    }

    /** The recipe of the map φ(x) = x, which keeps sparse rows as they are. */
    public static MapRecipe identity() {
        return new MapRecipe() {
            @Override
            public FeatureMap build(
                    Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Consumer<String> notes) {
                return new Identity(rows.columns());
            }

            /** Models record it, and are to have the same bytes. */
            @Override
            public String toString() {
                return "identity";
            }
        };
    }

    /** φ(x) = x. */
    public record Identity(int columns) implements FeatureMap {
        @Override
        public int inputDimension() {
            return columns;
        }

        @Override
        public int outputDimension() {
            return columns;
        }

        @Override
        public Kernel kernel() {
            return new Gaussian(1);
        }

        @Override
        public void apply(double[] row, double[] out) {
            System.arraycopy(row, 0, out, 0, columns);
        }

        @Override
        public boolean keepsSparsity() {
            return true;
        }

        @Override
        public SparseRows apply(SparseRows rows) {
            return rows;
        }

        @Override
        public State state() {
            return State.of("identity").with("columns", columns);
        }
    }
}
