package org.bochner.kernel.columns;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * A number for every column: one for all, {@code 0.5}, or one per column range, {@code [0:64=2, 64:364=3]}. Ranges
 * start at column 0 and leave no gap.
 */
public record ByColumn(List<Integer> ends, List<Double> values) {
    public ByColumn {
        ends = List.copyOf(ends);
        values = List.copyOf(values);
    }

    /** Returns one number for all columns. */
    public static ByColumn of(double value) {
        return new ByColumn(List.of(), List.of(value));
    }

    /** Returns one number per column range; range r ends before column {@code ends[r]}. */
    public static ByColumn of(String owner, int[] ends, double[] numbers) {
        Require.that(ends.length == numbers.length && ends.length > 0, owner, "needs one number per column range");
        for (int b = 0; b < ends.length; b++) {
            Require.that(
                    ends[b] > (b == 0 ? 0 : ends[b - 1]),
                    owner + ": column ranges must ascend and not be empty, got end " + ends[b]);
        }
        return new ByColumn(
                Arrays.stream(ends).boxed().toList(),
                Arrays.stream(numbers).boxed().toList());
    }

    /** Parses the text that {@link #toString} prints, as the parameter {@code key} of {@code owner}. */
    public static ByColumn parse(String owner, String key, String text) {
        if (!text.startsWith("[")) {
            return of(Spelling.toNumber(owner, key, text));
        }
        if (!text.endsWith("]")) {
            throw new SpellingException(owner + ": " + key + " '" + text + "': the bracket is not closed");
        }
        List<String> parts = Spelling.splitTopLevel(owner, text.substring(1, text.length() - 1), ',');
        int[] ends = new int[parts.size()];
        double[] numbers = new double[parts.size()];
        int start = 0;
        for (int b = 0; b < ends.length; b++) {
            String part = parts.get(b).strip();
            if (!part.matches("\\d{1,9}:\\d{1,9}=.+")) {
                throw new SpellingException(
                        owner + ": " + key + " of a column range is written from:to=value, got '" + part + "'");
            }
            int colon = part.indexOf(':');
            int equals = part.indexOf('=');
            int from = Integer.parseInt(part.substring(0, colon));
            ends[b] = Integer.parseInt(part.substring(colon + 1, equals));
            if (from != start || ends[b] <= from) {
                throw new SpellingException(owner + ": column ranges of " + key
                        + " must follow each other from column 0; '" + part + "' should start at " + start);
            }
            start = ends[b];
            numbers[b] = Spelling.toNumber(owner, key, part.substring(equals + 1));
        }
        return of(owner, ends, numbers);
    }

    /** Returns the number of a column. */
    public double at(int column) {
        if (ends.isEmpty()) {
            return values.get(0);
        }
        // The range of a column is the first that ends after it.
        int found = Collections.binarySearch(ends, column + 1);
        int block = found >= 0 ? found : -found - 1;
        if (block == ends.size()) {
            throw new IllegalArgumentException("column " + column + " lies beyond the last column range of " + this);
        }
        return values.get(block);
    }

    /** Returns these ranges with changed numbers. */
    public ByColumn map(DoubleUnaryOperator function) {
        return new ByColumn(
                ends,
                values.stream().map(value -> function.applyAsDouble(value)).toList());
    }

    /** Returns the number of columns that the ranges cover; 1 if there is one number for all. */
    public int columns() {
        return ends.isEmpty() ? 1 : ends.get(ends.size() - 1);
    }

    /** Returns true if one number holds for all columns. */
    public boolean uniform() {
        return ends.isEmpty();
    }

    @Override
    public String toString() {
        if (ends.isEmpty()) {
            return Spelling.print(values.get(0));
        }
        StringJoiner text = new StringJoiner(", ", "[", "]");
        int start = 0;
        for (int b = 0; b < ends.size(); b++) {
            text.add(start + ":" + ends.get(b) + "=" + Spelling.print(values.get(b)));
            start = ends.get(b);
        }
        return text.toString();
    }
}
