package org.bochner.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file or folder that a command writes through Hadoop's file systems. It is written under a temporary name beside its own, and
 * renamed when it is complete. What it replaces stays until then.
 */
final class ShellOutput {
    private final FileSystem files;
    private final Path target;

    /** Writes the file or folder under another name. */
    interface Writing {
        void to(FileSystem files, Path temporary) throws IOException;
    }

    private ShellOutput(FileSystem files, Path target) {
        this.files = files;
        this.target = target;
    }

    static ShellOutput of(Path path, Configuration configuration) throws IOException {
        FileSystem files = path.getFileSystem(configuration);
        Path target = files.makeQualified(path);
        if (target.getParent() == null) {
            throw new IOException("it is the root of a file system");
        }
        return new ShellOutput(files, target);
    }

    boolean exists() throws IOException {
        return files.exists(target);
    }

    /** Returns true if the name is that of a folder. */
    boolean isFolder() throws IOException {
        return exists() && files.getFileStatus(target).isDirectory();
    }

    /** Returns true if the name is that of a file. */
    boolean isFile() throws IOException {
        return exists() && files.getFileStatus(target).isFile();
    }

    /**
     * Writes the file or folder. After a failure, the old one is still there.
     *
     * @param overwrite true if an old file or folder is replaced; else it is a failure
     */
    void write(boolean overwrite, Writing writing) throws IOException {
        Path temporary = sibling("tmp");
        files.deleteOnExit(temporary);
        try {
            writing.to(files, temporary);
            replace(temporary, overwrite);
        } finally {
            files.delete(temporary, true);
            files.cancelDeleteOnExit(temporary);
        }
    }

    /** Returns a name beside that of the output, which Spark does not read as data. */
    private Path sibling(String end) {
        return new Path(
                target.getParent(), "." + target.getName() + "." + Long.toHexString(System.nanoTime()) + "." + end);
    }

    private void replace(Path temporary, boolean overwrite) throws IOException {
        Path old = null;
        // Hadoop moves a folder into one that exists.
        if (exists()) {
            if (!overwrite) {
                throw new IOException("it was written by another process in the meantime");
            }
            old = sibling("old");
            rename(target, old, "the old one cannot be renamed");
        }
        boolean replaced = false;
        try {
            rename(temporary, target, "the finished one cannot be renamed");
            replaced = true;
        } finally {
            if (old != null && !replaced) {
                rename(old, target, "the old one is now " + old);
            }
        }
        if (old != null) {
            files.delete(old, true);
        }
    }

    private void rename(Path from, Path to, String problem) throws IOException {
        if (!files.rename(from, to)) {
            throw new IOException(problem);
        }
    }

    /** Returns true if what a path or pattern stands for is the output, lies in it, or contains it. */
    boolean overlaps(Path input, Configuration configuration) throws IOException {
        Path output = real(target);
        for (Path each : expanded(input, configuration)) {
            Path found = real(each);
            if (contains(output, found) || contains(found, output)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the paths that a path or pattern stands for; the path itself if there is nothing. */
    private static List<Path> expanded(Path given, Configuration configuration) throws IOException {
        FileSystem system = given.getFileSystem(configuration);
        FileStatus[] found = system.globStatus(given);
        return found == null || found.length == 0
                ? List.of(system.makeQualified(given))
                : Arrays.stream(found)
                        .map(status -> system.makeQualified(status.getPath()))
                        .toList();
    }

    /** Follows the links of a path of this machine, as far as it exists. */
    private static Path real(Path path) throws IOException {
        if (!"file".equals(path.toUri().getScheme())) {
            return path;
        }
        java.nio.file.Path whole = java.nio.file.Path.of(path.toUri().getPath());
        java.nio.file.Path existing = whole;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return new Path(
                existing.toRealPath().resolve(existing.relativize(whole)).toUri());
    }

    /** Returns true if a path is a folder, or lies in it. */
    private static boolean contains(Path folder, Path path) {
        Path normal = Path.getPathWithoutSchemeAndAuthority(folder);
        if (!sameFiles(folder, path)) {
            return false;
        }
        for (Path each = Path.getPathWithoutSchemeAndAuthority(path); each != null; each = each.getParent()) {
            if (each.equals(normal)) {
                return true;
            }
        }
        return false;
    }

    private static boolean sameFiles(Path one, Path other) {
        return String.valueOf(one.toUri().getScheme())
                        .equalsIgnoreCase(String.valueOf(other.toUri().getScheme()))
                && String.valueOf(one.toUri().getAuthority())
                        .equalsIgnoreCase(String.valueOf(other.toUri().getAuthority()));
    }
}
