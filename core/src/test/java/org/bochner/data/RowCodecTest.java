package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowCodecTest {
    private static RowBlock copy(RowBlock block) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RowCodec.write(block, new DataOutputStream(bytes));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        RowBlock read = RowCodec.read(in);
        assertEquals(-1, in.read());
        return read;
    }

    private static RowBlock block(List<List<String>> carried) {
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginSparse(7, 3, 1, true);
        for (List<String> texts : carried) {
            builder.addEntry(2, 0.5f);
            builder.endRow();
            builder.setTarget(0, 4);
            builder.setRowWeight(0.25);
            if (!texts.isEmpty()) {
                builder.setCarried(texts);
            }
        }
        return builder.build();
    }

    @Test
    void keepsTheTextsThatRowsCarry() throws IOException {
        String text = "\u00e4, \"\ud83d\ude00\"\n".repeat(30_000);
        RowBlock read = copy(block(List.of(List.of("", text), List.of("b", "c"))));
        assertEquals(List.of("", text), read.carried(0));
        assertEquals(List.of("b", "c"), read.carried(1));
        assertEquals(0.25, read.rowWeight(1));
        assertEquals(7, read.firstRow());
    }

    @Test
    void keepsRowsWithoutTexts() throws IOException {
        RowBlock read = copy(block(List.of(List.of(), List.of())));
        assertEquals(2, read.rows());
        assertEquals(List.of(), read.carried(1));
    }
}
