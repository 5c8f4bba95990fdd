package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowCount;
import org.bochner.data.sample.RowView;
import org.bochner.random.Seed;

/**
 * A source split in two by a seed: each row goes to the test part with the given probability, decided by a hash of the
 * seed and the row's index alone. The split needs no memory and does not depend on how the rows are read. If rows have
 * groups, the hash is that of the group: all rows of a group are in the same part, and the share of the test part is
 * only approximately the given one.
 *
 * <pre>{@code
 * Holdout split = Holdout.split(rows, 0.2, new Seed(1));
 * model = train(split.train());
 * error = evaluate(model, split.test());
 * }</pre>
 *
 * <p>For cross-validation, {@link #folds} returns several splits; each row is in one test part.
 *
 * @param train the rows to learn from
 * @param test the held-out rows
 */
public record Holdout(RowSource train, RowSource test) {
    private static final int COUNTED_ROWS = 1024;

    /**
     * Splits the rows.
     *
     * @param fraction the expected share of the test part, strictly between 0 and 1
     * @throws BochnerException if a part is known to have no rows
     */
    public static Holdout split(RowSource source, double fraction, Seed seed) {
        Require.between("holdout", "fraction", fraction, 0, 1);
        Seed own = seed.derive("holdout");
        RowChoice tested = new RowChoice.Share(own, fraction);
        long rows = source.rows();
        long count = counts(source, 2, group -> tested.test(group) ? 1 : 0)[1];
        if (rows >= 0 && (count == 0 || count == rows)) {
            throw new BochnerException(source.name() + ": a hold-out of " + fraction + " of " + kind(source, rows)
                    + " leaves one part empty; use more rows, or choose another fraction or seed");
        }
        return of(source, tested, rows, count, fraction + " held out");
    }

    /**
     * Returns the splits of a cross-validation. Each row is in the test part of one split, drawn with equal
     * probabilities, and in the training part of all others. The folds are independent of a hold-out with the same
     * seed.
     *
     * @param count the number of folds, at least 2
     * @throws BochnerException if a fold is known to have no rows
     * @see Folds
     */
    public static List<Holdout> folds(RowSource source, int count, Seed seed) {
        Folds foldOf = Folds.of(count, seed);
        long rows = source.rows();
        long[] tested = counts(source, count, foldOf::fold);
        List<Holdout> folds = new ArrayList<>();
        for (int f = 0; f < count; f++) {
            int fold = f;
            if (rows >= 0 && (tested[fold] == 0 || tested[fold] == rows)) {
                throw new BochnerException(
                        source.name() + ": of " + count + " folds of " + kind(source, rows) + ", fold "
                                + (fold + 1) + " has " + (tested[fold] == 0 ? "none" : "all")
                                + "; use fewer folds or another seed");
            }
            folds.add(fold(source, foldOf, fold, rows, tested[fold]));
        }
        return folds;
    }

    /**
     * Returns the splits of {@link #folds} without those that have an empty part: rows in few groups leave folds empty. Cost: one
     * pass if rows have groups or their number is not known.
     *
     * @param most the number of folds, at least 2
     * @return at most as many splits; none if all rows are in one fold
     */
    public static List<Holdout> foldsWithRows(RowSource source, int most, Seed seed) {
        Folds foldOf = Folds.of(most, seed);
        long[] tested = new long[most];
        long rows = eachGroup(source, group -> tested[foldOf.fold(group)]++);
        return IntStream.range(0, most)
                .filter(fold -> tested[fold] > 0 && tested[fold] < rows)
                .mapToObj(fold -> fold(source, foldOf, fold, rows, tested[fold]))
                .toList();
    }

    private static Holdout fold(RowSource source, Folds folds, int fold, long rows, long tested) {
        String what = "fold " + (fold + 1) + " of " + folds.count();
        return of(source, new RowChoice.Fold(folds.seed(), folds.count(), fold), rows, tested, what);
    }

