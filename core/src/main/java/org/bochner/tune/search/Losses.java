package org.bochner.tune.search;

import java.util.Arrays;
import org.bochner.base.Require;

/**
 * The losses of one candidate on held-out rows, summed over blocks of rows. The block of a row is a hash of its group, so
 * that all candidates have the same blocks, and a group is never split. Standard errors are those of the blocks: they are
 * right for rows in groups too, and a comparison of two candidates needs no losses of single rows.
 *
 * <p>Threads: immutable.
 */
public final class Losses {
    /** The number of blocks. A standard error from 64 blocks is itself accurate to 1/√(2·63), 9%. */
    public static final int BLOCKS = 64;

    /** No rows. */
    public static final Losses NONE = new Losses(new double[BLOCKS], new double[BLOCKS], new double[BLOCKS]);

    private final double[] sums;
    private final double[] squares;
    private final double[] rows;

    /**
     * Creates losses.
     *
     * @param sums the sum of the losses of each block
     * @param squares the sum of the squared errors of the scores of each block, which decide between equal losses
     * @param rows the number of rows of each block
     */
    public Losses(double[] sums, double[] squares, double[] rows) {
        for (double[] array : new double[][] {sums, squares, rows}) {
            Require.sameSize("Losses", "blocks", array.length, BLOCKS);
            for (double value : array) {
                Require.notNegative("Losses", "a sum", value);
            }
        }
        this.sums = sums.clone();
        this.squares = squares.clone();
        this.rows = rows.clone();
    }

    /** Returns the losses of both sets of rows together. */
    Losses plus(Losses other) {
        return new Losses(added(sums, other.sums), added(squares, other.squares), added(rows, other.rows));
    }

    private static double[] added(double[] one, double[] other) {
        double[] sum = new double[BLOCKS];
        Arrays.setAll(sum, b -> one[b] + other[b]);
        return sum;
    }

    double[] sums() {
        return sums.clone();
    }

    double[] squares() {
        return squares.clone();
    }

    double[] rowsOfBlocks() {
        return rows.clone();
    }

    /** Returns the number of rows. */
    public double rows() {
        return Arrays.stream(rows).sum();
    }

    private double mean() {
        return Arrays.stream(sums).sum() / rows();
    }

    /** Returns the measure over all rows. */
    public double value(Measure measure) {
        return measure.value(mean());
    }

    /** Returns the mean squared error of the scores, which decides between candidates of equal measure. */
    public double tieBreak() {
        return Arrays.stream(squares).sum() / rows();
    }

    /** Returns the standard error of {@link #value}; NaN if all rows are in one block. */
    public double standardError(Measure measure) {
        return standardError(influences(measure));
    }

    /**
     * Returns the standard error of the difference between the values of two candidates on the same rows, which is smaller
     * than those of the values, because the losses of both depend on the rows alike.
     */
    public double standardErrorOfDifference(Losses other, Measure measure) {
        Require.that(Arrays.equals(rows, other.rows), "Losses", "the rows of two candidates differ");
        double[] own = influences(measure);
        double[] others = other.influences(measure);
        double[] differences = new double[BLOCKS];
        Arrays.setAll(differences, b -> own[b] - others[b]);
        return standardError(differences);
    }

    /**
     * Returns the influence of each block on the value, times the number of rows: the first-order change of the value with
     * the losses of the block.
     */
    private double[] influences(Measure measure) {
        double mean = mean();
        double slope = measure.slope(mean);
        double[] influences = new double[BLOCKS];
        Arrays.setAll(influences, b -> slope * (sums[b] - rows[b] * mean));
        return influences;
    }

    private double standardError(double[] influences) {
        long blocks = Arrays.stream(rows).filter(count -> count > 0).count();
        double squared = Arrays.stream(influences).map(i -> i * i).sum();
        return blocks < 2 ? Double.NaN : Math.sqrt(squared * blocks / (blocks - 1)) / rows();
    }
}
