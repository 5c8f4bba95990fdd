package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.bochner.base.memory.MemoryBudget;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.XZInputStream;

/** Calls of optional libraries. Each method links to one library when it is first called. */
public final class Unpackers {
    private Unpackers() {}

    static InputStream bzip2(InputStream in) throws IOException {
        return new BZip2CompressorInputStream(in, true);
    }

    static InputStream xz(InputStream in) throws IOException {
        return Xz.open(in);
    }

    static InputStream zstd(InputStream in) {
        return new ZstdStream(in);
    }

    /** A separate class, because its exception handler names a class of the library. */
    private static final class Xz {
        /** The memory that is always allowed; files of the highest preset, xz -9, take 65 MiB. */
        private static final long LEAST_MEMORY = 100L << 20;

        static InputStream open(InputStream in) throws IOException {
            // The header says how much memory is needed; it is not trusted with the whole heap.
            long most = Math.max(LEAST_MEMORY, MemoryBudget.spare().bytes());
            XZInputStream xz = new XZInputStream(in, (int) Math.min(Integer.MAX_VALUE, most >> 10));
            return new ByteStream() {
                @Override
                public int read(byte[] to, int offset, int length) throws IOException {
                    try {
                        return xz.read(to, offset, length);
                    } catch (MemoryLimitException e) {
                        throw new PackedInputException(
                                "the xz file needs " + (e.getMemoryNeeded() >> 10)
                                        + " MiB of memory to be unpacked, of which " + (most >> 20)
                                        + " MiB may be used; unpack it first, or give the JVM more memory (-Xmx)",
                                e);
                    }
                }

                @Override
                public void close() throws IOException {
                    xz.close();
                }
            };
        }
    }
}
