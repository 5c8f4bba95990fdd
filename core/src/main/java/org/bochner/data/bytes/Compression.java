package org.bochner.data.bytes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of compressed files, told by their first bytes. All but gzip are unpacked by libraries that users of core may
 * leave out; each is touched only when a file of its kind is opened.
 */
public enum Compression {
    GZIP("gzip", "the JDK") {
        @Override
        boolean begins(byte[] head) {
            return matches(head, 2, 0x1f, 0x8b);
        }

        @Override
        InputStream open(InputStream in) {
            return new GzipStream(in);
        }
    },
    BZIP2("bzip2", "org.apache.commons:commons-compress") {
        @Override
        boolean begins(byte[] head) {
            // Text may start with BZh, but not with the mark of a block, or of the end of an empty file, behind the
            // level.
            return head.length >= 4
                    && head[3] >= '1'
                    && head[3] <= '9'
                    && (matches(head, 4, 'B', 'Z', 'h', head[3], 0x31, 0x41, 0x59, 0x26, 0x53, 0x59)
                            || matches(head, 4, 'B', 'Z', 'h', head[3], 0x17, 0x72, 0x45, 0x38, 0x50, 0x90));
        }

        @Override
        InputStream open(InputStream in) throws IOException {
            return Unpackers.bzip2(in);
        }
    },
    XZ("xz", "org.tukaani:xz") {
        @Override
        boolean begins(byte[] head) {
            return matches(head, 3, 0xfd, '7', 'z', 'X', 'Z', 0);
        }

        @Override
        InputStream open(InputStream in) throws IOException {
            return Unpackers.xz(in);
        }
    },
    ZSTD("zstd", "com.github.luben:zstd-jni") {
        @Override
        boolean begins(byte[] head) {
            boolean skipped = head.length >= 4 && matches(head, 4, 0x50 | (head[0] & 0x0f), 0x2a, 0x4d, 0x18);
            return skipped || matches(head, 3, 0x28, 0xb5, 0x2f, 0xfd);
        }

        @Override
        InputStream open(InputStream in) {
            return Unpackers.zstd(in);
        }
    };

    /** How many bytes tell all kinds. */
    static final int HEAD = 10;

    private final String kind;
    private final String artifact;

    Compression(String kind, String artifact) {
        this.kind = kind;
        this.artifact = artifact;
    }

    abstract boolean begins(byte[] head);

    abstract InputStream open(InputStream in) throws IOException;

    /** Whether the bytes begin with a mark; of a file that is shorter than the mark, a few suffice. */
    private static boolean matches(byte[] head, int atLeast, int... mark) {
        for (int i = 0; i < Math.min(head.length, mark.length); i++) {
            if ((head[i] & 0xff) != mark[i]) {
                return false;
            }
        }
        return head.length >= atLeast;
    }

    /** The kind of a file that begins so; null where it is not compressed. */
    public static @Nullable Compression of(byte[] head) {
        for (Compression compression : values()) {
            if (compression.begins(head)) {
                return compression;
            }
        }
        return null;
    }

    /**
     * Unpacks a file.
     *
     * @param in the file, whose own failures are left as they are
     */
    InputStream unpack(Source in) {
        return this == GZIP ? new GzipStream(in) : new Guarded(in);
    }

    /** A file that knows how much of it was read and whether reading failed. */
    abstract static class Source extends ByteStream {
        abstract long count();

        abstract @Nullable IOException failure();
    }

    /** Turns whatever a library throws at damaged bytes into one kind of failure. */
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
                    // Not before the first read, so that a damaged header is met here too.
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
                throw source.failure() == null ? damaged(String.valueOf(e.getMessage())) : e;
            } catch (RuntimeException e) {
                // The libraries index tables with what a damaged file holds.
                throw damaged("the data cannot be unpacked (" + e.getClass().getSimpleName() + ")");
            } catch (LinkageError e) {
                throw new PackedInputException(
                        "reading " + kind + " files needs the library " + artifact
                                + ", which is not on the class path; add it, or unpack the file first",
                        e);
            }
        }

        private PackedInputException damaged(@Nullable String why) {
            return PackedInputException.damaged(
                    kind,
                    "within the first " + source.count() + " bytes: "
                            + (why == null || why.equals("null") ? "the file is cut off" : why));
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
