package org.bochner.data;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of one file come from. A regular file can be opened again and again; the standard input and pipes
 * only once, unless they were first copied to a temporary file.
 */
final class Input {
    /** What {@link DataOptions} calls the standard input. */
    static final String STANDARD_INPUT = "-";

    /** Starts a stream at the first byte. */
    private interface Opener {
        InputStream open() throws IOException;
    }

    private final String name;
    private final String fileName;
    private final Opener opener;
    private final long size;
    private final boolean once;
    private final Readings readings = new Readings();
    private @Nullable ByteFeed waiting;
    private boolean taken;

    private Input(String name, String fileName, Opener opener, long size) {
        this.name = name;
        this.fileName = fileName;
        this.opener = opener;
        this.size = size;
        this.once = size < 0;
    }

    /** A file that will be read several times: what can be read only once is copied to a temporary file. */
    static Input repeatable(String path) {
        Input input = once(path);
        if (!input.once) {
            return input;
        }
        try (InputStream in = input.opener.open()) {
            Path copy = Files.createTempFile("bochner-", ".data");
            copy.toFile().deleteOnExit();
            long size = Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            return new Input(input.name, input.fileName, () -> Files.newInputStream(copy), size);
        } catch (IOException e) {
            throw DataException.in(
                    input.name,
                    "must be read twice, and cannot be copied to the folder for temporary files ("
                            + System.getProperty("java.io.tmpdir") + "): " + e.getMessage(),
                    e);
        }
    }

    /** A file that will be read from start to end once. */
    static Input once(String path) {
        if (path.equals(STANDARD_INPUT)) {
            return new Input("stdin", "stdin", () -> System.in, -1);
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
            // A pipe has no size, and gives its bytes once.
            long size = Files.isRegularFile(file) ? Files.size(file) : -1;
            return new Input(path, last == null ? path : last.toString(), () -> Files.newInputStream(file), size);
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** Bytes in memory that are read as a file of the name would be. */
    static Input memory(String name, byte[] bytes) {
        return new Input(name, name, () -> new ByteArrayInputStream(bytes), bytes.length);
    }

    /** The name as the user gave it. */
    String name() {
        return name;
    }

    /** The name without its folder. */
    String fileName() {
        return fileName;
    }

    /** Starts reading from the first byte. */
    ByteFeed open(@Nullable MessageDigest digest) {
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

    /** The first bytes, at least so many unless the file is shorter; they will be read again. */
    Head head(int atLeast) {
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

    private ByteFeed start(@Nullable MessageDigest digest) {
        try {
            return new ByteFeed(name, opener.open(), size, readings, digest);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    static DataException unreadable(String name, IOException e) {
        String why;
        if (e instanceof NoSuchFileException) {
            why = "no such file";
        } else if (e instanceof FileSystemException system) {
            why = "cannot be read: " + (system.getReason() == null ? "permission denied" : system.getReason());
        } else {
            why = "cannot be read: " + e.getMessage();
        }
        return DataException.in(name, why, e);
    }

    /** The first bytes of a file, and whether they are all of it. */
    static final class Head {
        final byte[] bytes;
        final boolean complete;

        Head(byte[] bytes, boolean complete) {
            this.bytes = bytes;
            this.complete = complete;
        }
    }
}
