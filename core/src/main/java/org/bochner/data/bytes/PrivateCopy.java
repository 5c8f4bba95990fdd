package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;

/**
 * A temporary copy of bytes that can be read only once. Only its owner may read it. On Linux, macOS and Windows, the
 * copy loses its name when it is open, or is deleted with its last handle, so nothing of it is left when the process
 * ends.
 *
 * <p>Threads: safe; streams do not share a position. The file is freed when the copy is no longer reachable.
 */
public final class PrivateCopy extends RandomBytes {
    /** The system property for the largest number of bytes of a copy. */
    static final String LIMIT = "bochner.copy.limit";

    private static final long KEPT_FREE = 1L << 30;
    /** The number of bytes that may be copied even if they leave less than {@link #KEPT_FREE}. */
    private static final long ALWAYS = 64L << 20;

    private PrivateCopy(FileChannel channel) {
        super(channel);
    }

    /** Copies some bytes and then the rest of a stream; fails beyond the limit. */
    static PrivateCopy of(String name, byte[] start, InputStream rest) {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return of(name, folder, limit(folder), start, rest);
        } catch (IOException e) {
            throw DataException.in(
                    name,
                    "must be read twice, and cannot be copied to the folder for temporary files (" + folder + "): "
                            + e.getMessage(),
                    e);
        }
    }

    public static PrivateCopy of(String name, Path folder, long limit, byte[] start, InputStream rest)
            throws IOException {
        // Only the owner may read it, if the file system has permissions.
        Path file = Files.createTempFile(folder, "bochner-", ".data");
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        if (Files.exists(file)) {
            file.toFile().deleteOnExit();
        }
        try {
            long size = write(channel, 0, start, start.length, name, folder, limit);
            byte[] buffer = new byte[1 << 16];
            for (int got = rest.read(buffer); got >= 0; got = rest.read(buffer)) {
                size = write(channel, size, buffer, got, name, folder, limit);
            }
            return new PrivateCopy(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static long write(
            FileChannel channel, long at, byte[] bytes, int count, String name, Path folder, long limit)
            throws IOException {
        if (count > limit - at) {
            throw DataException.in(
                    name,
                    "is too long to be copied: it must be read twice, and its copy in " + folder + " may have " + limit
                            + " bytes",
                    Remedy.advice("save it to a file first and read the file"),
                    Remedy.set(Setting.COPY_LIMIT, "allows a longer copy"));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
        long end = at;
        while (buffer.hasRemaining()) {
            end += channel.write(buffer, end);
        }
        return end;
    }

    /**
     * Returns the largest number of bytes of a copy: the value of the property, else half of the free space, leaving 1
     * GiB free.
     */
    private static long limit(Path folder) throws IOException {
        String asked = System.getProperty(LIMIT);
        return asked == null ? limit(Files.getFileStore(folder).getUsableSpace()) : parse(asked);
    }

    public static long limit(long free) {
        return Math.min(free / 2, Math.max(ALWAYS, free - KEPT_FREE));
    }

    private static long parse(String asked) {
        try {
            long limit = Long.parseLong(asked.strip());
            if (limit >= 0) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Fails below, like a negative number.
        }
        throw new BochnerException(LIMIT + ": must be a number of bytes, 0 or more; got '" + asked + "'");
    }

    /** Does nothing: other streams may still be open. */
    @Override
    public void close() {}

    /** Opens a stream with its own position. */
    public InputStream open() {
        return new Reading();
    }

    private final class Reading extends ByteStream {
        private long position;

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int got = length == 0 ? 0 : PrivateCopy.this.read(to, offset, length, position);
            position += Math.max(0, got);
            return got;
        }
    }
}
