package org.bochner.data.format;

import java.util.List;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/**
 * An NPY or IDX file with known columns.
 *
 * @param fill true if missing values are replaced
 * @param odd counts the cells that training did not foresee
 */
record MatrixPart(Input input, DataFormat format, TableLayout layout, PartEncoding encoding, boolean fill, OddCells odd)
        implements Part {
    @Override
    public List<Note> notes() {
        return odd.notes();
    }

    @Override
    public PartReader open(@Nullable LabelDecoder decoder) {
        MatrixReader reader = new MatrixReader(input, format, null);
        try {
            MatrixSurvey.requireNumbers(reader, layout);
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
        return new Reader(reader, decoder);
    }

    /** Returns the row weight in a cell, a number of at least 0. */
    static double weight(MatrixReader reader, int cell) {
        double weight = reader.values[cell];
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
            throw DataException.in(
                    reader.feed.name(),
                    "row " + reader.row + ": a row weight must be a finite number, 0 or more; got " + weight);
        }
        return weight;
    }

    /** Returns a hash of the group in a cell, which must not be NaN, the mark of a missing value. */
    static long group(MatrixReader reader, int cell) {
        return hash(reader, cell, CsvPart.MISSING_GROUP, CsvPart.GIVE_GROUPS);
    }

    /** Returns a hash of the set id in a cell, which must not be NaN, the mark of a missing value. */
    static long set(MatrixReader reader, int cell) {
        return hash(reader, cell, CsvPart.MISSING_SET);
    }

    private static long hash(MatrixReader reader, int cell, String missing, Remedy... remedies) {
        if (Double.isNaN(reader.values[cell])) {
            throw DataException.in(reader.feed.name(), "row " + reader.row + ": " + missing, remedies);
        }
        return reader.hash(cell);
    }

    private final class Reader extends PartReader {
        private final MatrixReader reader;
        private final double[] origin = encoding.origin();
        /** The first column of each feature, and the number of columns at the end. */
        private final int[] starts = encoding.starts();

        private final boolean indicators = encoding.columns().stream().anyMatch(ColumnEncoding::indicator);
        private final OddCells.Pass pass = odd.new Pass(layout.cells(), c -> c + " (from 0)");
        private int[] entryColumns = new int[0];
        private float[] entryValues = new float[0];

        Reader(MatrixReader reader, @Nullable LabelDecoder decoder) {
            super(reader.feed, decoder);
            this.reader = reader;
        }

        @Override
        public boolean next() {
            boolean some = reader.next();
            if (!some) {
                pass.end();
            }
            return some;
        }

        @Override
        public void dense(float[] row, int start) {
            for (int c = 0; c < layout.cells(); c++) {
                int feature = layout.feature(c);
                if (feature >= 0) {
                    int column = starts[feature];
                    row[start + column] = (float) (number(c, feature) - origin[column]);
                    if (indicated(c, feature)) {
                        row[start + column + 1] = 1;
                    }
                }
            }
        }

        @Override
        public void sparse(Entries into, int firstColumn) {
            if (entryColumns.length == 0) {
                entryColumns = new int[2 * layout.cells()];
                entryValues = new float[2 * layout.cells()];
            }
            int count = 0;
            for (int c = 0; c < layout.cells(); c++) {
                int feature = layout.feature(c);
                float value = feature < 0 ? 0 : (float) number(c, feature);
                if (value != 0) {
                    entryColumns[count] = starts[feature];
                    entryValues[count++] = value;
                }
                if (feature >= 0 && indicated(c, feature)) {
                    entryColumns[count] = starts[feature] + 1;
                    entryValues[count++] = 1;
                }
            }
            into.add(entryColumns, entryValues, count, firstColumn);
        }

        /** Returns true if the cell is missing and its column has an indicator. */
        private boolean indicated(int cell, int feature) {
            if (!indicators || !Double.isNaN(reader.values[cell])) {
                return false;
            }
            boolean indicator = encoding.column(feature).indicator();
            if (!indicator) {
                pass.filled(cell);
            }
            return indicator;
        }

        /** Returns the number in a cell, or its replacement if it is missing. */
        private double number(int cell, int feature) {
            double value = reader.values[cell];
            if (fill && Double.isNaN(value)) {
                return encoding.column(feature).fill();
            }
            MatrixSurvey.check(reader, cell, value);
            return value;
        }

        @Override
        double target(LabelDecoder decoder, int j) {
            int cell = layout.label(j);
            if (reader.header.type().text()) {
                ByteFeed text = reader.text(cell);
                return decoder.decode(text, 0, text.limit, reader.row, j, cell + " (from 0)");
            }
            return decoder.decode(reader.values[cell], input.name(), reader.row);
        }

        @Override
        public double rowWeight() {
            return layout.rowWeight() < 0 ? 1 : MatrixPart.weight(reader, layout.rowWeight());
        }

        @Override
        public long group() {
            return MatrixPart.group(reader, layout.group());
        }

        @Override
        public long set() {
            return MatrixPart.set(reader, layout.set());
        }

        @Override
        public String carried(int index) {
            return reader.shown(layout.carried().get(index));
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
