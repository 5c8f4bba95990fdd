package org.bochner.kernel;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.base.row.RowException;
import org.bochner.kernel.columns.ByColumn;
import org.bochner.kernel.composed.LogWarp;
import org.bochner.kernel.composed.SqrtWarp;

/**
 * A function of one value, applied to every column before a kernel sees it, such as {@code log(c=0.1)}: log(x + c).
 * A value whose {@code toString} is its spelling.
 */
public interface Warp {
    /** Returns the warped value of a column; fails, naming the domain, if x lies outside it. */
    double apply(double x, int column);

    /**
     * Returns the derivative of {@link #apply} at x, which lies in the domain. The default takes a difference between x and
     * a value that is larger by 1e-5·|x|, at least 1e-8. Warps with known derivatives override it.
     */
    default double slope(double x, int column) {
        double step = 1e-5 * Math.max(1e-3, Math.abs(x));
        return (apply(x + step, column) - apply(x, column)) / step;
    }

    /** Returns the smallest number of columns of a row. */
    default int minimumColumns() {
        return 1;
    }

    /** Returns the warped row in a new array; a failure names the column, counted from 0. */
    default double[] applyToRow(double[] row) {
        double[] warped = new double[row.length];
        for (int l = 0; l < row.length; l++) {
            try {
                warped[l] = apply(row[l], l);
            } catch (BochnerException e) {
                throw RowException.at(l, e);
            }
        }
        return warped;
    }

    /** Returns log(x + c), for values greater than −c. */
    static Warp log(double c) {
        return new LogWarp(c);
    }

    /** Returns log(x + c) with one c per column range; range r ends before column {@code ends[r]}. */
    static Warp log(int[] ends, double[] c) {
        return new LogWarp(ByColumn.of("log", ends, c));
    }

    /** Returns √x, for values of at least 0. */
    static Warp sqrt() {
        return new SqrtWarp();
    }

    /** Reads the text that {@code toString} prints. */
    static Warp parse(String text) {
        Spelling spelling = Spelling.parse("warp", text);
        return switch (spelling.name()) {
            case "log" -> new LogWarp(LogWarp.shift(spelling.allow("c")));
            case "sqrt" -> {
                spelling.allow();
                yield new SqrtWarp();
            }
            default -> throw Spelling.unknown("warp", spelling.name(), List.of("log", "sqrt"));
        };
    }
}
