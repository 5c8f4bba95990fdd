package org.bochner.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/** A Java process whose output goes to a file. It and the processes that it starts end with this process. */
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param classPath jars, folders of classes, and patterns like {@code folder/*}
     * @param log the file for standard output and standard error
     */
    static JavaProcess start(
            Path log, Map<String, String> environment, List<String> classPath, List<String> flags, List<String> main) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(moduleFlags());
        command.addAll(flags);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), Tethered.class.getName()));
        command.addAll(main);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the flags with which Spark's scripts start Java, without the incubating module, which prints a warning. */
    private static List<String> moduleFlags() {
        return Stream.of(JavaModuleOptions.defaultModuleOptionArray())
                .filter(flag -> !flag.contains("incubator"))
                .toList();
    }

    /** Returns the class path of this process. */
    static List<String> ownClassPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    }

    /** Returns the output so far. */
    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the output fulfils a condition. */
    void await(String what, Duration limit, Predicate<String> condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.test(output())) {
            boolean alive = process.isAlive();
            // The last lines may have come between the test and the end.
            if (System.nanoTime() > end || (!alive && !condition.test(output()))) {
                throw new IllegalStateException(
                        (alive ? "no " + what + " in " + limit : "ended without " + what) + ":\n" + output());
            }
            Thread.sleep(20);
        }
    }

    /** Waits for the end and returns the output. */
    String finish(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            close();
            throw new IllegalStateException("no end in " + limit + ":\n" + output());
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("exit status " + process.exitValue() + ":\n" + output());
        }
        return output();
    }

    /** Ends this process and all that it has started, as {@code kill -9} does, and waits until they have ended. */
    @Override
    public void close() {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        family.add(0, process.toHandle());
        family.forEach(ProcessHandle::destroyForcibly);
        family.forEach(member -> member.onExit().join());
    }
}
