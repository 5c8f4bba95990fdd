package org.bochner.data.format;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/**
 * A LIBSVM file with known columns.
 *
 * @param base the index of the first column, 0 or 1
 */
record LibsvmPart(Input input, PartEncoding encoding, int base, int labels) implements Part {
    @Override
    public PartReader open(@Nullable LabelDecoder decoder) {
        return new Reader(new LibsvmReader(input.open(null)), decoder);
    }

    private final class Reader extends PartReader {
        private final LibsvmReader reader;

        Reader(LibsvmReader reader, @Nullable LabelDecoder decoder) {
            super(reader.feed, decoder);
            this.reader = reader;
        }

        @Override
        public boolean next() {
            if (!reader.next()) {
                return false;
            }
            check(reader);
            return true;
        }

        @Override
        public void dense(float[] row, int start) {
            for (int e = 0; e < reader.count; e++) {
                row[start + reader.indices[e] - base] = reader.values[e];
            }
        }

        @Override
        public void sparse(Entries into, int firstColumn) {
            into.add(reader.indices, reader.values, reader.count, firstColumn - base);
        }

        @Override
        double target(LabelDecoder decoder, int j) {
            return decoder.decode(reader.feed, reader.labelFrom, reader.labelTo, reader.line, 0, "label");
        }

        @Override
        public long line() {
            return reader.line;
        }
    }

    /** Fails if the row just read has an index outside the columns. */
    private void check(LibsvmReader reader) {
        if (reader.firstIndex >= 0 && reader.firstIndex < base) {
            throw indexZero(reader);
        }
        if (reader.lastIndex - (long) base >= columns()) {
            if (encoding.support()) {
                throw reader.problem(
                        Integer.toString(reader.lastIndex),
                        "the support vectors of the model have indices up to " + (columns() - 1L + base),
                        Remedy.set(
                                Setting.LIBSVM_COLUMNS,
                                "widens the model to N columns; here N must be at least "
                                        + (reader.lastIndex + 1L - base)));
            }
            throw reader.problem(
                    Integer.toString(reader.lastIndex),
                    "index " + reader.lastIndex + " is beyond the " + columns()
                            + " columns of the training data (indices " + base + " to " + (columns() - 1L + base)
                            + ")");
        }
    }

    static DataException indexZero(LibsvmReader reader) {
        return reader.problem("0", "index 0 in data whose indices count from 1");
    }
}
