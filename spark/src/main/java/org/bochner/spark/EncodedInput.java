package org.bochner.spark;

import java.sql.Date;
import java.sql.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.bochner.base.BochnerException;
import org.bochner.data.Encoding;
import org.bochner.data.FileColumn;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/**
 * Columns that the encoding of a model from files reads, as a record with the same values.
 *
 * @param names the names of the columns in the encoding
 * @param places the indices of the columns in a row, in the order of the names
 */
record EncodedInput(List<String> names, List<Integer> places) implements RowInput {
    private static final long serialVersionUID = 1L;

    EncodedInput {
        names = List.copyOf(names);
        places = List.copyOf(places);
    }

    @Override
    public Reader reader(KernelModel model) {
        Encoding encoding = model.encoding().orElseThrow();
        Map<String, FileColumn.Kind> kinds = new LinkedHashMap<>();
        encoding.fileColumns().forEach(column -> kinds.put(column.name(), column.kind()));
        boolean sparse = encoding.hasText();
        double[] origin = encoding.origin();
        return new Reader() {
            private final Map<String, @Nullable Object> row = new LinkedHashMap<>();

            @Override
            public void begin(Row first, RowBlockBuilder block) {
                if (sparse) {
                    block.beginSparse(0, encoding.columns(), 0, false);
                } else {
                    block.beginDense(0, encoding.columns(), 0, false);
                    block.setOrigin(origin);
                }
            }

            @Override
            public @Nullable String add(Row from, RowBlockBuilder block) {
                for (int c = 0; c < names.size(); c++) {
                    String name = names.get(c);
                    row.put(name, value(from.get(places.get(c)), kinds.get(name)));
                }
                try {
                    if (sparse) {
                        RowBlock encoded = encoding.encodeSparse(row);
                        block.addRow(encoded, 0);
                    } else {
                        dense(encoding.encode(row), block);
                    }
                    return null;
                } catch (BochnerException e) {
                    return e.problem();
                }
            }

            private void dense(double[] values, RowBlockBuilder block) {
                int start = block.startDenseRow();
                for (int j = 0; j < values.length; j++) {
                    block.values()[start + j] = (float) (origin == null ? values[j] : values[j] - origin[j]);
                }
                block.endRow();
            }
        };
    }

    /** Returns a value as records hold it. */
    private static @Nullable Object value(@Nullable Object value, FileColumn.@Nullable Kind kind) {
        if (value instanceof Boolean flag && kind == FileColumn.Kind.NUMBER) {
            return flag ? 1 : 0;
        }
        if (value instanceof Date date) {
            return date.toLocalDate();
        }
        return value instanceof Timestamp time ? time.toInstant() : value;
    }
}
