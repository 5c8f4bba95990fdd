package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.jspecify.annotations.Nullable;

/**
 * A window on the bytes of one file, which is unpacked if it is compressed. Readers access {@link #bytes} between
 * {@link #position} and {@link #limit} directly, because a method call per byte would cost more than the parsing.
 *
 * <p>There is always a line end at {@code bytes[limit]}, so loops that stop at a line end need no other check.
 */
public final class ByteFeed implements AutoCloseable {
    /** The initial size of the window; it fits into the second-level cache, and larger windows were not faster. */
    private static final int CAPACITY = 1 << 18;
    /** The longest record in bytes. A longer one is refused as a mistake, such as an open quote or a binary file. */
    public static final int LONGEST_RECORD = 1 << 27;
    /** The number of bytes that are searched to find how lines end. */
    private static final int LINE_END_LOOK = 1 << 16;

    public byte[] bytes;
    public int position;
    public int limit;

    private final String name;
    private final long size;
    private final Counter raw;
    private InputStream in;
    private boolean packed;
    private final @Nullable Readings readings;
    private boolean ended;
    /** The number of bytes of the file before {@code bytes[0]}. */
    private long dropped;
    /** True if lines end in carriage returns, which are replaced by line feeds when they are read. */
    private boolean carriageReturns;

