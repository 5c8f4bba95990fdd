package org.bochner.model;

import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.data.ColumnRange;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.file.ModelParts;
import org.jspecify.annotations.Nullable;

/** Checks that rows and sources fit a model. Threads: safe; immutable. */
final class ModelInputs {
    private final ModelParts parts;
    private final double @Nullable [] origin;
    /** True if rows are sparse, as those of the training files are, because a column holds texts. */
    private final boolean hasText;

    ModelInputs(ModelParts parts) {
        this.parts = parts;
        // Rows are rounded as those of files are; without a file encoding, as the scaling requires.
        Encoding encoding = parts.encoding();
        double[] ofFiles = encoding == null ? null : encoding.origin();
        origin = ofFiles == null ? parts.transformer().scaler().origin() : ofFiles;
        hasText = encoding != null && encoding.hasText();
    }

    private int columns() {
        return parts.map().inputDimension();
    }

    /** Returns the rows or sets of a source as the model reads them; throws if they do not fit the model. */
    RowSource accept(RowSource source) {
        require(source);
        return source.bySet().encodedBy(parts.encoding());
    }

    /** Throws if the rows of a source do not fit the model: its encoding, its columns, and rows or sets. */
    void require(RowSource source) {
        requireEncoding(source);
        if (source.columns() != columns()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the model needs " + columns());
        }
        requireSets(source);
    }

    /**
     * Throws if a file was read with another encoding than that of the model: numbers of other columns, or of other
     * categories, would be taken for those of the model.
     */
    private void requireEncoding(RowSource source) {
        Encoding own = parts.encoding();
        Encoding given = source.encoding();
        if (own == null || given == null) {
            return;
        }
        String difference = given.differenceFrom(own, source.labels().targets() > 0);
        if (difference != null) {
            throw new BochnerException(
                    source.name() + ": was read without the encoding of the model: " + difference,
                    Remedy.advice("open the file with model.open(DataOptions.of(...))"));
        }
    }

    /** Throws if a source has sets and the model predicts rows, or the other way round. */
    private void requireSets(RowSource source) {
        boolean sets = source.inSets() || source.ofSets();
        if (sets && !parts.ofSets()) {
            throw new BochnerException(source.name() + ": the rows have set ids, but the model predicts single rows");
        }
        if (!sets && parts.ofSets()) {
            Encoding encoding = parts.encoding();
            String column = encoding == null
                    ? ""
                    : encoding.setColumn().map(name -> " '" + name + "'").orElse("");
            throw new BochnerException(
                    source.name() + ": the model predicts sets of rows, and the rows have no set ids",
                    Remedy.advice("give the column" + column + " with the id of each row's set"));
        }
    }

    /** Throws if the column names of a source differ from those of the training data, or are in another order. */
    void requireColumns(SurveyedSource source) {
        Encoding encoding = parts.encoding();
        List<String> names = source.columnNames();
        List<String> known = encoding == null ? names : encoding.columnNames();
        for (int j = 0; j < Math.min(names.size(), known.size()); j++) {
            if (!names.get(j).equals(known.get(j))) {
                throw DataException.in(
                        source.name(),
                        "column " + j + " is '" + names.get(j) + "', that of the model is '" + known.get(j)
                                + "'; give data with the columns that the model was trained on");
            }
        }
    }

    /** Returns true if rows are rounded to float32 and not changed otherwise. */
    boolean roundsRows() {
        return !hasText && origin == null;
    }

    /** Returns a row as a block; throws if it has another length than the model has columns, or a value is not finite. */
    RowBlock block(double[] row) {
        requireLength(row.length);
        for (int j = 0; j < row.length; j++) {
            // Checked as float32, whose range is smaller. Messages are made only if they are needed.
            if (!Float.isFinite((float) row[j])) {
                throw new IllegalArgumentException("row: column " + j + " must be finite in float32, got " + row[j]);
            }
        }
        return hasText ? nonZeros(row) : DenseRows.of(row, origin);
    }

    /** Returns a row as its non-zeros, as rows with texts are read from files. */
    private static RowBlock nonZeros(double[] row) {
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginSparse(0, row.length, 0, false);
        for (int j = 0; j < row.length; j++) {
            if (row[j] != 0) {
                builder.addEntry(j, (float) row[j]);
            }
        }
        builder.endRow();
        return builder.build();
    }

    /** Returns a record as a block, without an array of all columns if it has texts. */
    RowBlock block(Map<String, ? extends @Nullable Object> record) {
        return hasText ? encoding().encodeSparse(record) : block(encoding().encode(record));
    }

    /** Returns the encoding of the training files; throws if the model was trained from rows in memory. */
    Encoding encoding() {
        Encoding encoding = parts.encoding();
        if (encoding == null) {
            throw new BochnerException(
                    "the model was trained from rows in memory, whose columns have no names; give the row as an array of "
                            + columns() + " numbers");
        }
        return encoding;
    }

    private void requireLength(int given) {
        if (given == columns()) {
            return;
        }
        Encoding encoding = parts.encoding();
        List<ColumnRange> ranges = encoding == null ? List.of() : encoding.columnRanges();
        boolean encoded = ranges.stream().anyMatch(range -> range.to() - range.from() > 1);
        Require.that(
                !encoded,
                "row: has " + given + " numbers; the model has " + columns()
                        + (hasText ? " columns after texts were counted;" : " columns after one-hot encoding;")
                        + " predictNumber(Map) and predictClass(Map) take the columns of the file");
        Require.sameSize("KernelModel", "columns", given, columns());
    }
}
