package org.bochner.data.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Bytes that can be read at any position. */
public interface RandomBytes extends Closeable {
    long size() throws IOException;

    /** Reads up to {@code length} bytes at a position; returns their number, or -1 at the end. */
    int read(byte[] to, int offset, int length, long position) throws IOException;

    @Override
    void close() throws IOException;

    /** Opens the bytes of a file. */
    static RandomBytes of(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        return new RandomBytes() {
            @Override
            public long size() throws IOException {
                return channel.size();
            }

            @Override
            public int read(byte[] to, int offset, int length, long position) throws IOException {
                return channel.read(ByteBuffer.wrap(to, offset, length), position);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
