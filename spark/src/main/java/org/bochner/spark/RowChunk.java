package org.bochner.spark;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Objects;
import org.bochner.data.RowBlock;
import org.bochner.data.RowCodec;
import org.jspecify.annotations.Nullable;

/** A block of rows as Spark keeps and sends it. Rows are numbered from 0 in their partition. */
public final class RowChunk implements Externalizable {
    private static final long serialVersionUID = 1L;

    private transient @Nullable RowBlock rows;

    /** Creates an empty chunk, for reading. */
    public RowChunk() {}

    RowChunk(RowBlock rows) {
        this.rows = rows;
    }

    RowBlock rows() {
        return Objects.requireNonNull(rows);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        RowCodec.write(rows(), out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        rows = RowCodec.read(in);
    }
}
