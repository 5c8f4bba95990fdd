package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;

/** The base of streams that implement reading in pieces; a single byte is a piece of length 1. */
public abstract class ByteStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] to, int offset, int length) throws IOException;
}
