package org.bochner.data.sample;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.State;
import org.bochner.base.binary.Numbers;
import org.bochner.base.text.Escape;
import org.bochner.data.DataIdentity;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.PartSession;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowChoice;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.SparseRows;

/**
 * The rows of another source, with counts that are taken while the rows are read: the rows of each class and the rows
 * of zeros. The counts are those of the latest complete pass; before the first one, there are none. Cost: a row is
 * scanned up to its first non-zero value.
 *
 * <p>Reading fails at a number to predict that is too large to compute with.
 *
 * <p>Threads: as for every source.
 */
public final class CountingSource extends RowView {
    /** The largest number to predict. Its fourth power, times many rows, is a finite double. */
    private static final double LARGEST_TARGET = 1e70;

    /** The largest of all numbers to predict must not be smaller, unless it is 0. */
    private static final double SMALLEST_TARGET = 1e-70;

    private static final int MOST_NAMES = 6;

    /** The largest number to predict of all passes, complete or not. */
    private final DoubleAccumulator largestTarget = new DoubleAccumulator(Math::max, 0);

    private volatile Counts latest = new Counts(0);

    public CountingSource(RowSource source) {
        super(source);
    }

    /** Returns true if the rows of the other source are in memory, so that copies would save no time. */
    public boolean inMemory() {
        return source instanceof MemorySource || source instanceof KeptRows;
    }

    /** Returns the number of rows of zeros. */
    public long zeros() {
        return latest.zeros;
    }

    /** Returns the index, from 0, of the first row of zeros; -1 if there is none. */
    public long firstZero() {
        return latest.firstZero;
    }

    /** Fails if all numbers to predict are too small to compute with. */
    public void requireTargets() {
        double largest = largestTarget.get();
        if (largest > 0 && largest < SMALLEST_TARGET) {
            throw new BochnerException(
                    name() + ": the numbers to predict are too small to compute with: none is larger than " + largest,
                    Remedy.advice("multiply them by a constant"));
        }
    }

    /** Adds notes on classes that have one row or none. */
    public void noteLabels(Notes notes) {
        Counts counts = latest;
        if (!(labels() instanceof Labels.Classes classes)) {
            return;
        }
        String object = source.ofSets() ? "set" : "row";
        String without = counts.classesWith(0, classes.names());
        if (!without.isEmpty()) {
            notes.data("classes without a training " + object + ": " + without
                    + "; the model has learned nothing about them. If " + object + "s are held out, hold out fewer "
                    + object + "s or use another seed");
        }
        String single = counts.classesWith(1, classes.names());
        if (!single.isEmpty()) {
            notes.data("classes with a single " + object + ": " + single
                    + "; the model has seen one example of each of these classes");
        }
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    /** Returns the parts of the other source; tasks over all rows count them. */
    @Override
    public Optional<PartedRows> parted() {
        return source.parted().map(parts -> new PartedRows() {
            @Override
            public <P, R> R run(RowTask<P, R> task) {
                CountedTask.Counted<R> counted = parts.run(new CountedTask<>(task));
                latest = counted.counts();
                largestTarget.accumulate(counted.counts().largestTarget);
                return counted.value();
            }

            @Override
            public void requireReadable(String step) {
                parts.requireReadable(step);
            }

            @Override
            public PartSession session(State shared) {
                return parts.session(shared);
            }

            @Override
            public RowSource where(RowChoice chosen, DataIdentity identity) {
                return parts.where(chosen, identity);
            }
        });
    }

    /** Returns the counts of the latest complete pass. */
    Counts counts() {
        return latest;
    }

    @Override
    public RowCursor open() {
        Counts counts = new Counts(
                labels() instanceof Labels.Classes classes ? classes.names().size() : 0);
        return new Reading(source.open()) {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                RowBlock rows = into.build();
                counts.add(rows);
                if (labels() instanceof Labels.Numbers) {
                    checkTargets(rows, counts);
                }
                if (!more) {
                    latest = counts;
                }
                return more;
            }
        };
    }

    private void checkTargets(RowBlock rows, Counts counts) {
        double largest = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int j = 0; j < rows.targets(); j++) {
                double size = Math.abs(rows.target(i, j));
                if (size > LARGEST_TARGET) {
                    throw new BochnerException(
                            place(rows.firstRow() + i, -1) + ": the number to predict, " + rows.target(i, j)
                                    + ", is too large to compute with",
                            Remedy.advice("divide the numbers to predict by a constant"));
                }
                largest = Math.max(largest, size);
            }
        }
        counts.largestTarget = Math.max(counts.largestTarget, largest);
        largestTarget.accumulate(largest);
    }

    /** The counts of one pass. They do not change after the pass is complete. */
    static final class Counts {
        private final long[] ofClass;
        private long zeros;
        private long firstZero = -1;
        private double largestTarget;

        Counts(int classes) {
            ofClass = new long[classes];
        }

        /** Adds the counts of later rows. */
        Counts add(Counts later) {
            for (int c = 0; c < ofClass.length; c++) {
                ofClass[c] += later.ofClass[c];
            }
            firstZero = zeros == 0 ? later.firstZero : firstZero;
            zeros += later.zeros;
            largestTarget = Math.max(largestTarget, later.largestTarget);
            return this;
        }

        void write(DataOutput to) throws IOException {
            Numbers.write(ofClass, to);
            to.writeLong(zeros);
            to.writeLong(firstZero);
            to.writeDouble(largestTarget);
        }

        static Counts read(DataInput from) throws IOException {
            long[] ofClass = Numbers.readLongs(from);
            Counts counts = new Counts(ofClass.length);
            System.arraycopy(ofClass, 0, counts.ofClass, 0, ofClass.length);
            counts.zeros = from.readLong();
            counts.firstZero = from.readLong();
            counts.largestTarget = from.readDouble();
            return counts;
        }

        void add(RowBlock rows) {
            for (int i = 0; i < rows.rows(); i++) {
                // Rows of zeros are counted among rows, not among the local rows of sets.
                if (!rows.ofSets() && isZero(rows, i)) {
                    firstZero = zeros == 0 ? rows.firstRow() + i : firstZero;
                    zeros++;
                }
                // The learner refuses rows of unknown classes and names their place.
                if (ofClass.length > 0 && rows.target(i, 0) >= 0) {
                    ofClass[(int) rows.target(i, 0)]++;
                }
            }
        }

        /** Returns the names of the classes that have a number of rows, for a note; empty if there are none. */
        String classesWith(long rows, List<String> names) {
            int[] found = IntStream.range(0, ofClass.length)
                    .filter(c -> ofClass[c] == rows)
                    .toArray();
            return IntStream.of(found)
                            .limit(MOST_NAMES)
                            .mapToObj(c -> Escape.line(names.get(c)))
                            .collect(Collectors.joining(", "))
                    + (found.length > MOST_NAMES ? ", ... (" + found.length + ")" : "");
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
}
