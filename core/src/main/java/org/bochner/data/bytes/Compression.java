package org.bochner.data.bytes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The formats of compressed files, recognised by their first bytes. All but gzip are unpacked by optional libraries;
 * each is loaded only when a file of its format is opened.
 */
public enum Compression {
    GZIP("gzip", "the JDK"),
    BZIP2("bzip2", "org.apache.commons:commons-compress"),
    XZ("xz", "org.tukaani:xz"),
    ZSTD("zstd", "com.github.luben:zstd-jni");

    /** The number of bytes that identify every format. */
    static final int HEAD = 10;

    private final String kind;
    private final String artifact;

    Compression(String kind, String artifact) {
        this.kind = kind;
        this.artifact = artifact;
    }

    private boolean begins(byte[] head) {
        return switch (this) {
            case GZIP -> matches(head, 2, 0x1f, 0x8b);
            case BZIP2 -> isBzip2(head);
            case XZ -> matches(head, 3, 0xfd, '7', 'z', 'X', 'Z', 0);
            case ZSTD -> isZstd(head);
        };
    }

    private InputStream open(InputStream in) throws IOException {
        return switch (this) {
            case GZIP -> new GzipStream(in);
            case BZIP2 -> Unpackers.bzip2(in);
            case XZ -> Unpackers.xz(in);
            case ZSTD -> Unpackers.zstd(in);
        };
    }

    private static boolean isBzip2(byte[] head) {
        // Text may start with BZh, but not with the mark of a block, or of the end of an empty file, after the level.
        return head.length >= 4
                && head[3] >= '1'
                && head[3] <= '9'
                && (matches(head, 4, 'B', 'Z', 'h', head[3], 0x31, 0x41, 0x59, 0x26, 0x53, 0x59)
                        || matches(head, 4, 'B', 'Z', 'h', head[3], 0x17, 0x72, 0x45, 0x38, 0x50, 0x90));
    }

    private static boolean isZstd(byte[] head) {
        boolean skipped = head.length >= 4 && matches(head, 4, 0x50 | (head[0] & 0x0f), 0x2a, 0x4d, 0x18);
        return skipped || matches(head, 3, 0x28, 0xb5, 0x2f, 0xfd);
    }

    /**
     * Returns true if the bytes start with a mark; a file that is shorter than the mark needs only its first {@code
     * atLeast} bytes.
     */
    private static boolean matches(byte[] head, int atLeast, int... mark) {
        for (int i = 0; i < Math.min(head.length, mark.length); i++) {
            if ((head[i] & 0xff) != mark[i]) {
                return false;
            }
        }
        return head.length >= atLeast;
    }

    /** Returns the format of a file with these first bytes; null if it is not compressed. */
    public static @Nullable Compression of(byte[] head) {
        return Arrays.stream(values())
                .filter(compression -> compression.begins(head))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns where a library is missing, and what to do.
     *
     * @param modules true if this library is a module, which does not require the optional libraries
     */
    public static String where(boolean modules) {
        return modules
                ? "among the loaded modules; put it on the module path and start Java with --add-modules"
                        + " ALL-MODULE-PATH"
                : "on the class path; add it";
    }

    /**
     * Returns the unpacked bytes of a file.
     *
     * @param in the file; its own failures are passed on unchanged
     */
    InputStream unpack(Source in) {
        return this == GZIP ? new GzipStream(in) : new Guarded(in);
    }

    /** A stream of a file that knows how much of it was read and whether reading failed. */
    abstract static class Source extends ByteStream {
        abstract long count();

        abstract @Nullable IOException failure();
    }

    /** Converts all exceptions of a library on damaged bytes to one kind of failure. */
    private final class Guarded extends ByteStream {
        private final Source source;
        private final BufferedInputStream buffered;
        private @Nullable InputStream unpacked;

        Guarded(Source source) {
            this.source = source;
            this.buffered = new BufferedInputStream(source, 1 << 16);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            try {
                InputStream stream = unpacked;
                if (stream == null) {
                    // Opened at the first read, so that a damaged header fails here too.
                    stream = Compression.this.open(buffered);
                    unpacked = stream;
                }
                int got = stream.read(to, offset, length);
                if (got < 0 && buffered.read() >= 0) {
                    throw damaged("other bytes follow the end");
                }
                return got;
            } catch (PackedInputException e) {
                throw e;
            } catch (IOException e) {
                throw source.failure() == null ? damaged(e.getMessage()) : e;
            } catch (RuntimeException e) {
                // The libraries use values of a damaged file as array indices.
                throw damaged("the data cannot be unpacked (" + e.getClass().getSimpleName() + ")");
            } catch (LinkageError e) {
                throw new PackedInputException(
                        "reading " + kind + " files needs the library " + artifact + ", which is not "
                                + where(Compression.class.getModule().isNamed())
                                + ", or unpack the file first",
                        e);
            }
        }

        private PackedInputException damaged(@Nullable String why) {
            return PackedInputException.damaged(
                    kind,
                    "within the first " + source.count() + " bytes: " + (why == null ? "the file is cut off" : why));
        }

        @Override
        public void close() throws IOException {
            try {
                if (unpacked != null) {
                    unpacked.close();
                }
            } finally {
                source.close();
            }
        }
    }
}
