package org.bochner.data.format;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/**
 * An NPY or IDX file with known columns.
 *
 * @param fill true if missing values are replaced
 */
record MatrixPart(Input input, DataFormat format, TableLayout layout, PartEncoding encoding, boolean fill)
        implements Part {
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
        private int[] entryColumns = new int[0];
        private float[] entryValues = new float[0];

        Reader(MatrixReader reader, @Nullable LabelDecoder decoder) {
            super(reader.feed, decoder);
            this.reader = reader;
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
                    row[start + feature] = (float) (number(c, feature) - origin[feature]);
                }
            }
        }

        @Override
        public void sparse(Entries into, int firstColumn) {
            if (entryColumns.length == 0) {
                entryColumns = new int[layout.cells()];
                entryValues = new float[layout.cells()];
            }
            int count = 0;
            for (int c = 0; c < layout.cells(); c++) {
                int feature = layout.feature(c);
                float value = feature < 0 ? 0 : (float) number(c, feature);
                if (value != 0) {
                    entryColumns[count] = feature;
                    entryValues[count++] = value;
                }
            }
            into.add(entryColumns, entryValues, count, firstColumn);
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
