package org.bochner.data;

import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/** An NPY or IDX file with known columns. */
final class MatrixPart implements Part {
    private final Input input;
    private final DataFormat format;
    private final TableLayout layout;
    private final PartEncoding encoding;
    private final boolean fill;

    MatrixPart(Input input, DataFormat format, TableLayout layout, PartEncoding encoding, DataOptions.Missing missing) {
        this.input = input;
        this.format = format;
        this.layout = layout;
        this.encoding = encoding;
        this.fill = missing == DataOptions.Missing.MEAN;
    }

    @Override
    public String file() {
        return input.name();
    }

    @Override
    public int width() {
        return encoding.width;
    }

    @Override
    public double[] origin() {
        return encoding.origin();
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public int labels() {
        return layout.labels();
    }

    @Override
    public boolean weighted() {
        return layout.weight() >= 0;
    }

    @Override
    public PartReader open(@Nullable LabelDecoder decoder) {
        return new Reader(new MatrixReader(input.open(null), format), decoder);
    }

    /** The weight in a cell: a number, 0 or more. */
    static double weight(MatrixReader reader, int cell) {
        double weight = reader.values[cell];
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
            throw DataException.in(
                    reader.feed.name(),
                    "row " + reader.row + ": a weight must be a finite number, 0 or more; got " + weight);
        }
        return weight;
    }

    private final class Reader implements PartReader {
        private final MatrixReader reader;
        private final @Nullable LabelDecoder decoder;
        private final double[] origin = encoding.origin();

        Reader(MatrixReader reader, @Nullable LabelDecoder decoder) {
            this.reader = reader;
            this.decoder = decoder;
        }

        @Override
        public boolean next() {
            return reader.next();
        }

        @Override
        public void dense(float[] row, int start) {
            for (int c = 0; c < layout.cells(); c++) {
                int feature = layout.feature(c);
                if (feature >= 0) {
                    double value = reader.values[c];
                    if (fill && Double.isNaN(value)) {
                        value = encoding.column(feature).fill();
                    } else {
                        MatrixSurvey.check(reader, c, value);
                    }
                    row[start + feature] = (float) (value - origin[feature]);
                }
            }
        }

        @Override
        public void sparse(RowBlockBuilder into, int firstColumn) {
            throw new UnsupportedOperationException("a " + format + " file is dense");
        }

        @Override
        public double target(int j) {
            return decoder == null
                    ? Double.NaN
                    : decoder.decode(reader.values[layout.label(j)], input.name(), reader.row);
        }

        @Override
        public double weight() {
            return layout.weight() < 0 ? 1 : MatrixPart.weight(reader, layout.weight());
        }

        @Override
        public long line() {
            return 0;
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
}
