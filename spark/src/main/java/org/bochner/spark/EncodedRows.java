package org.bochner.spark;

import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.bochner.base.BochnerException;
import org.bochner.data.Encoding;
import org.bochner.data.FileColumn;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * Adds records to blocks as the encoding of a model from files encodes them.
 *
 * <p>Threads: not safe.
 */
final class EncodedRows {
    private final Encoding encoding;
    private final ZoneId zone;
    private final boolean sparse;
    private final double @Nullable [] origin;
    private final Map<String, FileColumn> columns = new LinkedHashMap<>();

    EncodedRows(Encoding encoding, ZoneId zone) {
        this.encoding = encoding;
        this.zone = zone;
        sparse = encoding.hasText();
        origin = encoding.origin();
        encoding.fileColumns().forEach(column -> columns.put(column.name(), column));
    }

    /** Returns the time zone of a session, in which it shows times. */
    static ZoneId zone(SparkSession session) {
        return DateTimeUtils.getZoneId(session.conf().get("spark.sql.session.timeZone"));
    }

    /** Returns the column of the files with a name; null if there is none. */
    @Nullable
    FileColumn column(String name) {
        return columns.get(name);
    }

    int mostRows() {
        return FrameLayout.mostRows(sparse, encoding.columns());
    }

    /** Starts a block without rows. */
    void begin(RowBlockBuilder block, long firstRow, int targets, boolean weighted) {
        if (sparse) {
            block.beginSparse(firstRow, encoding.columns(), targets, weighted);
        } else {
            block.beginDense(firstRow, encoding.columns(), targets, weighted);
            block.setOrigin(origin);
        }
    }

    /**
     * Adds a record to a block.
     *
     * @param zeroed the columns whose features become zeros
     * @return what is wrong with the record, which is then not added; null if nothing is
     */
    @Nullable
    String add(Map<String, @Nullable Object> row, List<FileColumn> zeroed, RowBlockBuilder block) {
        try {
            if (sparse) {
                addSparse(encoding.encodeSparse(row), zeroed, block);
            } else {
                addDense(encoding.encode(row), zeroed, block);
            }
            return null;
        } catch (BochnerException e) {
            return e.problem();
        }
    }

    private static void addSparse(RowBlock encoded, List<FileColumn> zeroed, RowBlockBuilder block) {
        if (zeroed.isEmpty()) {
            block.addRow(encoded, 0);
            return;
        }
        SparseRows row = (SparseRows) encoded;
        for (int e = row.starts()[0]; e < row.starts()[1]; e++) {
            int index = row.indices()[e];
            if (zeroed.stream().noneMatch(column -> column.from() <= index && index < column.to())) {
                block.addEntry(index, row.values()[e]);
            }
        }
        block.endRow();
    }

    private void addDense(double[] values, List<FileColumn> zeroed, RowBlockBuilder block) {
        for (FileColumn column : zeroed) {
            Arrays.fill(values, column.from(), column.to(), 0);
        }
        int start = block.startDenseRow();
        for (int j = 0; j < values.length; j++) {
            block.values()[start + j] = (float) (origin == null ? values[j] : values[j] - origin[j]);
        }
        block.endRow();
    }

    /** Returns the value of a column as records hold it. */
    @Nullable
    Object value(String name, @Nullable Object value) {
        FileColumn column = columns.get(name);
        if (value instanceof Boolean flag && column != null && column.kind() == FileColumn.Kind.NUMBER) {
            return flag ? 1 : 0;
        }
        if (value instanceof Date date) {
            return date.toLocalDate();
        }
        if (value instanceof Timestamp time) {
            return LocalDateTime.ofInstant(time.toInstant(), zone);
        }
        return value instanceof Instant time ? LocalDateTime.ofInstant(time, zone) : value;
    }
}
