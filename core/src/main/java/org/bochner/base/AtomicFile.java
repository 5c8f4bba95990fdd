package org.bochner.base;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A file that appears whole or not at all: it is written under a temporary name in the target's folder and renamed by
 * {@link #commit}. Closing without a commit removes it.
 *
 * <p>If the target is a symbolic link, the file that it leads to is replaced and the link stays. A link that leads to no
 * file is refused. A hard link is replaced by a new file; the other names of the old file keep the old content.
 */
public final class AtomicFile implements AutoCloseable {
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
        if (name.isEmpty() || Files.isDirectory(target)) {
            throw DataException.in(name, "is a folder, so no file of that name can be written");
        }
        requireTarget(target);
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw DataException.in(name, "is a device or pipe, which cannot be replaced by a file");
        }
        if (Files.exists(target) && !Files.isWritable(target)) {
            throw DataException.in(name, "cannot be written: the file that is there is protected");
        }
        Path folder = target.toAbsolutePath().getParent();
        if (folder != null && !Files.exists(folder)) {
            throw DataException.in(name, "cannot be written: the folder " + folder + " does not exist");
        }
        try {
            // A link stays a link: what it points to is replaced.
            Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
            // Not Files.createTempFile, whose files no one else may read.
            Path temporary =
                    real.resolveSibling("." + real.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
            return new AtomicFile(real, temporary, Unfinished.create(temporary));
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }

    /** Fails, leaving nothing behind, where the target could not be written. */
    public static void checkWritable(Path target) {
        try {
            create(target).close();
        } catch (IOException e) {
            throw unwritable(target.toString(), e);
        }
    }

    /**
     * Runs a task when the process is told to end, before unfinished files are removed: it may wait for one that is still
     * to be written. Returns what takes the task back.
     */
    public static Runnable beforeEnd(Runnable task) {
        return Unfinished.beforeEnd(task);
    }

    /** The failure to write a file, with the reason that the system gave. */
    public static DataException unwritable(String name, IOException e) {
        String why = e instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : e instanceof FileSystemException ? "no such folder, or no permission" : e.getMessage();
        return DataException.in(name, "cannot be written: " + why, e);
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
        Unfinished.name(temporary, target);
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            channel.close();
            Unfinished.remove(temporary);
        }
    }

    /**
     * The temporary files there are, which a process that is told to end removes. Once it has, no more are made: other
     * threads go on for a moment while it ends. {@link java.io.File#deleteOnExit} would leave a file made in that moment,
     * and would remember the names of all files ever written.
     */
    private static final class Unfinished {
        private static final Set<Path> FILES = new HashSet<>();
        private static final List<Runnable> TASKS = new ArrayList<>();
        private static boolean ending;

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(Unfinished::end, "bochner-unfinished-files"));
        }

        static Runnable beforeEnd(Runnable task) {
            synchronized (FILES) {
                TASKS.add(task);
            }
            return () -> {
                synchronized (FILES) {
                    TASKS.remove(task);
                }
            };
        }

        static FileChannel create(Path temporary) throws IOException {
            synchronized (FILES) {
                requireTime();
                FileChannel channel =
                        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                FILES.add(temporary);
                return channel;
            }
        }

        static void name(Path temporary, Path target) throws IOException {
            synchronized (FILES) {
                requireTime();
                try {
                    Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
                } catch (AtomicMoveNotSupportedException e) {
                    Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
                }
                FILES.remove(temporary);
            }
        }

        static void remove(Path temporary) throws IOException {
            synchronized (FILES) {
                Files.deleteIfExists(temporary);
                FILES.remove(temporary);
            }
        }

        private static void requireTime() throws IOException {
            if (ending) {
                throw new IOException("the process is ending");
            }
        }

        private static void end() {
            List<Runnable> tasks;
            synchronized (FILES) {
                tasks = List.copyOf(TASKS);
            }
            tasks.forEach(Runnable::run);
            synchronized (FILES) {
                ending = true;
                for (Path temporary : FILES) {
                    try {
                        Files.deleteIfExists(temporary);
                    } catch (IOException e) {
                        // The process ends, and nobody is left to be told.
                    }
                }
            }
        }
    }

    /**
     * Fails if the path is a symbolic link that leads to no file: its target does not exist, or the link leads back to
     * itself. Without this check, reading would say only that there is no such file, and writing would replace the link.
     *
     * @throws DataException if the path is such a link
     */
    public static void requireTarget(Path path) {
        if (!Files.isSymbolicLink(path) || Files.exists(path)) {
            return;
        }
        Set<Path> seen = new HashSet<>();
        Path at = path.toAbsolutePath();
        try {
            while (Files.isSymbolicLink(at)) {
                if (!seen.add(at)) {
                    throw DataException.in(path.toString(), "is a symbolic link that leads back to itself");
                }
                at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
            }
        } catch (IOException e) {
            throw DataException.in(path.toString(), "is a symbolic link that cannot be followed", e);
        }
        throw DataException.in(path.toString(), "is a symbolic link to " + at + ", which does not exist");
    }
}
