package org.bochner.data;

import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * A source split in two by a seed: each row goes to the test part with the given probability, decided by a hash of the
 * seed and the row's index alone. So the split needs no memory, and is the same however the rows are read.
 *
 * <pre>{@code
 * Holdout split = Holdout.split(rows, 0.2, new Seed(1));
 * model = train(split.train());
 * error = evaluate(model, split.test());
 * }</pre>
 */
public final class Holdout {
    private final RowSource train;
    private final RowSource test;

    private Holdout(RowSource train, RowSource test) {
        this.train = train;
        this.test = test;
    }

    /**
     * Splits the rows.
     *
     * @param fraction the expected share of the test part, strictly between 0 and 1
     * @throws BochnerException if it is known that a part has no rows
     */
    public static Holdout split(RowSource source, double fraction, Seed seed) {
        Require.between("holdout", "fraction", fraction, 0, 1);
        Seed own = seed.derive("holdout");
        long rows = source.rows();
        long tested = -1;
        if (rows >= 0) {
            tested = 0;
            for (long row = 0; row < rows; row++) {
                tested += tested(own, row, fraction) ? 1 : 0;
            }
            if (tested == 0 || tested == rows) {
                throw new BochnerException(source.name() + ": a hold-out of " + fraction + " of " + rows
                        + " rows leaves one part empty; choose another fraction or seed");
            }
        }
        return new Holdout(
                new Side(source, own, fraction, false, rows < 0 ? -1 : rows - tested),
                new Side(source, own, fraction, true, tested));
    }

    /** Whether a row belongs to the test part: 53 bits of its own seed, as a number between 0 and 1, say so. */
    private static boolean tested(Seed seed, long row, double fraction) {
        return (seed.derive(row).value() >>> 11) * 0x1p-53 < fraction;
    }

    /** The rows to learn from. */
    public RowSource train() {
        return train;
    }

    /** The rows held out. */
    public RowSource test() {
        return test;
    }

    private static final class Side extends RowView {
        private final Seed seed;
        private final double fraction;
        private final boolean test;
        private final long rows;

        Side(RowSource source, Seed seed, double fraction, boolean test, long rows) {
            super(source);
            this.seed = seed;
            this.fraction = fraction;
            this.test = test;
            this.rows = rows;
        }

        @Override
        public long rows() {
            return rows;
        }

        @Override
        public @Nullable Encoding encoding() {
            return source.encoding();
        }

        @Override
        public Map<String, String> provenance() {
            return provenanceWith("holdout", (test ? "the " : "all but ") + fraction + " held out");
        }

        @Override
        public RowCursor open() {
            return new Cursor(source.open());
        }

        private final class Cursor implements RowCursor {
            private final RowCursor cursor;
            private final RowBlockBuilder builder = new RowBlockBuilder();
            private RowBlock block = builder.build();
            private int next;
            private long emitted;

            Cursor(RowCursor cursor) {
                this.cursor = cursor;
            }

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = fill(maxRows);
                into.begin(source.sparse(), emitted, source.columns(), block.targetWidth(), block.weighted());
                while (more && into.rows() < maxRows) {
                    if (tested(seed, block.firstRow() + next, fraction) == test) {
                        into.addRow(block, next);
                    }
                    next++;
                    more = fill(maxRows);
                }
                emitted += into.rows();
                return into.rows() > 0;
            }

            /** Makes sure that there is a row to look at. */
            private boolean fill(int maxRows) {
                if (next < block.rows()) {
                    return true;
                }
                boolean more = cursor.next(builder, maxRows);
                block = builder.build();
                next = 0;
                return more;
            }

            @Override
            public double progress() {
                return cursor.progress();
            }

            @Override
            public void close() {
                cursor.close();
            }
        }
    }
}
