package org.bochner.data.format;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.DataException;
import org.bochner.data.bytes.ByteFeed;

/** Reads the header of an IDX file: two zeros, the type, the number of dimensions and their sizes; all big-endian. */
public final class IdxHeader {
    private IdxHeader() {}

    static boolean recognises(byte[] head) {
        return head.length >= 4 && head[0] == 0 && head[1] == 0 && head[2] >= 8 && head[2] <= 14 && head[3] > 0;
    }

    /** Parses the header at the start of a feed. */
    static MatrixHeader read(ByteFeed feed) {
        String file = feed.name();
        if (!feed.has(4, 1) || feed.bytes[0] != 0 || feed.bytes[1] != 0) {
            throw DataException.in(file, "is no IDX file: it does not start with two zero bytes");
        }
        int code = feed.bytes[2];
        ElementType type =
                ElementType.ofIdx(code).orElseThrow(() -> DataException.in(file, "IDX type " + code + " is not known"));
        int dimensions = feed.bytes[3] & 0xff;
        int end = 4 + 4 * dimensions;
        if (!feed.has(end, 1)) {
            throw DataException.in(file, "the IDX header is cut off");
        }
        List<Long> shape = new ArrayList<>();
        ByteBuffer header = ByteBuffer.wrap(feed.bytes);
        for (int i = 4; i < end; i += 4) {
            shape.add(Integer.toUnsignedLong(header.getInt(i)));
        }
        return MatrixHeader.of(file, type, type.size, true, shape, false, end);
    }
}
