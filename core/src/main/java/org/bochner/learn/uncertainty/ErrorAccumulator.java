package org.bochner.learn.uncertainty;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;

/**
 * Collects the errors of held-out rows: one per output, |actual − predicted|, or one per row for classes.
 *
 * <p>Memory: {@link #bytesNeeded}. Threads: not safe.
 */
public final class ErrorAccumulator {
    private final double[][] errors;
    private int rows;

    /** Creates an empty accumulator for a number of outputs. */
    public ErrorAccumulator(int outputs) {
        errors = new double[Require.atLeast("ErrorAccumulator", "outputs", outputs, 1)][64];
    }

    /** Returns the bytes that a number of rows takes while its errors are added and sorted. */
    public static double bytesNeeded(long rows, int outputs) {
        return 1.5 * Double.BYTES * rows * outputs;
    }

    /**
     * Adds a row.
     *
     * @param ofRow one error per output, none of them NaN
     */
    public void add(double... ofRow) {
        if (rows == errors[0].length) {
            for (int o = 0; o < errors.length; o++) {
                errors[o] = Arrays.copyOf(errors[o], rows + (rows >> 1));
            }
        }
        for (int o = 0; o < errors.length; o++) {
            if (!(Math.abs(ofRow[o]) < Double.POSITIVE_INFINITY)) {
                throw new BochnerException(
                        "uncertainty: an error of a held-out row is " + ofRow[o] + "; scale the rows or the targets");
            }
            errors[o][rows] = ofRow[o];
        }
        rows++;
    }

    /** Returns the number of rows. */
    public int rows() {
        return rows;
    }

    /** Returns the quantiles of each output; throws if there are no rows. */
    List<ScoreQuantiles> quantiles() {
        return IntStream.range(0, errors.length)
                .mapToObj(o -> ScoreQuantiles.of(Arrays.copyOf(errors[o], rows)))
                .toList();
    }
}
