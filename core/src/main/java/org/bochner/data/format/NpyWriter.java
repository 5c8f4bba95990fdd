package org.bochner.data.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.data.RowWriter;

/** Writes a float32 NPY file of version 1. The number of rows is written to the header at the end. */
public final class NpyWriter implements RowWriter {
    /** The bytes of the header: a multiple of 64, as NumPy aligns it, with room for every shape. */
    private static final int HEADER = 128;

    private final int columns;
    private final TargetFile file;
    private final double[] row;
    private final ByteBuffer buffer;
    private long rows;

    NpyWriter(int columns, TargetFile file) {
        this.columns = columns;
        this.file = file;
        this.row = new double[columns];
        this.buffer = ByteBuffer.allocate(Math.multiplyExact(4, columns)).order(ByteOrder.LITTLE_ENDIAN);
        file.write(header(), HEADER);
    }

    private byte[] header() {
        String text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ", " + columns + "), }";
        String padded = text + " ".repeat(HEADER - 10 - 1 - text.length()) + "\n";
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        header.put((byte) 1).put((byte) 0).putShort((short) (HEADER - 10));
        header.put(padded.getBytes(StandardCharsets.US_ASCII));
        return header.array();
    }

    @Override
    public void write(RowBlock block) {
        Require.sameSize("NPY writer", "number of columns", block.columns(), columns);
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, row);
            buffer.clear();
            for (double value : row) {
                buffer.putFloat((float) value);
            }
            file.write(buffer.array(), buffer.capacity());
        }
        rows += block.rows();
    }

    @Override
    public void finish() {
        file.finish(header());
    }

    @Override
    public void close() {
        file.close();
    }
}
