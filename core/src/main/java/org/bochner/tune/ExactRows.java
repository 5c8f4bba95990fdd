package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/**
 * All rows of a source in double precision, with their targets: numbers, or ±1 for each class against the others (of two
 * classes once, positive for the second).
 */
final class ExactRows {
    private static final int BLOCK_ROWS = 1024;

    private final int columns;
    private final int outputs;
    private final double[][] rows;
    private final double[][] targets;

    private ExactRows(int columns, int outputs, List<double[]> rows, List<double[]> targets) {
        this.columns = columns;
        this.outputs = outputs;
        this.rows = rows.toArray(double[][]::new);
        this.targets = targets.toArray(double[][]::new);
    }

    static ExactRows read(RowSource source) {
        List<double[]> rows = new ArrayList<>();
        List<double[]> targets = new ArrayList<>();
        int outputs = outputs(source.labels());
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                if (block.weighted()) {
                    throw new BochnerException(
                            source.name() + ": exact machines count every row once; leave its weights out");
                }
                for (int i = 0; i < block.rows(); i++) {
                    double[] row = new double[source.columns()];
                    block.copyRow(i, row);
                    rows.add(row);
                    targets.add(targets(source.labels(), block, i, outputs));
                }
            }
        }
        if (rows.isEmpty()) {
            throw new BochnerException(source.name() + ": has no rows");
        }
        return new ExactRows(source.columns(), outputs, rows, targets);
    }

    private static int outputs(Labels labels) {
        return labels instanceof Labels.Classes classes && classes.names().size() > 2
                ? classes.names().size()
                : labels.width();
    }

    private static double[] targets(Labels labels, RowBlock block, int row, int outputs) {
        double[] targets = new double[outputs];
        for (int o = 0; o < outputs; o++) {
            if (labels instanceof Labels.Classes) {
                targets[o] = block.target(row, 0) == (outputs == 1 ? 1 : o) ? 1 : -1;
            } else {
                targets[o] = block.target(row, o);
            }
        }
        return targets;
    }

    int count() {
        return rows.length;
    }

    int columns() {
        return columns;
    }

    int outputs() {
        return outputs;
    }

    double[][] rows() {
        return rows;
    }

    /** The targets, row-major. */
    double[] targets() {
        double[] all = new double[rows.length * outputs];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(targets[i], 0, all, i * outputs, outputs);
        }
        return all;
    }

    /** A row after a preparation, whose failure then names the row. */
    double[] prepared(int row, UnaryOperator<double[]> preparation) {
        try {
            return preparation.apply(rows[row]);
        } catch (RowException e) {
            throw e.inRow(row);
        }
    }
}
