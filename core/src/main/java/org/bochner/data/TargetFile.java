package org.bochner.data;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.bochner.base.DataException;

/** A file in the making: bytes go to a temporary name beside the target, which it takes when all is written. */
final class TargetFile implements AutoCloseable {
    private final String name;
    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final OutputStream out;
    private boolean closed;

    TargetFile(String path, boolean gzip) {
        name = path;
        try {
            target = Path.of(path).toAbsolutePath();
            if (Files.isDirectory(target)) {
                throw DataException.in(path, "is a folder, so no file of that name can be written");
            }
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                throw DataException.in(path, "is a device or pipe, which cannot be replaced by a file");
            }
            if (Files.exists(target) && !Files.isWritable(target)) {
                throw DataException.in(path, "cannot be written: the file that is there is protected");
            }
            // Not Files.createTempFile, whose files no one else may read.
            temporary = target.resolveSibling(
                    "." + target.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
            channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            temporary.toFile().deleteOnExit();
            OutputStream buffered = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            out = gzip ? new GZIPOutputStream(buffered, 1 << 16) : buffered;
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unwritable(path, e);
        }
    }

    private static DataException unwritable(String path, IOException e) {
        String why = e instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : e instanceof FileSystemException ? "no such folder, or no permission" : e.getMessage();
        return DataException.in(path, "cannot be written: " + why, e);
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
        if (closed) {
            return;
        }
        try {
            if (head.length > 0) {
                out.flush();
                int written = 0;
                ByteBuffer buffer = ByteBuffer.wrap(head);
                while (buffer.hasRemaining()) {
                    written += channel.write(buffer, written);
                }
            }
            out.close();
            closed = true;
            rename();
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }

    private void rename() throws IOException {
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
        } catch (IOException e) {
            // What could not be flushed is discarded anyway, together with the rest.
        }
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }
}
