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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all: it is written under a temporary name in the target's folder and renamed by
 * {@link #commit}. Closing without a commit removes it.
 *
 * <p>If the target is a symbolic link, the file that it leads to is replaced and the link stays. A link that leads to no
 * file is refused. A hard link is replaced by a new file; the other names of the old file keep the old content.
 */
public final class AtomicFile implements AutoCloseable {
    /** The complete files of {@link #together} that wait for their names; null outside. */
    private static final ThreadLocal<@Nullable List<AtomicFile>> WAITING = new ThreadLocal<>();

    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final OutputStream stream;
    private boolean committed;
    private boolean named;

    private AtomicFile(Path target, Path temporary, FileChannel channel) {
        this.target = target;
        this.temporary = temporary;
        this.channel = channel;
        stream = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    /** Creates the temporary file; fails if the target cannot be written. */
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
            // A link stays a link: its target is replaced.
            Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
            // Not Files.createTempFile: only their owner may read such files.
            Path temporary =
                    real.resolveSibling("." + real.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
            return new AtomicFile(real, temporary, Unfinished.create(temporary));
        } catch (IOException e) {
            throw unwritable(name, e);
        }
    }

    /** Fails if the target cannot be written; leaves nothing behind. */
    public static void checkWritable(Path target) {
        try {
            create(target).close();
        } catch (IOException e) {
            throw unwritable(target.toString(), e);
        }
    }

    /**
     * Runs a task when the process is asked to end, before unfinished files are removed; the task may wait for a file that is
     * still being written.
     *
     * @return removes the task again
     */
    public static Runnable beforeEnd(Runnable task) {
        return Unfinished.beforeEnd(task);
    }

    /**
     * Writes several files that appear together: those that the task commits, on the thread of the caller, get their names
     * when the task has ended. If the task fails, none appears, and the files that were there stay as they are.
     *
     * @return the result of the task
     */
    public static <T> T together(Supplier<T> task) {
        if (WAITING.get() != null) {
            return task.get();
        }
        List<AtomicFile> waiting = new ArrayList<>();
        WAITING.set(waiting);
        try {
            T result = task.get();
            for (AtomicFile file : waiting) {
                file.name();
            }
            return result;
        } finally {
            WAITING.remove();
            for (AtomicFile file : waiting) {
                file.discard();
            }
        }
    }

    /** Writes several files that appear together, as {@link #together(Supplier)} does. */
    public static void together(Runnable task) {
        Object unused = together(() -> {
            task.run();
            return task;
        });
    }

    private void name() {
        try {
            Unfinished.name(temporary, target);
            named = true;
        } catch (IOException e) {
            throw unwritable(target.toString(), e);
        }
    }

    private void discard() {
        if (!named) {
            try {
                Unfinished.remove(temporary);
            } catch (IOException e) {
                throw unwritable(target.toString(), e);
            }
        }
    }

    /** Returns the failure to write a file, with the reason given by the system. */
    public static DataException unwritable(String name, IOException e) {
        String why = e instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : e instanceof FileSystemException ? "no such folder, or no permission" : e.getMessage();
        return DataException.in(name, "cannot be written: " + why, e);
    }

    /** Returns the stream to write to. */
    public OutputStream stream() {
        return stream;
    }

    /** Returns the channel, for writing a header at the end; flush the stream first. */
    public FileChannel channel() {
        return channel;
    }

    /** Writes everything to the disk and renames the file to the target, within {@link #together} at the end of its task. */
    public void commit() throws IOException {
        stream.flush();
        channel.force(true);
        stream.close();
        List<AtomicFile> waiting = WAITING.get();
        if (waiting == null) {
            Unfinished.name(temporary, target);
            named = true;
        } else {
            waiting.add(this);
        }
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
     * The temporary files of the process, which are removed when it is asked to end. Afterwards no more are created, although
     * other threads still run for a moment. {@link java.io.File#deleteOnExit} would leave a file created in that moment, and
     * would remember the names of all files ever written.
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
                        // The process ends, so the failure cannot be reported.
                    }
                }
            }
        }
    }

    /**
     * Fails if the path is a symbolic link that leads to no file: its target does not exist, or the link leads back to
     * itself. Without this check, reading would say only that there is no such file, and writing would replace the
     * link.
     *
     * @throws DataException if the path is a link that leads to no file
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
