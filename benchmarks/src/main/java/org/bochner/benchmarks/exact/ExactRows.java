package org.bochner.benchmarks.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;

/**
 * All rows of a source in double precision, with their targets: numbers, or ±1 for each class against the others (of two
 * classes once, positive for the second).
 */
final class ExactRows {
    private static final int BLOCK_ROWS = 1024;

    private final RowSource source;
    private final int outputs;
    private final double[][] rows;
    private final double[][] targets;

    private ExactRows(RowSource source, int outputs, List<double[]> rows, List<double[]> targets) {
        this.source = source;
        this.outputs = outputs;
        this.rows = rows.toArray(double[][]::new);
        this.targets = targets.toArray(double[][]::new);
    }

    static ExactRows read(RowSource source) {
        List<double[]> rows = new ArrayList<>();
        List<double[]> targets = new ArrayList<>();
        OutputCoding functions = OutputCoding.of(source.labels());
        int outputs = functions.count();
        int known = (int) Math.min(Integer.MAX_VALUE, Math.max(0, source.rows()));
        ExactMemory.require("an exact kernel", known, ExactMemory.bytes(known, 1));
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                if (block.hasRowWeights()) {
                    throw new BochnerException(
                            source.name() + ": exact machines count every row once; leave its weights out");
                }
                for (int i = 0; i < block.rows(); i++) {
                    double[] row = new double[source.columns()];
                    block.copyRow(i, row);
                    rows.add(row);
                    double[] target = new double[outputs];
                    for (int o = 0; o < outputs; o++) {
                        target[o] = functions.target(block, i, o);
                    }
                    targets.add(target);
                }
                // Asked while rows come in: there may be far more of them than of anything that could be done with
                // them.
                ExactMemory.require("an exact kernel", rows.size(), ExactMemory.bytes(rows.size(), 1));
            }
        }
        if (rows.isEmpty()) {
            throw new BochnerException(source.name() + ": has no rows");
        }
        return new ExactRows(source, outputs, rows, targets);
    }

    int count() {
        return rows.length;
    }

    int columns() {
        return source.columns();
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

    /** A row after a preparation, whose failure then names the file and the row. */
    double[] prepared(int row, UnaryOperator<double[]> preparation) {
        try {
            return preparation.apply(rows[row]);
        } catch (RowException e) {
            throw ScaledRows.located(source, e.inRow(row), Scalings.none());
        }
    }
}
