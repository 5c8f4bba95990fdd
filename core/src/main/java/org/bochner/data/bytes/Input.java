package org.bochner.data.bytes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.jspecify.annotations.Nullable;

/**
 * The source of the bytes of one file. A regular file can be opened several times; the standard input and pipes only
 * once, unless they are first copied to a temporary file. Threads: safe.
 */
public final class Input {
    /** The path that means the standard input. */
    public static final String STANDARD_INPUT = "-";

    /** Opens a stream at the first byte, or bytes for reading at any position. */
    public interface Opener<T> {
        T open() throws IOException;
    }

    private final String name;
    private final String fileName;
    private final Readings readings = new Readings();
    private final Readings rowReadings = new Readings();
    /** True if the bytes must be copied before they are read for the first time. */
    private final boolean copied;

    private Opener<InputStream> opener;
    private @Nullable Opener<RandomBytes> random;
    private long size;
    private boolean once;
    private @Nullable Recorder recorder;
    private @Nullable Charset charset;
    private @Nullable ByteFeed waiting;
    private boolean taken;
    /** The unpacked bytes of a compressed file, after it had to be read out of order. */
    private @Nullable PrivateCopy unpacked;

    private Input(
            String name,
            String fileName,
            Opener<InputStream> opener,
            @Nullable Opener<RandomBytes> random,
            long size,
            boolean once,
            boolean copied) {
        this.name = name;
        this.fileName = fileName;
        this.opener = opener;
        this.random = random;
        this.size = size;
        this.once = once;
        this.copied = once && copied;
    }

    /**
     * Creates the input of a file that will be read several times. An input that can be read only once is copied to a
     * temporary file, but only after its first bytes were found to be of a known format.
     */
    public static Input repeatable(String path) {
        return of(path, true);
    }

    /** Creates the input of a file that will be read once, from start to end. */
    public static Input once(String path) {
        return of(path, false);
    }

    private static Input of(String path, boolean copied) {
        if (path.equals(STANDARD_INPUT)) {
            return stream("stdin", System.in, copied);
        }
        try {
            Path file = Path.of(path);
            if (Files.isDirectory(file)) {
                throw DataException.in(path, "is a folder, not a data file");
            }
            if (!Files.exists(file)) {
                throw DataException.in(path, "no such file");
            }
            Path last = file.getFileName();
            // A pipe has no size and can be read once.
            long size = Files.isRegularFile(file) ? Files.size(file) : -1;
            String fileName = last == null ? path : last.toString();
            Opener<RandomBytes> random = () -> new RandomBytes(FileChannel.open(file)) {};
            return new Input(path, fileName, () -> Files.newInputStream(file), random, size, size < 0, copied);
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** Creates the input of a stream, which can be read once unless it is copied. */
    public static Input stream(String name, InputStream in, boolean copied) {
        return new Input(name, name, () -> in, null, -1, true, copied);
    }

    /** Creates the input of a part of another file, which is unpacked from its start for each pass. */
    public static Input packed(String name, String fileName, Opener<InputStream> opener) {
        return new Input(name, fileName, opener, null, -1, false, false);
    }

    /** Returns the path that the user gave. */
    public String name() {
        return name;
    }

    /** Returns a failure of the whole file. */
    public DataException problem(String problem, Remedy... remedies) {
        return DataException.in(name, problem, remedies);
    }

    /** Returns the name of the file without its folder. */
    public String fileName() {
        return fileName;
    }

    /** Sets the character encoding of text; feeds that are opened later convert it to UTF-8. */
    public void decode(Charset other) {
        charset = other;
        if (waiting != null) {
            waiting.decode(other);
        }
    }

    /** Opens a feed at the first byte. */
    public synchronized ByteFeed open(@Nullable MessageDigest digest) {
        if (copied && once) {
            copy();
        }
        if (!once) {
            return start(digest);
        }
        ByteFeed feed = waiting;
        if (taken) {
            throw DataException.in(name, "can be read only once; save it to a file first");
        }
        taken = true;
        waiting = null;
        return feed == null ? start(digest) : feed;
    }

    /** Returns the first bytes, at least {@code atLeast} unless the file is shorter; they will be read again. */
    public synchronized Head head(int atLeast) {
        if (!once) {
            try (ByteFeed feed = start(null)) {
                return feed.head(atLeast);
            }
        }
        if (waiting == null && !taken) {
            waiting = start(null);
        }
        ByteFeed feed = waiting;
        if (feed == null) {
            throw DataException.in(name, "can be read only once; save it to a file first");
        }
        return feed.head(atLeast);
    }

    /** Copies the inspected bytes and the rest of the stream; later passes read the copy. */
    private void copy() {
        try (InputStream in = recorder == null ? opener.open() : recorder.in) {
            PrivateCopy copy = PrivateCopy.of(name, recorder == null ? new byte[0] : recorder.seen.toByteArray(), in);
            opener = copy::open;
            random = () -> copy;
            size = copy.size();
            once = false;
            recorder = null;
            waiting = null;
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private ByteFeed start(@Nullable MessageDigest digest) {
        try {
            InputStream in = opener.open();
            if (copied && once) {
                recorder = new Recorder(in);
                in = recorder;
            }
            ByteFeed feed = new ByteFeed(name, in, size, once ? new Readings() : readings, digest);
            if (charset != null) {
                feed.decode(charset);
            }
            return feed;
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    /** Opens a feed of the bytes of this file in another order, which must be equal in every pass. */
    public ByteFeed reordered(InputStream stream, long length) {
        return new ByteFeed(name, stream, length, rowReadings);
    }

    /**
     * Opens the unpacked bytes for reading at any position.
     *
     * @param disk a feed of this file, positioned after the header
     */
    public synchronized RandomBytes random(ByteFeed disk) throws IOException {
        if (random != null && !disk.packed()) {
            return random.open();
        }
        if (unpacked == null) {
            disk.position = 0;
            unpacked = PrivateCopy.of(name, new byte[0], disk.rest());
        }
        return unpacked;
    }

    public static DataException unreadable(String name, IOException e) {
        String why;
        if (e instanceof NoSuchFileException) {
            why = "no such file";
        } else if (e instanceof PackedInputException) {
            why = String.valueOf(e.getMessage());
        } else if (e instanceof FileSystemException system) {
            why = "cannot be read: " + (system.getReason() == null ? "permission denied" : system.getReason());
        } else {
            why = "cannot be read: " + e.getMessage();
        }
        return DataException.in(name, why, e);
    }

    /** A stream that keeps the bytes that were read, so that they can be copied later. */
    private static final class Recorder extends ByteStream {
        private final InputStream in;
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

        Recorder(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int got = in.read(to, offset, length);
            if (got > 0) {
                seen.write(to, offset, got);
            }
            return got;
        }
    }

    /** The first bytes of a file, and whether they are the whole file. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Head(byte[] bytes, boolean complete) {}
}