    /**
     * Creates a feed of a stream, which {@link #close} closes.
     *
     * @param size the number of bytes of the stream, for {@link #progress}; -1 if it is not known
     * @param readings is called when all bytes were read, and fails if they differ from those of an earlier pass
     * @param digest receives the bytes as they are on disk
     */
    ByteFeed(String name, InputStream stream, long size, Readings readings, @Nullable MessageDigest digest)
            throws IOException {
        this(name, new Counter(stream, digest), size, readings, new byte[window(size) + 1], 0);
        try {
            raw.look(Compression.HEAD);
            Compression compression = Compression.of(raw.start);
            packed = compression != null;
            in = compression == null ? raw : compression.unpack(raw);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Creates a feed of bytes that are not unpacked, even if they look compressed. */
    public ByteFeed(String name, InputStream plain, long size, Readings readings) {
        this(name, new Counter(plain, null), size, readings, new byte[CAPACITY + 1], 0);
    }

    /** Creates a feed of the first bytes of a file, as {@link #head} returned them. */
    public ByteFeed(String name, byte[] head) {
        this(
                name,
                new Counter(InputStream.nullInputStream(), null),
                -1,
                null,
                Arrays.copyOf(head, head.length + 1),
                head.length);
        ended = true;
    }

    private ByteFeed(String name, Counter raw, long size, @Nullable Readings readings, byte[] bytes, int limit) {
        this.name = name;
        this.raw = raw;
        this.in = raw;
        this.size = size;
        this.readings = readings;
        this.bytes = bytes;
        this.limit = limit;
        bytes[limit] = '\n';
    }

    private static int window(long size) {
        return size < 0 ? CAPACITY : (int) Math.max(1 << 10, Math.min(CAPACITY, 4 * size));
    }

    public String name() {
        return name;
    }

    /** Returns the offset in the unpacked file, from 0, of an index of {@link #bytes}. */
    public long offset(int index) {
        return dropped + index;
    }

    /** Converts the bytes from the position on from a character encoding to UTF-8. */
    void decode(Charset charset) {
        in = new Transcoder(name, Arrays.copyOfRange(bytes, position, limit), in, charset);
        position = 0;
        limit = 0;
        ended = false;
        bytes[0] = '\n';
    }

    /** Returns true if the file is compressed. */
    boolean packed() {
        return packed;
    }

    /** Returns the unpacked bytes from the position on as a stream. */
    InputStream rest() {
        return new ByteStream() {
            @Override
            public int read(byte[] to, int offset, int length) {
                if (length > 0 && !has(1, 1)) {
                    return -1;
                }
                int count = Math.min(length, limit - position);
                System.arraycopy(bytes, position, to, offset, count);
                position += count;
                return count;
            }
        };
    }

    /** Drops the bytes before the position and reads more; returns false at the end of the file. */
    public boolean more(long line) {
        if (ended) {
            return false;
        }
        if (position > 0) {
            System.arraycopy(bytes, position, bytes, 0, limit - position);
            limit -= position;
            dropped += position;
            position = 0;
        }
        if (limit == bytes.length - 1) {
            if (limit >= LONGEST_RECORD) {
                throw DataException.at(
                        name,
                        line,
                        "no end of row within " + (LONGEST_RECORD >> 20)
                                + " MiB; is a quote not closed, or this not a text file?");
            }
            bytes = Arrays.copyOf(bytes, 2 * limit + 1);
        }
        int got = read();
        ended = got < 0;
        if (carriageReturns) {
            endLines(limit, limit + Math.max(0, got));
        }
        limit += Math.max(0, got);
        bytes[limit] = '\n';
        if (ended && readings != null) {
            readings.complete(name, drain(), raw.checksum.getValue());
        }
        return !ended;
    }

    private int read() {
        try {
            return in.read(bytes, limit, bytes.length - 1 - limit);
        } catch (IOException e) {
            throw Input.unreadable(name, e);
        }
    }

    /** Reads until {@code count} bytes follow the position; returns false if the file ends before. */
    public boolean has(int count, long row) {
        while (limit - position < count) {
            if (!more(row)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first bytes; only before any were consumed. */
    Input.Head head(int atLeast) {
        boolean complete = !has(atLeast, 1);
        return new Input.Head(Arrays.copyOf(bytes, limit), complete);
    }

    /**
     * Starts reading text: skips a UTF-8 byte order mark, refuses a UTF-16 one, and finds whether lines end in carriage
     * returns alone.
     */
    public void startText() {
        skipByteOrderMark();
        if (endsInCarriageReturns()) {
            carriageReturns = true;
            endLines(position, limit);
        }
    }

    /**
     * Returns true if lines end in CR without LF: the first {@link #LINE_END_LOOK} bytes, or more if the first line end
     * comes later, have a CR that another byte follows, and no LF. The answer depends on these bytes alone, so it is
     * equal for the head of a file and the whole file.
     */
    private boolean endsInCarriageReturns() {
        boolean found = false;
        int seen = 0;
        while ((seen < LINE_END_LOOK || !found) && has(seen + 1, 1)) {
            int stop = found ? Math.min(limit - position, LINE_END_LOOK) : limit - position;
            while (seen < stop) {
                byte c = bytes[position + seen++];
                if (c == '\n') {
                    return false;
                }
                if (c == '\r' && has(seen + 1, 1)) {
                    if (bytes[position + seen] == '\n') {
                        return false;
                    }
                    found = true;
                    stop = Math.min(stop, Math.max(seen, LINE_END_LOOK));
                }
            }
        }
        return found;
    }

    private void endLines(int from, int to) {
        for (int i = from; i < to; i++) {
            bytes[i] = bytes[i] == '\r' ? (byte) '\n' : bytes[i];
        }
    }

    public void skipByteOrderMark() {
        if (has(2, 1)) {
            int first = bytes[position] & 0xff;
            int second = bytes[position + 1] & 0xff;
            if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff)) {
                throw DataException.in(name, "is UTF-16 text", Remedy.set(Setting.CHARSET, "UTF-16", "reads it"));
            }
            if (first == 0xef && second == 0xbb && has(3, 1) && bytes[position + 2] == (byte) 0xbf) {
                position += 3;
            }
        }
    }

    /** Reads the rest of the file as it is on disk, so that a digest covers all of it; returns the size of the file. */
    public long drain() {
        try {
            byte[] rest = new byte[1 << 13];
            while (raw.read(rest, 0, rest.length) >= 0) {}
            return raw.count;
        } catch (IOException e) {
            throw Input.unreadable(name, e);
        }
    }

    /** Returns the fraction of the file on disk that has been read, from 0 to 1; NaN if the size is not known. */
    public double progress() {
        return size > 0 ? Math.min(1, (double) raw.count / size) : Double.NaN;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw Input.unreadable(name, e);
        }
    }

    /** A stream that counts the bytes of another one and computes their checksum and digest. */
    private static final class Counter extends Compression.Source {
        private final InputStream in;
        private final @Nullable MessageDigest digest;
        private final CRC32C checksum = new CRC32C();
        /** The first bytes, which were inspected in advance, and how many of them were read since. */
        private byte[] start = new byte[0];

        private int used;
        private long count;
        private @Nullable IOException failure;

        Counter(InputStream in, @Nullable MessageDigest digest) {
            this.in = in;
            this.digest = digest;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int got;
            if (used < start.length) {
                got = Math.min(length, start.length - used);
                System.arraycopy(start, used, to, offset, got);
                used += got;
            } else {
                try {
                    got = in.read(to, offset, length);
                } catch (IOException e) {
                    failure = e;
                    throw e;
                }
            }
            if (got > 0) {
                count += got;
                checksum.update(to, offset, got);
                if (digest != null) {
                    digest.update(to, offset, got);
                }
            }
            return got;
        }

        /** Reads the first bytes in advance; they will be read again. */
        void look(int atMost) throws IOException {
            start = in.readNBytes(atMost);
        }

        @Override
        long count() {
            return count;
        }

        @Override
        @Nullable
        IOException failure() {
            return failure;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
