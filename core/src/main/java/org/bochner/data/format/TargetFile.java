package org.bochner.data.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.bochner.base.AtomicFile;
import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/** A file that rows are written to, compressed or not. It appears under its name only when it is complete. */
public final class TargetFile implements AutoCloseable {
    private final String name;
    private final AtomicFile file;
    private final @Nullable GZIPOutputStream gzip;
    private final OutputStream out;

    TargetFile(String path, boolean gzip) {
        name = path;
        try {
            file = AtomicFile.create(Path.of(path));
            this.gzip = gzip ? new GZIPOutputStream(file.stream(), 1 << 16) : null;
            out = this.gzip == null ? file.stream() : this.gzip;
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        } catch (IOException e) {
            throw AtomicFile.unwritable(path, e);
        }
    }

    void write(byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw AtomicFile.unwritable(name, e);
        }
    }

    /** Replaces the first bytes by the given ones, completes the file and renames it to its target. */
    void finish(byte[] head) {
        try {
            if (gzip != null) {
                gzip.finish();
            }
            if (head.length > 0) {
                out.flush();
                int written = 0;
                ByteBuffer buffer = ByteBuffer.wrap(head);
                while (buffer.hasRemaining()) {
                    written += file.channel().write(buffer, written);
                }
            }
            file.commit();
        } catch (IOException e) {
            throw AtomicFile.unwritable(name, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw AtomicFile.unwritable(name, e);
        }
    }
}
