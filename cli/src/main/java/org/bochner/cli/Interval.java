package org.bochner.cli;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;

/** The values of a column, as {@code --domain} spells them. */
record Interval(double low, double high) {
    private static final String FLAG = "--domain";

    Interval {
        if (!(low < high && Double.isFinite(high - low))) {
            throw new UsageException(
                    FLAG + ": LOW must be less than HIGH, got " + Spelling.print(low) + ":" + Spelling.print(high));
        }
    }

    /** The interval LOW:HIGH. */
    static Interval parse(String text) {
        List<String> bounds = UsageException.orUsage(() -> Spelling.splitTopLevel(FLAG, text, ':'));
        if (bounds.size() != 2) {
            throw new UsageException(FLAG + " must be LOW:HIGH, got '" + text + "'");
        }
        return UsageException.orUsage(() -> new Interval(
                Spelling.toNumber(FLAG, "LOW", bounds.get(0)), Spelling.toNumber(FLAG, "HIGH", bounds.get(1))));
    }

    /** Intervals with commas between, one a column. */
    static List<Interval> parseAll(String text) {
        return UsageException.orUsage(() -> Spelling.splitTopLevel(FLAG, text, ',')).stream()
                .map(Interval::parse)
                .toList();
    }

    /** Fails where the kernel does not take the values in a column. */
    void requireIn(Kernel kernel, int column) {
        try {
            kernel.requireValue(low, column);
        } catch (BochnerException e) {
            throw (UsageException) new UsageException(FLAG + ": " + e.getMessage()).initCause(e);
        }
    }

    /** In words: "from 1 to 255". */
    String inWords() {
        return "from " + Spelling.print(low) + " to " + Spelling.print(high);
    }

    @Override
    public String toString() {
        return Spelling.print(low) + ":" + Spelling.print(high);
    }
}
