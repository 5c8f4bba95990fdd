package org.bochner.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.bochner.base.AtomicFile;
import org.bochner.base.DataException;

/** A file in the making, compressed or not, which takes its name when all is written. */
final class TargetFile implements AutoCloseable {
    private final String name;
    private final AtomicFile file;
    private final OutputStream out;
    private boolean finished;

    TargetFile(String path, boolean gzip) {
        name = path;
        try {
            file = AtomicFile.create(Path.of(path));
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        }
        try {
            out = gzip ? new GZIPOutputStream(file.stream(), 1 << 16) : file.stream();
        } catch (IOException e) {
            throw unwritable(path, e);
        }
    }

    private static DataException unwritable(String path, IOException e) {
        return DataException.in(path, "cannot be written: " + e.getMessage(), e);
    }

    void write(byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }

    /** Completes the file, with its first bytes replaced where a header was not known before, and names it. */
    void finish(byte[] head) {
        if (finished) {
            return;
        }
        try {
            if (out instanceof GZIPOutputStream zipped) {
                zipped.finish();
            }
            out.flush();
            int written = 0;
            ByteBuffer buffer = ByteBuffer.wrap(head);
            while (buffer.hasRemaining()) {
                written += file.channel().write(buffer, written);
            }
            file.commit();
            finished = true;
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }
}
