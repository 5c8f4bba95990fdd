package org.bochner.cli;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.AtomicFile;
import org.bochner.cli.plot.Chart;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Checks the files of a run before the command starts: each output can be written, is not an input, and is written once.
 * The options and arguments are those marked with {@link Reads}, {@link ReadsBySpelling} and {@link Writes}.
 */
final class FileRoles {
    private static final String STANDARD_STREAM = "-";

    /** A file, and the option or argument that names it as the user typed it. */
    private record Role(
            ArgSpec argument, String given, @Nullable Path path) {
        String flag() {
            return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
        }

        String shown() {
            return flag() + " " + given;
        }
    }

    private FileRoles() {}

    /** Returns the mark of an option or argument; null if it has none. */
    static @Nullable Reads reads(ArgSpec argument) {
        return argument.userObject() instanceof AnnotatedElement field ? field.getAnnotation(Reads.class) : null;
    }

    /** Returns the mark of an option that names a file to write; null if it has none. */
    static @Nullable Writes writes(ArgSpec argument) {
        return argument.userObject() instanceof AnnotatedElement field ? field.getAnnotation(Writes.class) : null;
    }

    /** Returns how the value of an option names files; null if it names none. */
    static @Nullable ReadsBySpelling readsBySpelling(ArgSpec argument) {
        return argument.userObject() instanceof AnnotatedElement field
                ? field.getAnnotation(ReadsBySpelling.class)
                : null;
    }

    /**
     * Fails if an output has another role in the run, or cannot be written.
     *
     * @throws UsageException if a file to write has another role, or is stdout
     * @throws org.bochner.base.DataException if a file to read is a symbolic link that leads to no file
     */
    static void check(CommandSpec command, Platform platform) {
        List<Role> inputs = new ArrayList<>();
        List<Role> outputs = new ArrayList<>();
        for (ArgSpec argument : command.args()) {
            ReadsBySpelling spelled = readsBySpelling(argument);
            if (spelled != null) {
                for (String given : argument.stringValues()) {
                    spelled.value().files(given).forEach(file -> inputs.add(new Role(argument, given, file)));
                }
                continue;
            }
            boolean written = writes(argument) != null;
            if (!written && reads(argument) == null) {
                continue;
            }
            for (String given : argument.stringValues()) {
                if (written && given.equals(STANDARD_STREAM)) {
                    throw new UsageException(((OptionSpec) argument).longestName()
                            + " -: the output cannot be stdout; give a file name (./- for a file named -)");
                }
                String file = file(argument, given);
                if (file != null) {
                    (written ? outputs : inputs).add(new Role(argument, given, path(file, platform)));
                }
            }
        }
        for (Role input : inputs) {
            if (input.path != null) {
                AtomicFile.requireTarget(input.path);
            }
        }
        for (int i = 0; i < outputs.size(); i++) {
            Role output = outputs.get(i);
            for (Role input : inputs) {
                Reads reads = reads(input.argument);
                boolean update = reads != null && reads.updatedBy().equals(output.flag());
                if (!update && same(output, input)) {
                    throw new UsageException(
                            output.shown() + " is also an input (" + input.shown() + "); choose another file");
                }
            }
            for (Role other : outputs.subList(0, i)) {
                if (same(output, other)) {
                    throw new UsageException(
                            other.shown() + " and " + output.shown() + " name the same file; choose different files");
                }
            }
        }
        outputs.forEach(output -> checkWritable(output, platform));
    }

    /** Fails if a file cannot be written, so that users learn it before a long run. */
    private static void checkWritable(Role output, Platform platform) {
        Writes writes = writes(output.argument);
        if (writes != null && writes.picture() && output.path != null) {
            Chart.checkWritable(output.path);
        } else {
            platform.checkWritable(output.given);
        }
    }

    /** Returns the name of the file in a value; null for a value that the command itself refuses. */
    private static @Nullable String file(ArgSpec argument, String given) {
        if (!argument.paramLabel().startsWith("NAME=")) {
            return given;
        }
        int equals = given.indexOf('=');
        return equals < 0 ? null : given.substring(equals + 1);
    }

    /** Returns the file of this machine that has a name; null if the name stands for something else. */
    private static @Nullable Path path(String file, Platform platform) {
        int colon = file.lastIndexOf(':');
        try {
            // FILE:NAME is an array of an archive.
            if (colon > 0 && !Files.exists(Path.of(file)) && Files.isRegularFile(Path.of(file.substring(0, colon)))) {
                return Path.of(file.substring(0, colon));
            }
            // A file that was redirected to stdin must not be overwritten either.
            return file.equals(STANDARD_STREAM) ? Path.of("/dev/stdin") : platform.local(file);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Returns true if two names stand for the same file or address. */
    private static boolean same(Role one, Role other) {
        return (one.path == null || other.path == null) ? one.given.equals(other.given) : same(one.path, other.path);
    }

    /** Returns true if two paths lead to the same file, even through links, and even if it does not exist yet. */
    private static boolean same(Path one, Path other) {
        try {
            return (Files.exists(one) && Files.exists(other))
                    ? Files.isSameFile(one, other)
                    : place(one).equals(place(other));
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the path of a file that may not exist yet, with all links to its folder followed. */
    private static Path place(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path folder = absolute.getParent();
        if (folder == null || !Files.exists(folder)) {
            return absolute.normalize();
        }
        return folder.toRealPath().resolve(absolute.getFileName());
    }
}