    /**
     * Returns a random sample of the rows of a source, in their order: those with the smallest hashes of the seed and
     * the row's index. Rows of a group are in the sample together, which may then have a few rows more.
     *
     * <p>Memory: about 24 bytes per sampled row. Cost: one pass if rows have groups or their number is not known.
     *
     * @param count the number of rows, at least 1
     * @throws BochnerException if the source has fewer rows
     */
    public static RowSource sample(RowSource source, int count, Seed seed) {
        Require.atLeast("sample", "rows", count, 1);
        Seed own = seed.derive("sample");
        PriorityQueue<Long> smallest = new PriorityQueue<>(Comparator.reverseOrder());
        long rows = eachGroup(source, group -> {
            smallest.add(own.derive(group).value());
            if (smallest.size() > count) {
                smallest.remove();
            }
        });
        if (rows < count) {
            throw new BochnerException(source.name() + ": has " + rows + (source.ofSets() ? " sets" : " rows")
                    + ", fewer than the " + count + " of the sample; use at most " + rows);
        }
        long largest = smallest.element();
        RowChoice chosen = new RowChoice.Smallest(own, largest);
        long[] sampled = {source.grouped() ? 0 : count};
        if (source.grouped()) {
            eachGroup(source, group -> sampled[0] += chosen.test(group) ? 1 : 0);
        }
        return side(source, chosen, sampled[0], "sample", count + " random rows");
    }

    /** Calls an action for the group of each row, in order, and returns the number of rows. */
    private static long eachGroup(RowSource source, LongConsumer action) {
        if (!source.grouped()) {
            long count = RowCount.of(source);
            LongStream.range(0, count).forEach(action);
            return count;
        }
        long[] rows = new long[1];
        findRow(source, group -> {
            action.accept(group);
            rows[0]++;
            return false;
        });
        return rows[0];
    }

    /**
     * Counts the rows of each part; all counts are -1 if the number of rows is not known. Rows with groups are read
     * once, because only the rows hold their groups.
     */
    private static long[] counts(RowSource source, int parts, LongToIntFunction partOf) {
        long[] counts = new long[parts];
        if (source.rows() < 0) {
            Arrays.fill(counts, -1);
        } else {
            eachGroup(source, group -> counts[partOf.applyAsInt(group)]++);
        }
        return counts;
    }

    /**
     * Returns the index of the first row whose group has a property; -1 if there is none. Calls the predicate for the
     * rows in order. A row without a group is its own group, and is not read.
     */
    private static long findRow(RowSource source, LongPredicate property) {
        if (!source.grouped()) {
            for (long row = 0; source.rows() < 0 || row < source.rows(); row++) {
                if (property.test(row)) {
                    return row;
                }
            }
            return -1;
        }
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, COUNTED_ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    if (property.test(block.group(i))) {
                        return block.firstRow() + i;
                    }
                }
            }
        }
        return -1;
    }

    private static String kind(RowSource source, long rows) {
        String noun = (source.ofSets() ? " set" : " row") + (rows == 1 ? "" : "s");
        return rows + noun + (source.grouped() && !source.ofSets() ? " in groups" : "");
    }

    /** Returns a split, with the numbers of all rows and of the tested ones, or negative ones if they are not known. */
    private static Holdout of(RowSource source, RowChoice tested, long rows, long count, String what) {
        long others = count < 0 ? -1 : rows - count;
        return new Holdout(
                side(source, tested.negate(), others, "holdout", "all but " + what),
                side(source, tested, count, "holdout", "the " + what));
    }

    /**
     * Returns some of the rows. Those of rows in parts are chosen where they are.
     *
     * @param rows the number of chosen rows; -1 if it is not known
     */
    private static RowSource side(RowSource source, RowChoice chosen, long rows, String selection, String what) {
        PartedRows parted = source.parted().orElse(null);
        return parted == null
                ? new Side(source, chosen, rows, selection, what)
                : parted.where(chosen, source.identity().with(selection, what));
    }

    private static final class Side extends RowView {
        private final RowChoice chosen;
        private final long rows;
        private final String selection;
        private final String what;

        Side(RowSource source, RowChoice chosen, long rows, String selection, String what) {
            super(source);
            this.chosen = chosen;
            this.rows = rows;
            this.selection = selection;
            this.what = what;
        }

        @Override
        public long rows() {
            return rows;
        }

        @Override
        protected long sourceRow(long row) {
            long[] left = {row};
            try {
                return findRow(source, group -> chosen.test(group) && left[0]-- == 0);
            } catch (DataException e) {
                // The standard input cannot be read twice. The caller's failure matters more than the missing line.
                return -1;
            }
        }

        /** Returns the local rows of the chosen sets, whose groups are those of the sets. */
        @Override
        public RowSource localRows() {
            return ofSets() ? new Side(source.localRows(), chosen, -1, selection, what) : this;
        }

        @Override
        public DataIdentity identity() {
            return source.identity().with(selection, what);
        }

        @Override
        public RowCursor open() {
            return new Choosing(source.open()) {
                @Override
                protected boolean has(RowBlock block, int row) {
                    return chosen.test(block.group(row));
                }
            };
        }
    }
}
