package org.bochner.tune.search;

import java.util.Arrays;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.RowPass;
import org.bochner.model.evaluate.ClassRanking;

/** One pass over rows: their size, their targets, and whether a value is negative. */
public final class TargetSurvey {
    private final Labels labels;
    private final double[] sums;
    private final long[] counts;
    private double weight;
    private long rows;
    private long values;
    private boolean nonNegative = true;

    /** Reads a source. */
    public TargetSurvey(RowSource source) {
        labels = source.labels();
        int targets = classes() ? labels.names().size() : labels.targets();
        sums = new double[targets];
        counts = new long[targets];
        double[] row = new double[source.sparse() || source.ofSets() ? 0 : source.columns()];
        RowPass.blocks(source, block -> add(block, row));
    }

    private boolean classes() {
        return labels instanceof Labels.Classes;
    }

    private void add(RowBlock block, double[] row) {
        rows += block.rows();
        RowBlock local = block.localRows();
        if (local instanceof SparseRows sparse) {
            values += sparse.entries();
            int first = sparse.starts()[0];
            for (int e = first; e < first + sparse.entries() && nonNegative; e++) {
                nonNegative = sparse.values()[e] >= 0;
            }
        } else {
            values += (long) local.rows() * local.columns();
            for (int i = 0; i < local.rows() && nonNegative; i++) {
                double[] copy = row.length == local.columns() ? row : new double[local.columns()];
                local.copyRow(i, copy);
                nonNegative = Arrays.stream(copy).allMatch(value -> value >= 0);
            }
        }
        for (int i = 0; i < block.rows(); i++) {
            double own = block.rowWeight(i);
            weight += own;
            if (classes()) {
                double target = block.target(i, 0);
                if (!Double.isNaN(target)) {
                    sums[(int) target] += own;
                    counts[(int) target]++;
                }
            } else {
                for (int j = 0; j < sums.length; j++) {
                    sums[j] += own * block.target(i, j);
                }
            }
        }
    }

    /** Returns the number of rows. */
    public long rows() {
        return rows;
    }

    /** Returns the bytes of the rows in memory. */
    double bytes(boolean sparse) {
        return (double) values * (sparse ? Float.BYTES + Integer.BYTES : Float.BYTES);
    }

    /** Returns true if no value is negative. */
    public boolean nonNegative() {
        return nonNegative;
    }

    /** Returns the number of rows of each class; empty for numbers. */
    public long[] classCounts() {
        return classes() ? counts.clone() : new long[0];
    }

    /**
     * Returns the scores of the constant model: the mean of each number, or 2p − 1 for the share p of each class, with one
     * score for two classes.
     */
    double[] constantScores() {
        double[] means =
                Arrays.stream(sums).map(sum -> weight > 0 ? sum / weight : 0).toArray();
        if (!classes()) {
            return means;
        }
        double[] coded = Arrays.stream(means).map(mean -> 2 * mean - 1).toArray();
        return coded.length == 2 ? new double[] {coded[1]} : coded;
    }

    boolean labelsAreClasses() {
        return classes();
    }

    /** Returns the class that the constant model predicts. */
    int constantClass() {
        double[] scores = constantScores();
        return ClassRanking.highest(scores, 0, scores.length);
    }
}
