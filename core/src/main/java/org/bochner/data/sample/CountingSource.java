package org.bochner.data.sample;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.text.Escape;
import org.bochner.data.DataIdentity;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another source, with counts that are taken while the rows are read: the rows of each class and the rows
 * of zeros. The counts are those of the latest pass. Cost: a row is scanned up to its first non-zero value.
 *
 * <p>Reading fails at a number to predict that is too large to compute with.
 *
 * <p>Threads: not safe; one cursor at a time.
 */
public final class CountingSource extends RowView {
    /** The largest number to predict. Its fourth power, times many rows, is a finite double. */
    private static final double LARGEST_TARGET = 1e70;

    /** The largest of all numbers to predict must not be smaller, unless it is 0. */
    private static final double SMALLEST_TARGET = 1e-70;

    private static final int MOST_NAMES = 6;

    private long zeros;
    private double largestTarget;
    private long firstZero = -1;
    private final long[] ofClass;

    public CountingSource(RowSource source) {
        super(source);
        ofClass = new long
                [source.labels() instanceof Labels.Classes classes
                        ? classes.names().size()
                        : 0];
    }

    /** Returns the number of rows of zeros. */
    public long zeros() {
        return zeros;
    }

    /** Returns the index, from 0, of the first row of zeros; -1 if there is none. */
    public long firstZero() {
        return firstZero;
    }

    /**
     * Adds notes on classes that have one row or none.
     *
     * @throws BochnerException if all numbers to predict are too small to compute with
     */
    public void noteLabels(Notes notes) {
        if (largestTarget > 0 && largestTarget < SMALLEST_TARGET) {
            throw new BochnerException(name() + ": the numbers to predict are too small to compute with: none is larger"
                    + " than " + largestTarget + "; multiply them by a constant");
        }
        if (!classesWith(0).isEmpty()) {
            notes.data("classes without a training row: " + print(classesWith(0))
                    + "; the model has learned nothing about them. If rows are held out, hold out fewer rows or use"
                    + " another seed");
        }
        if (!classesWith(1).isEmpty()) {
            notes.data("classes with a single row: " + print(classesWith(1)) + "; what is learned of them is that row");
        }
    }

    /** Returns the names of the classes that have a number of rows. */
    private List<String> classesWith(long rows) {
        return labels() instanceof Labels.Classes classes
                ? IntStream.range(0, ofClass.length)
                        .filter(c -> ofClass[c] == rows)
                        .mapToObj(classes.names()::get)
                        .toList()
                : List.of();
    }

    private static String print(List<String> names) {
        return names.stream().limit(MOST_NAMES).map(Escape::line).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMES ? ", ... (" + names.size() + ")" : "");
    }

    @Override
    public @Nullable Encoding encoding() {
        return source.encoding();
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    @Override
    public RowCursor open() {
        zeros = 0;
        firstZero = -1;
        largestTarget = 0;
        Arrays.fill(ofClass, 0);
        return new Reading(source.open()) {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                look(into.build());
                return more;
            }
        };
    }

    private void look(RowBlock rows) {
        for (int i = 0; i < rows.rows(); i++) {
            if (isZero(rows, i)) {
                firstZero = zeros == 0 ? rows.firstRow() + i : firstZero;
                zeros++;
            }
            // The learner refuses rows of unknown classes and names their place.
            if (ofClass.length > 0 && rows.target(i, 0) >= 0) {
                ofClass[(int) rows.target(i, 0)]++;
            }
            for (int j = 0; ofClass.length == 0 && j < rows.targets(); j++) {
                double size = Math.abs(rows.target(i, j));
                if (size > LARGEST_TARGET) {
                    throw new BochnerException(place(rows.firstRow() + i, -1) + ": the number to predict, "
                            + rows.target(i, j)
                            + ", is too large to compute with; divide the numbers to predict by a constant");
                }
                largestTarget = Math.max(largestTarget, size);
            }
        }
    }

    private static boolean isZero(RowBlock rows, int row) {
        if (rows instanceof SparseRows sparse) {
            return isZero(sparse.values(), sparse.starts()[row], sparse.starts()[row + 1]);
        }
        DenseRows dense = (DenseRows) rows;
        int start = dense.offset() + row * dense.stride();
        return dense.origin() == null
                ? isZero(dense.values(), start, start + dense.columns())
                : isZero(dense.values(row, row + 1).plain().values(), 0, dense.columns());
    }

    private static boolean isZero(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            if (values[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
