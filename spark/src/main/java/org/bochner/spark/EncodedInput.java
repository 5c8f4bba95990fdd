package org.bochner.spark;

import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/**
 * Columns that the encoding of a model from files reads, as a record with the same values.
 *
 * @param names the names of the columns in the encoding
 * @param places the indices of the columns in a row, in the order of the names
 * @param zone the time zone in which times are written
 */
record EncodedInput(List<String> names, List<Integer> places, ZoneId zone) implements RowInput {
    private static final long serialVersionUID = 1L;

    EncodedInput {
        names = List.copyOf(names);
        places = List.copyOf(places);
    }

    @Override
    public Reader reader(KernelModel model) {
        EncodedRows rows = new EncodedRows(model.encoding().orElseThrow(), zone);
        return new Reader() {
            private final Map<String, @Nullable Object> row = new LinkedHashMap<>();

            @Override
            public void begin(Row first, RowBlockBuilder block) {
                rows.begin(block, 0, 0, false);
            }

            @Override
            public @Nullable String add(Row from, RowBlockBuilder block) {
                for (int c = 0; c < names.size(); c++) {
                    row.put(names.get(c), rows.value(names.get(c), from.get(places.get(c))));
                }
                return rows.add(row, List.of(), block);
            }
        };
    }
}
