package org.bochner.data.format;

import org.bochner.base.DataException;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** A LIBSVM file with a known index base and number of columns. */
public final class LibsvmPart extends Part {
    private final int base;

    LibsvmPart(Input input, int base, int columns, boolean labelled) {
        super(input, columns, labelled ? 1 : 0);
        this.base = base;
    }

    @Override
    public boolean sparse() {
        return true;
    }

    @Override
    public PartReader open(@Nullable LabelDecoder decoder) {
        return new Reader(new LibsvmReader(input.open(null)), decoder);
    }

    private final class Reader implements PartReader {
        private final LibsvmReader reader;
        private final @Nullable LabelDecoder decoder;

        Reader(LibsvmReader reader, @Nullable LabelDecoder decoder) {
            this.reader = reader;
            this.decoder = decoder;
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
        public double target(int j) {
            return decoder == null
                    ? Double.NaN
                    : decoder.decode(reader.feed, reader.labelFrom, reader.labelTo, reader.line, 0, "label");
        }

        @Override
        public long line() {
            return reader.line;
        }

        @Override
        public double progress() {
            return reader.feed.progress();
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** Fails if the row just read has an index outside the columns. */
    private void check(LibsvmReader reader) {
        if (reader.firstIndex >= 0 && reader.firstIndex < base) {
            throw indexZero(reader);
        }
        if (reader.lastIndex - (long) base >= columns()) {
            throw DataException.at(
                    input.name(),
                    reader.line,
                    Integer.toString(reader.lastIndex),
                    "index " + reader.lastIndex + " is beyond the " + columns()
                            + " columns of the training data (indices " + base + " to " + (columns() - 1L + base)
                            + ")");
        }
    }

    static DataException indexZero(LibsvmReader reader) {
        return DataException.at(reader.feed.name(), reader.line, "0", "index 0 in data whose indices count from 1");
    }
}
