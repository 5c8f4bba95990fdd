package org.bochner.kernel.composed;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Warp;
import org.bochner.kernel.columns.ByColumn;

/**
 * log(x + c) for x > −c, spelled {@code log(c=0.1)}, or with one c per column range. A shift-invariant kernel of it
 * compares ratios; the skewed kernels of histograms are of this kind.
 *
 * @param name the name in spellings and messages: {@code log}, or the kernel that the warp is a part of
 */
public record LogWarp(String name, ByColumn c) implements Warp {
    public LogWarp {
        c.values().forEach(value -> Require.notNegative(name, "c", value));
    }

    public LogWarp(ByColumn c) {
        this("log", c);
    }

    public LogWarp(double c) {
        this(ByColumn.of(c));
    }

    /** Returns the c of a spelling. */
    public static ByColumn shift(Spelling spelling) {
        String text = spelling.text("c");
        if (text == null) {
            throw new SpellingException(spelling.name() + " needs c, as in " + spelling.name()
                    + "(c=0.1): values are compared by the ratio of x + c, so take the size of a typical small value");
        }
        return ByColumn.parse(spelling.name(), "c", text);
    }

    @Override
    public double apply(double x, int column) {
        double shift = c.at(column);
        double shifted = x + shift;
        if (!(shifted > 0)) {
            throw new BochnerException(name + "(c=" + Spelling.print(shift) + ") needs values greater than "
                    + Spelling.print(0 - shift) + ", got " + Spelling.print(x) + "; shift the data or choose c > "
                    + Spelling.print(0 - x));
        }
        // StrictMath, because the last bit of Math.log may differ between machines.
        return StrictMath.log(shifted);
    }

    @Override
    public double slope(double x, int column) {
        return 1 / (x + c.at(column));
    }

    @Override
    public int minimumColumns() {
        return c.columns();
    }

    @Override
    public String toString() {
        return name + "(c=" + c + ")";
    }
}
