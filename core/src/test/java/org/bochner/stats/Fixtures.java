package org.bochner.stats;

import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Small problems for tests of statistics and learners. */
public final class Fixtures {
    private Fixtures() {}

    /** φ(x) = x, so that statistics can be checked against the rows themselves. */
    public static FeatureMap identity(int columns) {
        return new FeatureMap() {
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
            public void apply(double[] x, double[] out) {
                System.arraycopy(x, 0, out, 0, columns);
            }

            @Override
            public State state() {
                return State.of("identity");
            }
        };
    }

    /** Random rows around a common offset, whose targets the caller chooses. */
    public static final class Table {
        public final int rows;
        public final int columns;
        public final double[][] x;
        public final double[][] y;
        public final double[] weights;

        public Table(int rows, int columns, int targets, double offset, Seed seed) {
            this.rows = rows;
            this.columns = columns;
            x = new double[rows][columns];
            y = new double[rows][targets];
            weights = new double[rows];
            RandomStream stream = seed.stream();
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    x[i][j] = (float) (offset + 2 * stream.nextUniform() - 1);
                }
                for (int t = 0; t < targets; t++) {
                    y[i][t] = stream.nextUniform();
                }
                weights[i] = 1;
            }
        }

        /** Turns the targets into classes 0, …, count−1. */
        public Table withClasses(int count, Seed seed) {
            RandomStream stream = seed.stream();
            for (int i = 0; i < rows; i++) {
                y[i][0] = stream.nextInt(count);
            }
            return this;
        }

        public RowBlock block(int from, int to) {
            RowBlockBuilder builder = new RowBlockBuilder();
            builder.beginDense(from, columns, y[0].length, true);
            for (int i = from; i < to; i++) {
                int start = builder.startDenseRow();
                for (int j = 0; j < columns; j++) {
                    builder.values()[start + j] = (float) x[i][j];
                }
                builder.endRow();
                for (int t = 0; t < y[i].length; t++) {
                    builder.setTarget(t, y[i][t]);
                }
                builder.setRowWeight(weights[i]);
            }
            return builder.build();
        }
    }

    /** The statistics of a table under the identity map, taken in blocks of the given size. */
    public static GramAccumulator accumulate(
            Table table, int from, int to, int blockRows, Labels labels, org.bochner.numeric.Precision precision) {
        GramAccumulator total = new GramAccumulator(table.columns, labels);
        BlockGram block = new BlockGram(table.columns, labels, ClassWeights.none());
        MappedRows mapped = new MappedRows(identity(table.columns), precision);
        for (int start = from; start < to; start += blockRows) {
            // Two tiles a block, of unequal size.
            int end = Math.min(to, start + blockRows);
            int middle = start + (end - start) / 3;
            block.clear();
            if (middle > start) {
                block.add(mapped.take(table.block(start, middle)), 0);
            }
            block.add(mapped.take(table.block(middle, end)), 0);
            total.add(block);
        }
        return total;
    }
}
