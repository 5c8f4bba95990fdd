package org.bochner.data.format;

import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** The base of files that are tables: CSV, NPY and IDX. */
abstract class TablePart extends Part {
    final TableLayout layout;
    final PartEncoding encoding;
    /** True if missing values are replaced. */
    final boolean fill;

    TablePart(Input input, TableLayout layout, PartEncoding encoding, boolean fill) {
        super(input, encoding.totalColumns(), layout.labels());
        this.layout = layout;
        this.encoding = encoding;
        this.fill = fill;
    }

    @Override
    public final double[] origin() {
        return encoding.origin();
    }

    @Override
    public final boolean hasRowWeights() {
        return layout.rowWeight() >= 0;
    }

    @Override
    public final @Nullable String groupColumn() {
        return layout.group() < 0 ? null : layout.groupName();
    }
}
