package org.bochner.examples;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;

/** The example of docs/java.md on sources: the lines between the marks stand there word for word. */
public final class OwnSource {
    private OwnSource() {}

    // The document's lines start here.
    /** Windows of a time series: a row holds some values that follow each other, and its target is the value after them. */
    static final class Windows implements RowSource {
        private final double[] series;
        private final int columns;

        Windows(double[] series, int columns) {
            this.series = series.clone();
            this.columns = columns;
        }

        @Override
        public int columns() {
            return columns;
        }

        @Override
        public String name() {
            return "windows of a series of " + series.length + " values";
        }

        @Override
        public long rows() {
            return (long) series.length - columns;
        }

        @Override
        public Labels labels() {
            return new Labels.Numbers(List.of("next"));
        }

        @Override
        public boolean sparse() {
            return false;
        }

        @Override
        public RowCursor open() {
            return new RowCursor() {
                private int row;

                @Override
                public boolean next(RowBlockBuilder into, int maxRows) {
                    into.beginDense(row, columns, 1, false);
                    while (row < rows() && into.rows() < maxRows) {
                        int start = into.startDenseRow();
                        for (int j = 0; j < columns; j++) {
                            into.values()[start + j] = (float) series[row + j];
                        }
                        into.endRow();
                        into.setTarget(0, series[row + columns]);
                        row++;
                    }
                    return into.rows() > 0;
                }

                @Override
                public void close() {}
            };
        }
    }
    // The document's lines end here.

    /** Predicts the next value of a sum of two waves. */
    public static void main(String[] arguments) {
        // The document's lines start here.
        double[] series = new double[600];
        for (int t = 0; t < series.length; t++) {
            series[t] = Math.sin(0.2 * t) + 0.5 * Math.sin(0.53 * t);
        }
        KernelModel model = KernelMachine.of("gaussian")
                .withFeatures(200)
                .fit(new Windows(series, 8))
                .model();
        double[] last = Arrays.copyOfRange(series, 592, 600);
        System.out.printf("predicted %.2f%n", model.predictNumber(last));
        System.out.printf("truth     %.2f%n", Math.sin(0.2 * 600) + 0.5 * Math.sin(0.53 * 600));
        // The document's lines end here.
    }
}
