package org.bochner.base;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that appears whole or not at all: it is written under a temporary name in the target's folder and renamed by
 * {@link #commit}. Closing without a commit removes it, and so does the end of the process.
 */
public final class AtomicFile implements AutoCloseable {
    /** What is being written; removed when the process is ended from outside, as by Ctrl-C. */
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> UNFINISHED.forEach(AtomicFile::deleteQuietly)));
    }

    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final OutputStream stream;
    private boolean committed;

    private AtomicFile(Path target, Path temporary, FileChannel channel) {
        this.target = target;
        this.temporary = temporary;
        this.channel = channel;
        stream = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    /** Creates the temporary file; fails at once where the target could not be written. */
    public static AtomicFile create(Path target) {
        String name = target.toString();
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            // Renaming would replace a device or a pipe, such as /dev/null, by a file.
            throw DataException.in(
                    name,
                    Files.isDirectory(target)
                            ? "is a folder; give the name of a file"
                            : "exists and is not a regular file");
        }
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw DataException.in(name, "exists and cannot be overwritten: permission denied");
        }
        try {
            // A link stays a link: what it points to is replaced.
            Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
            Path folder = real.getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw DataException.in(name, "cannot be written: the folder " + folder + " does not exist");
            }
            Path temporary = folder.resolve("." + real.getFileName() + "." + UUID.randomUUID() + ".tmp");
            FileChannel channel = FileChannel.open(
                    temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
            UNFINISHED.add(temporary);
            return new AtomicFile(real, temporary, channel);
        } catch (IOException e) {
            throw DataException.in(name, "cannot be written: " + reason(e), e);
        }
    }

    /** Fails, leaving nothing behind, where the target could not be written. */
    public static void checkWritable(Path target) {
        try {
            create(target).close();
        } catch (IOException e) {
            throw DataException.in(target.toString(), "cannot be written: " + reason(e), e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException system) {
            return system.getReason() == null ? "no file can be made there" : system.getReason();
        }
        return String.valueOf(e.getMessage());
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The process is ending, and nobody is left to be told.
        }
    }

    /** Where to write. */
    public OutputStream stream() {
        return stream;
    }

    /** For whoever must go back, to fill in a header; flush the stream first. */
    public FileChannel channel() {
        return channel;
    }

    /** Writes everything through to the disk and gives the file its name. */
    public void commit() throws IOException {
        stream.flush();
        channel.force(true);
        stream.close();
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
        }
        committed = true;
        UNFINISHED.remove(temporary);
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            channel.close();
            Files.deleteIfExists(temporary);
            UNFINISHED.remove(temporary);
        }
    }
}
