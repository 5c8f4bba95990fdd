package org.bochner.data;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.jspecify.annotations.Nullable;

/**
 * The sets of a source whose rows have set ids: one row per set. Consecutive rows with the same id are one set.
 *
 * <p>Ids are compared by their 64-bit hashes. Among n ids, two have the same hash with probability n²/2⁶⁵. If these two are
 * neighbours, they become one set; otherwise reading fails as for an id that returns after another one. The first
 * {@value #REMEMBERED} ids of a pass are remembered for this check, in up to 64 MiB.
 *
 * <p>Memory: the rows of a block of sets, which has more than {@value #BLOCK_LOCAL_ROWS} local rows only for larger sets.
 */
final class SetSource implements RowSource {
    /** The number of local rows at which a block of sets ends, even if it may have more sets. */
    private static final int BLOCK_LOCAL_ROWS = 1 << 14;

    private static final int REMEMBERED = 1 << 22;
    private static final int READ_ROWS = 1024;

    private final RowSource local;
    private final long count;

    private SetSource(RowSource local, long count) {
        this.local = local;
        this.count = count;
    }

    /** Returns the sets of a source. If the number of its rows is known, counts and checks the sets in one pass. */
    static SetSource of(RowSource local) {
        SetSource unknown = new SetSource(local, -1);
        return local.rows() < 0 ? unknown : new SetSource(local, unknown.counted());
    }

    private long counted() {
        try (Cursor cursor = new Cursor()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            long sets = 0;
            while (cursor.next(builder, READ_ROWS)) {
                sets += builder.rows();
            }
            return sets;
        }
    }

    @Override
    public String name() {
        return local.name();
    }

    @Override
    public int columns() {
        return local.columns();
    }

    @Override
    public long rows() {
        return count;
    }

    @Override
    public Labels labels() {
        return local.labels();
    }

    /** Returns true if the local rows are sparse: the means of sparse features are sparse. */
    @Override
    public boolean sparse() {
        return local.sparse();
    }

    @Override
    public boolean grouped() {
        return true;
    }

    @Override
    public boolean ofSets() {
        return true;
    }

    @Override
    public RowSource localRows() {
        return local;
    }

    @Override
    public @Nullable Encoding encoding() {
        return local.encoding();
    }

    @Override
    public void requireTrainable() {
        local.requireTrainable();
    }

    @Override
    public DataIdentity identity() {
        return local.identity();
    }

    @Override
    public RowSource withoutLabels() {
        return new SetSource(local.withoutLabels(), count);
    }

    /** Returns the place of the first local row of a set, because the number of the set names no row of the file. */
    @Override
    public String place(long row, int column) {
        return row < 0
                ? local.place(row, column)
                : local.place(firstRow(row), column) + ", in a row of the set that begins there";
    }

    /** Reads the sets up to one and returns the index of its first local row; -1 if it cannot be found. */
    private long firstRow(long set) {
        try (Cursor cursor = new Cursor()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            for (long sets = 0; sets <= set; sets++) {
                if (!cursor.next(builder, 1)) {
                    return -1;
                }
            }
            return cursor.setStart;
        } catch (DataException e) {
            // The standard input cannot be read again. The caller's failure matters more than the missing line.
            return -1;
        }
    }

    @Override
    public RowCursor open() {
        return new Cursor();
    }

    private final class Cursor implements RowCursor {
        private final RowCursor rows = local.open();
        private final RowBlockBuilder reading = new RowBlockBuilder();
        private final RowBlockBuilder first = new RowBlockBuilder();
        private final Ids ids = new Ids();
        private RowBlock block = reading.build();
        private int next;
        private long sets;
        /** The index of the first local row of the latest set. */
        private long setStart;

        @Override
        public boolean next(RowBlockBuilder into, int maxRows) {
            boolean more = fill();
            into.beginSets(sets, columns(), block.targets(), block.hasRowWeights(), local.sparse());
            while (more && into.rows() < maxRows && into.localRowCount() < BLOCK_LOCAL_ROWS) {
                more = addSet(into);
            }
            return into.rows() > 0;
        }

