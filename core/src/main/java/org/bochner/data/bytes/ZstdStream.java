package org.bochner.data.bytes;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Unpacks a zstd file of one or several frames. The stream of the library takes a file that is cut off after its first
 * frame for a complete one, so rows would be lost silently.
 */
public final class ZstdStream extends ByteStream {
    private final InputStream in;
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private final byte[] buffer = new byte[1 << 16];
    private final ByteBuffer packed = ByteBuffer.allocateDirect(buffer.length).flip();
    private final ByteBuffer unpacked = ByteBuffer.allocateDirect(1 << 17).flip();
    /** True if the bytes given to the context are whole frames. */
    private boolean complete = true;
    /** True if the context may hold more output, because the last buffer was full. */
    private boolean held;

    ZstdStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        while (!unpacked.hasRemaining()) {
            if (!packed.hasRemaining() && !held && !fill()) {
                if (!complete) {
                    throw new EOFException("the file ends inside a frame; it is truncated");
                }
                return -1;
            }
            unpacked.clear();
            try {
                complete = context.decompressDirectByteBufferStream(unpacked, packed);
            } catch (ZstdException e) {
                throw new IOException(e.getMessage(), e);
            }
            held = !complete && !unpacked.hasRemaining();
            unpacked.flip();
        }
        int count = Math.min(length, unpacked.remaining());
        unpacked.get(to, offset, count);
        return count;
    }

    private boolean fill() throws IOException {
        int got = in.read(buffer, 0, buffer.length);
        packed.clear();
        packed.put(buffer, 0, Math.max(0, got)).flip();
        return got > 0;
    }

    @Override
    public void close() throws IOException {
        context.close();
        in.close();
    }
}
