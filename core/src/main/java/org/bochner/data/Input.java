package org.bochner.data;

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

    private final String name;
    private final Path path;
    private final boolean once;
    private @Nullable ByteFeed waiting;
    private boolean taken;

    private Input(String name, Path path, boolean once) {
        this.name = name;
        this.path = path;
        this.once = once;
    }

    /** A file that will be read several times: what can be read only once is copied to a temporary file. */
    static Input repeatable(String path) {
        Input input = once(path);
        if (!input.once) {
            return input;
        }
        try (InputStream in = input.stream()) {
            Path copy = Files.createTempFile("bochner-", ".data");
            copy.toFile().deleteOnExit();
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            return new Input(input.name, copy, false);
        } catch (IOException e) {
            throw unreadable(input.name, e);
        }
    }

    /** A file that will be read from start to end once. */
    static Input once(String path) {
        if (path.equals(STANDARD_INPUT)) {
            return new Input("stdin", Path.of(path), true);
        }
        try {
            Path file = Path.of(path);
            if (Files.isDirectory(file)) {
                throw DataException.in(path, "is a folder, not a data file");
            }
            if (!Files.exists(file)) {
                throw DataException.in(path, "no such file");
            }
            return new Input(path, file, !Files.isRegularFile(file));
        } catch (InvalidPathException e) {
            throw DataException.in(path, "is no path: " + e.getMessage(), e);
        }
    }

    /** The name as the user gave it. */
    String name() {
        return name;
    }

    /** The name without its folder. */
    String fileName() {
        Path last = path.getFileName();
        return name.equals("stdin") || last == null ? name : last.toString();
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
            return new ByteFeed(name, stream(), once ? -1 : Files.size(path), digest);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private InputStream stream() throws IOException {
        return path.toString().equals(STANDARD_INPUT) ? System.in : Files.newInputStream(path);
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