        /** Adds the next set; returns true if there are more. */
        private boolean addSet(RowBlockBuilder into) {
            long id = block.set(next);
            setStart = block.firstRow() + next;
            if (!ids.add(id)) {
                throw returned(id, setStart);
            }
            // A copy, because the set may go on in the next block.
            first.beginLike(block, block.hasRowWeights());
            first.addRow(block, next);
            RowBlock head = first.build();
            boolean more = true;
            while (more && block.set(next) == id) {
                requireSame(head);
                into.addLocalRow(block, next++);
                more = fill();
            }
            into.endRow();
            for (int j = 0; j < head.targets(); j++) {
                into.setTarget(j, head.target(0, j));
            }
            if (head.hasRowWeights()) {
                into.setRowWeight(head.rowWeight(0));
            }
            into.setGroup(head.group(0));
            if (!head.carried(0).isEmpty()) {
                into.setCarried(head.carried(0));
            }
            sets++;
            return more;
        }

        /** Fails if the current row differs from the first one of its set in a property that a set has once. */
        private void requireSame(RowBlock head) {
            for (int j = 0; j < head.targets(); j++) {
                if (Double.compare(block.target(next, j), head.target(0, j)) != 0) {
                    throw different("label");
                }
            }
            if (block.rowWeight(next) != head.rowWeight(0)) {
                throw different("row weight");
            }
            if (block.group(next) != head.group(0)) {
                throw different("group");
            }
            List<String> own = block.carried(next);
            List<String> others = head.carried(0);
            if (!own.equals(others)) {
                requireSameCarried(own, others);
            }
        }

        /** Fails if carried texts differ. The ids of a set may be written differently, for example as 0 and -0. */
        private void requireSameCarried(List<String> own, List<String> others) {
            List<String> names = local instanceof FileSource files ? files.carriedNames() : List.of();
            Encoding encoding = local.encoding();
            String setColumn = encoding == null ? "" : encoding.setColumn().orElse("");
            for (int k = 0; k < own.size(); k++) {
                String name = k < names.size() ? names.get(k) : Integer.toString(k);
                if (!own.get(k).equals(others.get(k)) && !name.equals(setColumn)) {
                    throw different("value of the copied column '" + name + "'");
                }
            }
        }

        private DataException different(String what) {
            return DataException.in(
                    local.place(block.firstRow() + next, -1),
                    "the " + what + " is not that of the set's first row (" + local.place(setStart, -1) + ")",
                    Remedy.advice("give all rows of a set the same " + what));
        }

        /** Reads the next block of local rows if the current one is used up; returns false at the end. */
        private boolean fill() {
            if (next < block.rows()) {
                return true;
            }
            boolean more = rows.next(reading, READ_ROWS);
            if (more) {
                block = reading.build();
                next = 0;
            }
            return more;
        }

        @Override
        public double progress() {
            return rows.progress();
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    private DataException returned(long id, long row) {
        String before = "";
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = local.open()) {
            while (before.isEmpty() && cursor.next(builder, READ_ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows() && before.isEmpty(); i++) {
                    before = block.set(i) == id ? " (" + local.place(block.firstRow() + i, -1) + ")" : "";
                }
            }
        } catch (DataException e) {
            // The standard input cannot be read again. The failure below matters more than the missing line.
            before = "";
        }
        return DataException.in(
                local.place(row, -1),
                "the id of a set returns after rows of another set; the set began earlier" + before,
                Remedy.advice("sort the rows by the column of set ids, so that the rows of a set stand together"));
    }

    /** The hashes of ids, in an open hash table that grows up to a limit. */
    private static final class Ids {
        private long[] table = new long[64];
        private boolean zero;
        private int size;

        /** Adds an id; returns false if it is remembered already. */
        boolean add(long id) {
            if (id == 0) {
                boolean added = !zero;
                zero = true;
                return added;
            }
            int slot = slot(table, id);
            if (table[slot] == id) {
                return false;
            }
            if (size < REMEMBERED) {
                table[slot] = id;
                if (++size * 2 > table.length) {
                    grow();
                }
            }
            return true;
        }

        private void grow() {
            long[] larger = new long[table.length * 2];
            for (long id : table) {
                if (id != 0) {
                    larger[slot(larger, id)] = id;
                }
            }
            table = larger;
        }

        /** Returns the slot of an id, or the empty one where it belongs. */
        private static int slot(long[] slots, long id) {
            int mask = slots.length - 1;
            long mixed = id * 0x9e3779b97f4a7c15L;
            int slot = (int) (mixed >>> 32) & mask;
            while (slots[slot] != 0 && slots[slot] != id) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }
    }
}
