package org.bochner.data.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a file, which can be read at any position. Threads: safe. */
public abstract class RandomBytes implements Closeable {
    private final FileChannel channel;

    RandomBytes(FileChannel channel) {
        this.channel = channel;
    }

    public final long size() throws IOException {
        return channel.size();
    }

    /** Reads up to {@code length} bytes at a position; returns their number, or -1 at the end. */
    public final int read(byte[] to, int offset, int length, long position) throws IOException {
        return channel.read(ByteBuffer.wrap(to, offset, length), position);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
