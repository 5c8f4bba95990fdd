package org.bochner.spark;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.spark.sql.Row;
import org.bochner.data.Encoding;
import org.bochner.data.FileColumn;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.cell.Cells;
import org.jspecify.annotations.Nullable;

/**
 * Converts the rows of a DataFrame as the encoding of a model reads the rows of files.
 *
 * @param encoding the encoding, as it is saved
 * @param cells the columns of the features
 * @param names the names of each column in the encoding, those of its numbers for vectors; empty if the encoding is that of
 *     sparse files, whose columns are those of all cells
 * @param label the label; {@link FrameLabel#NONE} for none
 * @param unlisted the target of a class that the model does not know
 * @param weight the index of the column of row weights; −1 if there is none
 * @param carried the indices of the columns whose texts accompany the rows
 * @param zeroUnseen true if unknown categories become zeros
 * @param zone the time zone in which times are written
 */
record EncodedReader(
        Sent encoding,
        List<FrameCell> cells,
        List<List<String>> names,
        FrameLabel label,
        double unlisted,
        int weight,
        List<Integer> carried,
        boolean zeroUnseen,
        ZoneId zone)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Converts the rows of a partition to chunks, up to the first bad row.
     *
     * @param failed receives what is wrong with the bad row
     */
    Iterator<RowChunk> convert(Iterator<Row> rows, Consumer<String> failed) {
        Encoding known = Encoding.load(encoding.state());
        Conversion conversion = names.isEmpty() ? new Vectors(known) : new Records(known);
        return new Iterator<>() {
            private long read;
            private boolean done;

            @Override
            public boolean hasNext() {
                return !done && rows.hasNext();
            }

            @Override
            public RowChunk next() {
                RowBlockBuilder block = new RowBlockBuilder();
                conversion.begin(block, read);
                while (rows.hasNext() && block.rows() < conversion.mostRows()) {
                    Row row = rows.next();
                    read++;
                    String problem = problem(row);
                    problem = problem == null ? conversion.add(row, block) : problem;
                    if (problem != null) {
                        failed.accept(FrameSurvey.place(read) + problem);
                        done = true;
                        // The values of the bad row may be in the block already.
                        conversion.begin(block, read);
                        break;
                    }
                    addTarget(row, block);
                }
                return new RowChunk(block.build());
            }
        };
    }

    private int targets() {
        return label.labels().targets();
    }

    /** Returns what is wrong with the label or the weight of a row; null if nothing is. */
    private @Nullable String problem(Row row) {
        if (label.exists()) {
            Object value = row.get(label.index());
            if (value == null) {
                return "label column '" + label.name() + "' is null";
            }
            if (!label.ofClasses() && !(value instanceof Number number && Double.isFinite(number.doubleValue()))) {
                return "label column '" + label.name() + "' must hold finite numbers, got " + value;
            }
        }
        return FrameSurvey.weightProblem(weight, row);
    }

    private void addTarget(Row row, RowBlockBuilder block) {
        if (label.exists()) {
            double target = label.target(row);
            block.setTarget(0, Double.isNaN(target) ? unlisted : target);
        }
        if (weight >= 0) {
            block.setRowWeight(((Number) row.get(weight)).doubleValue());
        }
        if (!carried.isEmpty()) {
            block.setCarried(carried.stream().map(index -> text(row.get(index))).toList());
        }
    }

    /** Returns a value as a text; empty for null. */
    private static String text(@Nullable Object value) {
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? Cells.canonical(number) : Double.toString(number);
        }
        return value == null ? "" : value.toString();
    }

    /** How the values of rows are converted. */
    private interface Conversion {
        void begin(RowBlockBuilder block, long firstRow);

        int mostRows();

        /** Adds a row; returns what is wrong with it, or null. */
        @Nullable
        String add(Row row, RowBlockBuilder block);
    }

    /** Numbers and vectors, one after the other, as rows of sparse files. */
    private final class Vectors implements Conversion {
        private final int columns;

        Vectors(Encoding encoding) {
            columns = encoding.columns();
        }

        @Override
        public void begin(RowBlockBuilder block, long firstRow) {
            block.beginSparse(firstRow, columns, targets(), weight >= 0);
        }

        @Override
        public int mostRows() {
            return FrameLayout.mostRows(true, columns);
        }

        @Override
        public @Nullable String add(Row row, RowBlockBuilder block) {
            int size = 0;
            for (FrameCell cell : cells) {
                if (row.isNullAt(cell.index())) {
                    return "column '" + cell.name() + "' is null";
                }
                size += cell.size(row);
            }
            if (size != columns) {
                return "the row has " + size + " values, and the model was trained with " + columns;
            }
            @Nullable String[] problem = new String[1];
            int first = 0;
            for (FrameCell cell : cells) {
                int before = first;
                cell.values(row, (place, value) -> {
                    if (!Float.isFinite((float) value)) {
                        problem[0] = "column '" + cell.name() + "' holds " + value + " at place " + place + " (from 0)";
                    } else if (value != 0 && problem[0] == null) {
                        block.addEntry(before + place, (float) value);
                    }
                });
                if (problem[0] != null) {
                    return problem[0];
                }
                first += cell.size(row);
            }
            block.endRow();
            return null;
        }
    }

    /** Columns of a table, as records. */
    private final class Records implements Conversion {
        private final EncodedRows rows;
        private final Map<String, Set<String>> categories = new LinkedHashMap<>();
        private final Map<String, @Nullable Object> record = new LinkedHashMap<>();
        private final List<FileColumn> unseen = new ArrayList<>();

        Records(Encoding encoding) {
            rows = new EncodedRows(encoding, zone);
            for (FileColumn column : encoding.fileColumns()) {
                if (zeroUnseen && column.categoryEncoding() == FileColumn.CategoryEncoding.ONE_HOT) {
                    categories.put(column.name(), new HashSet<>(column.categories()));
                }
            }
        }

        @Override
        public void begin(RowBlockBuilder block, long firstRow) {
            rows.begin(block, firstRow, targets(), weight >= 0);
        }

        @Override
        public int mostRows() {
            return rows.mostRows();
        }

        @Override
        public @Nullable String add(Row row, RowBlockBuilder block) {
            unseen.clear();
            for (int c = 0; c < cells.size(); c++) {
                String problem = take(cells.get(c), names.get(c), row);
                if (problem != null) {
                    return problem;
                }
            }
            return rows.add(record, unseen, block);
        }

        private @Nullable String take(FrameCell cell, List<String> own, Row row) {
            boolean vector = cell.kind() == FrameCell.Kind.VECTOR || cell.kind() == FrameCell.Kind.ARRAY;
            if (!vector) {
                record.put(own.get(0), value(own.get(0), row.get(cell.index())));
                return null;
            }
            if (row.isNullAt(cell.index())) {
                return "column '" + cell.name() + "' is null";
            }
            int size = cell.size(row);
            if (size != own.size()) {
                return "column '" + cell.name() + "' has " + size + " values, and the model was trained with "
                        + own.size();
            }
            own.forEach(name -> record.put(name, 0.0));
            cell.values(row, (place, value) -> record.put(own.get(place), value));
            return null;
        }

        /** Returns a value as records hold it. An unknown category that becomes zeros is noted, and stands as a known one. */
        private @Nullable Object value(String name, @Nullable Object value) {
            FileColumn column = rows.column(name);
            Set<String> seen = categories.get(name);
            if (seen != null && column != null && value != null) {
                String text = label.className(value);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                if (!seen.contains(text) && !Cells.missing(bytes, 0, bytes.length)) {
                    unseen.add(column);
                    return column.categories().get(0);
                }
            }
            return rows.value(name, value);
        }
    }
}
