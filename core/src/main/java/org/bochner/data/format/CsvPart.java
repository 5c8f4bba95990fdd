package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.Notation;
import org.bochner.data.cell.WrittenNumber;
import org.bochner.data.text.TextFeatures;
import org.bochner.data.text.TextHasher;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file with known columns.
 *
 * @param fill true if missing values are replaced
 * @param zeroUnseen true if a category that training did not have is encoded as zeros
 * @param sign the decimal sign that the user gives
 * @param odd counts the cells that training did not foresee
 */
record CsvPart(
        Input input,
        TableShape shape,
        TableLayout layout,
        PartEncoding encoding,
        boolean fill,
        boolean zeroUnseen,
        DataOptions.Decimal sign,
        OddCells odd)
        implements Part {
    static final String MISSING_GROUP = "the group is missing; give every row a group";
    static final Remedy GIVE_GROUPS = Remedy.set(Setting.GROUP, "can be left out");
    static final String MISSING_SET = "the set id is missing; give every row the id of its set";

    @Override
    public List<Note> notes() {
        return odd.notes();
    }

    @Override
    public CsvPart withTargets(Labels labels) {
        return new CsvPart(input, shape, layout, encoding.withTargets(labels), fill, zeroUnseen, sign, odd);
    }

    @Override
    public PartReader open(@Nullable LabelDecoder decoder) {
        return new Reader(
                new CsvReader(input.open(null), shape.delimiter()), decoder == null ? null : decoder.in(sign));
    }

    /** Returns the row weight in a cell, a number of at least 0. */
    static double weight(CsvReader reader, int cell, String column, Decimal decimal, DataOptions.Decimal sign) {
        int from = reader.from[cell];
        int to = reader.to[cell];
        double weight = decimal.parse(reader.feed.bytes, from, to);
        if (Double.isNaN(weight) && sign == DataOptions.Decimal.COMMA) {
            weight = Notation.COMMA.parse(reader.feed.bytes, from, to, new WrittenNumber());
        }
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
            Remedy[] comma = {Remedy.set(Setting.DECIMAL, DataOptions.Decimal.COMMA, "reads decimal commas")};
            throw reader.problem(
                    column,
                    "a row weight must be a finite number, 0 or more; got '" + reader.shown(cell) + "'",
                    reader.shown(cell).indexOf(',') < 0 ? new Remedy[0] : comma);
        }
        return weight;
    }

    /**
     * Returns a hash of the group in a cell, which must not be missing: all rows without a group would be in one group.
     */
    static long group(CsvReader reader, int cell, String column) {
        byte[] bytes = reader.feed.bytes;
        if (Cells.missing(bytes, reader.from[cell], reader.to[cell])) {
            throw reader.problem(column, MISSING_GROUP, GIVE_GROUPS);
        }
        return Cells.hash(bytes, reader.from[cell], reader.to[cell]);
    }

    /** Returns a hash of the set id in a cell, which must not be missing: all rows without an id would be one set. */
    static long set(CsvReader reader, int cell, String column) {
        byte[] bytes = reader.feed.bytes;
        if (Cells.missing(bytes, reader.from[cell], reader.to[cell])) {
            throw reader.problem(column, MISSING_SET);
        }
        return Cells.hash(bytes, reader.from[cell], reader.to[cell]);
    }

    private final class Reader extends PartReader {
        private final CsvReader reader;
        private final Decimal decimal = new Decimal();
        /** The first column of each cell; -1 for a cell that makes no column. */
        private final int[] firstColumn = new int[layout.cells()];

        /** The number that is subtracted from the number in each cell. */
        private final double[] origin = new double[layout.cells()];

        private final List<@Nullable Categories> categories = new ArrayList<>();
        /** The notation of the numbers of each cell; null if they are plain. */
        private final List<@Nullable Notation> notations = new ArrayList<>();

        private final boolean dated =
                encoding.columns().stream().anyMatch(column -> !column.parts().isEmpty());

        /** The place, after the first column of a cell, of the column that tells whether it is missing; 0 if there is none. */
        private final int[] indicator = new int[layout.cells()];

        private final boolean indicators = encoding.columns().stream().anyMatch(ColumnEncoding::indicator);
        private final OddCells.Pass pass = odd.new Pass(layout.cells(), shape::name);

        /** The encoding of each cell whose categories are encoded by means of the targets; null for all other cells. */
        private final List<@Nullable ColumnEncoding> means = new ArrayList<>();

        /** The hasher of the texts of each cell; null if the cell holds no text. */
        private final List<@Nullable TextHasher> hashers = new ArrayList<>();

        private final boolean texts = encoding.hasText();
        /** The cells that make columns, in the order of the columns. */
        private final int[] cells;

        private int[] entryColumns = new int[64];
        private float[] entryValues = new float[64];
        /** The number of entries of the row. */
        private int pending;

        private final List<String> labelColumns =
                layout.labelPlaces().stream().map(shape::name).toList();
        private final WrittenNumber written = new WrittenNumber();

        Reader(CsvReader reader, @Nullable LabelDecoder decoder) {
            super(reader.feed, decoder);
            this.reader = reader;
            int[] starts = encoding.starts();
            for (int c = 0; c < firstColumn.length; c++) {
                int feature = layout.feature(c);
                boolean categorical = feature >= 0 && encoding.column(feature).categorical();
                firstColumn[c] = feature < 0 ? -1 : starts[feature];
                origin[c] = feature < 0 ? 0 : encoding.column(feature).origin();
                TextFeatures text =
                        feature < 0 ? null : encoding.column(feature).text();
                hashers.add(text == null ? null : new TextHasher(text));
                means.add(categorical && encoding.column(feature).means() != null ? encoding.column(feature) : null);
                categories.add(categorical ? encoding.column(feature).index() : null);
                indicator[c] = feature >= 0 && encoding.column(feature).indicator()
                        ? encoding.column(feature).valueColumns()
                        : 0;
                Notation notation = feature < 0 || categorical
                        ? Notation.PLAIN
                        : encoding.column(feature).notation().in(sign);
                notations.add(notation.plain() ? null : notation);
            }
            cells = IntStream.range(0, firstColumn.length)
                    .filter(c -> firstColumn[c] >= 0)
                    .boxed()
                    .sorted(Comparator.comparingInt(c -> firstColumn[c]))
                    .mapToInt(c -> c)
                    .toArray();
            CsvSurvey.begin(reader, shape);
        }

        @Override
        public boolean next() {
            if (!reader.next()) {
                pass.end();
                return false;
            }
            CsvSurvey.requireCells(reader, shape);
            return true;
        }

        @Override
        public void dense(float[] row, int start) {
            for (int c = 0; c < firstColumn.length; c++) {
                if (firstColumn[c] < 0) {
                    continue;
                }
                int column = start + firstColumn[c];
                Categories names = categories.get(c);
                TextHasher hasher = texts ? hashers.get(c) : null;
                ColumnEncoding byMeans = means.get(c);
                if (names != null && byMeans != null) {
                    byMeans.encode(code(names, byMeans, c), (k, value) -> row[column + k] = (float) value);
                } else if (names != null) {
                    int category = category(names, c);
                    if (category >= 0) {
                        row[column + category] = 1;
                    }
                } else if (hasher != null) {
                    int count = hash(hasher, c);
                    for (int e = 0; e < count; e++) {
                        row[column + hasher.columns[e]] = hasher.counts[e];
                    }
                } else {
                    double value = number(c);
                    if (dated || Double.isNaN(value)) {
                        set(row, column, c, value);
                    } else {
                        row[column] = (float) (value - origin[c]);
                    }
                }
            }
        }

        /** Sets the columns of a number that may be missing, or a date. */
        private void set(float[] row, int column, int c, double number) {
            countFilled(c, number);
            ColumnEncoding feature = encoding.column(layout.feature(c));
            double start = feature.parts().isEmpty() ? origin[c] : 0;
            feature.encode(number, (k, value) -> row[column + k] = (float) (k == 0 ? value - start : value));
        }

        @Override
        public void sparse(Entries into, int first) {
            pending = 0;
            for (int c : cells) {
                Categories names = categories.get(c);
                TextHasher hasher = hashers.get(c);
                if (hasher != null) {
                    into.add(entryColumns, entryValues, pending, first);
                    pending = 0;
                    int count = hash(hasher, c);
                    into.add(hasher.columns, hasher.counts, count, first + firstColumn[c]);
                    continue;
                }
                ColumnEncoding byMeans = means.get(c);
                if (names != null && byMeans != null) {
                    int column = firstColumn[c];
                    byMeans.encode(code(names, byMeans, c), (k, value) -> entry(column + k, (float) value));
                    continue;
                }
                if (names != null) {
                    int category = category(names, c);
                    entry(firstColumn[c] + category, category < 0 ? 0 : 1);
                    continue;
                }
                double value = number(c);
                if (dated || Double.isNaN(value)) {
                    countFilled(c, value);
                    int column = firstColumn[c];
                    encoding.column(layout.feature(c)).encode(value, (k, known) -> entry(column + k, (float) known));
                } else {
                    entry(firstColumn[c], (float) value);
                }
            }
            into.add(entryColumns, entryValues, pending, first);
        }

        /** Adds a value to the entries of the row unless it is 0. */
        private void entry(int column, float value) {
            if (value == 0) {
                return;
            }
            if (pending == entryColumns.length) {
                entryColumns = Arrays.copyOf(entryColumns, 2 * pending);
                entryValues = Arrays.copyOf(entryValues, 2 * pending);
            }
            entryColumns[pending] = column;
            entryValues[pending++] = value;
        }

        /** Counts a missing number that is filled in a column that had none in training. */
        private void countFilled(int c, double number) {
            if (Double.isNaN(number) && indicators && indicator[c] == 0) {
                pass.filled(c);
            }
        }

        /** Hashes the text in a cell; returns the number of its columns that are not 0. */
        private int hash(TextHasher hasher, int c) {
            reader.cell(c, shape.name(c)).requireText();
            return hasher.hash(reader.feed.bytes, reader.from[c], reader.to[c]);
        }

        /** Returns the number in a cell; NaN if it is missing and is to be filled. */
        private double number(int c) {
            byte[] bytes = reader.feed.bytes;
            Notation notation = notations.get(c);
            if (notation != null) {
                double number = notation.parse(bytes, reader.from[c], reader.to[c], written);
                return Math.abs((float) number) <= Float.MAX_VALUE ? number : otherwise(c);
            }
            double value = decimal.parse(bytes, reader.from[c]);
            boolean whole = decimal.end == reader.to[c] && Math.abs((float) value) <= Float.MAX_VALUE;
            return whole ? value : otherwise(c);
        }

        /** Returns NaN for a missing number that is to be filled; fails for all other cells without a number in range. */
        private double otherwise(int c) {
            byte[] bytes = reader.feed.bytes;
            int from = reader.from[c];
            int to = reader.to[c];
            if (fill && Cells.missing(bytes, from, to)) {
                return Double.NaN;
            }
            Cell cell = reader.cell(c, shape.name(c));
            if (cell.missing()) {
                throw ColumnSurvey.missing(cell);
            }
            if (cell.infinite()) {
                throw cell.problem("the value must be finite, got '" + cell.shown() + "'");
            }
            Notation notation = notations.get(c) == null ? Notation.PLAIN : notations.get(c);
            if (notation.plain() && decimal.isNumber(bytes, from, to)) {
                throw ColumnSurvey.outOfRange(cell);
            }
            DataOptions.Decimal other = notation.comma() ? DataOptions.Decimal.POINT : DataOptions.Decimal.COMMA;
            boolean swapped =
                    notation.date() == null && !Double.isNaN(notation.in(other).parse(bytes, from, to, written));
            throw cell.problem(
                    "the value must be " + notation.expected() + ", got '" + cell.shown() + "'",
                    swapped
                            ? new Remedy[] {Remedy.set(Setting.DECIMAL, other, "reads it as a number")}
                            : new Remedy[0]);
        }

        /**
         * Returns the column of the category in a cell, counted from the first column of the cell; that of the indicator if
         * the category is missing; -1 for one that training did not have and that is encoded as zeros.
         */
        private int category(Categories names, int c) {
            int category = names.find(reader.feed.bytes, reader.from[c], reader.to[c]);
            if (category >= 0) {
                return category;
            }
            Cell cell = reader.cell(c, shape.name(c));
            if (missing(cell, c)) {
                return indicator[c] > 0
                        ? indicator[c]
                        : (int) encoding.column(layout.feature(c)).fill();
            }
            if (zeroUnseen) {
                pass.unseen(c, cell.shown());
                return -1;
            }
            List<String> known = encoding.column(layout.feature(c)).categories();
            throw cell.problem(
                    "the training data has no category '" + cell.shown() + "'"
                            + Suggestion.category(cell.shown(), known),
                    Remedy.set(Setting.UNSEEN, "accepts it"));
        }

        /** Returns the code of the category in a cell that is encoded by means. */
        private int code(Categories names, ColumnEncoding byMeans, int c) {
            int category = names.find(reader.feed.bytes, reader.from[c], reader.to[c]);
            if (category >= 0) {
                return category + 1;
            }
            Cell cell = reader.cell(c, shape.name(c));
            if (missing(cell, c)) {
                return byMeans.missingCode();
            }
            pass.averaged(c, cell.shown());
            return TargetMeans.UNSEEN;
        }

        /** Returns true if a category is missing and is to be filled; fails if it is not to be filled, or is no text. */
        private boolean missing(Cell cell, int c) {
            cell.requireText();
            if (!cell.missing()) {
                return false;
            }
            if (!fill) {
                throw ColumnSurvey.missing(cell);
            }
            if (indicators && indicator[c] == 0) {
                pass.filled(c);
            }
            return true;
        }

        @Override
        double target(LabelDecoder decoder, int j) {
            int c = layout.label(j);
            return decoder.decode(reader.feed, reader.from[c], reader.to[c], reader.line, j, labelColumns.get(j));
        }

        @Override
        public double rowWeight() {
            int c = layout.rowWeight();
            return c < 0 ? 1 : CsvPart.weight(reader, c, shape.name(c), decimal, sign);
        }

        @Override
        public long group() {
            return CsvPart.group(reader, layout.group(), shape.name(layout.group()));
        }

        @Override
        public long set() {
            return CsvPart.set(reader, layout.set(), shape.name(layout.set()));
        }

        @Override
        public String carried(int index) {
            return reader.text(layout.carried().get(index));
        }

        @Override
        public long line() {
            return reader.line;
        }
    }
}
