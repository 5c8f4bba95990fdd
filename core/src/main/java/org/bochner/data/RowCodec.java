package org.bochner.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.binary.Numbers;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of rows as bytes, for exchange between processes: dense or sparse values with their targets, row weights, groups and
 * carried texts. Set ids are left out.
 */
public final class RowCodec {
    private RowCodec() {}

    public static void write(RowBlock block, DataOutput to) throws IOException {
        LabelledRows rows = (LabelledRows) block;
        RowLabels labels = rows.labels;
        int count = rows.rows();
        to.writeBoolean(rows instanceof SparseRows);
        to.writeLong(rows.firstRow());
        to.writeInt(count);
        to.writeInt(rows.columns());
        to.writeInt(labels.targetCount());
        Numbers.write(labels.targets(), 0, count * labels.targetCount(), to);
        double[] weights = labels.weights();
        to.writeBoolean(weights != null);
        if (weights != null) {
            Numbers.write(weights, 0, count, to);
        }
        long[] groups = labels.groups();
        to.writeBoolean(groups != null);
        for (int i = 0; groups != null && i < count; i++) {
            to.writeLong(groups[i]);
        }
        writeTexts(labels.carried(), to);
        if (rows instanceof SparseRows sparse) {
            int end = sparse.starts()[count];
            Numbers.write(sparse.starts(), 0, count + 1, to);
            Numbers.write(sparse.indices(), 0, end, to);
            Numbers.write(sparse.values(), 0, end, to);
        } else {
            writeDense((DenseRows) rows, to);
        }
    }

    private static void writeTexts(List<List<String>> carried, DataOutput to) throws IOException {
        to.writeInt(carried.isEmpty() ? 0 : carried.get(0).size());
        for (List<String> row : carried) {
            for (String text : row) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                to.writeInt(bytes.length);
                to.write(bytes);
            }
        }
    }

    private static List<List<String>> readTexts(int rows, DataInput from) throws IOException {
        int texts = from.readInt();
        List<List<String>> carried = new ArrayList<>();
        for (int i = 0; texts > 0 && i < rows; i++) {
            List<String> row = new ArrayList<>(texts);
            for (int k = 0; k < texts; k++) {
                byte[] bytes = new byte[from.readInt()];
                from.readFully(bytes);
                row.add(new String(bytes, StandardCharsets.UTF_8));
            }
            carried.add(row);
        }
        return carried;
    }

    private static void writeDense(DenseRows rows, DataOutput to) throws IOException {
        double[] origin = rows.origin();
        to.writeBoolean(origin != null);
        if (origin != null) {
            Numbers.write(origin, to);
        }
        int columns = rows.columns();
        if (rows.stride() == columns) {
            Numbers.write(rows.values(), rows.offset(), rows.offset() + rows.rows() * columns, to);
            return;
        }
        float[] packed = new float[rows.rows() * columns];
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(rows.values(), rows.offset() + i * rows.stride(), packed, i * columns, columns);
        }
        Numbers.write(packed, to);
    }

    public static RowBlock read(DataInput from) throws IOException {
        boolean sparse = from.readBoolean();
        long firstRow = from.readLong();
        int count = from.readInt();
        int columns = from.readInt();
        int targetCount = from.readInt();
        double[] targets = Numbers.readDoubles(from);
        double @Nullable [] weights = from.readBoolean() ? Numbers.readDoubles(from) : null;
        long @Nullable [] groups = from.readBoolean() ? new long[count] : null;
        for (int i = 0; groups != null && i < count; i++) {
            groups[i] = from.readLong();
        }
        RowLabels labels = new RowLabels(targetCount, targets, weights, groups, null, readTexts(count, from));
        if (sparse) {
            int[] starts = Numbers.readInts(from);
            int[] indices = Numbers.readInts(from);
            return new SparseRows(firstRow, count, columns, starts, indices, Numbers.readFloats(from), labels);
        }
        double @Nullable [] origin = from.readBoolean() ? Numbers.readDoubles(from) : null;
        return new DenseRows(firstRow, count, columns, Numbers.readFloats(from), 0, columns, labels, origin);
    }
}
