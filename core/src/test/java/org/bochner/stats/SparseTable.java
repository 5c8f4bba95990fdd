package org.bochner.stats;

import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
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
        y = new double[rows][labels.targets()];
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
        builder.beginSparse(from, columns, labels.targets(), true);
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
            builder.setRowWeight(weights[i]);
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
}
