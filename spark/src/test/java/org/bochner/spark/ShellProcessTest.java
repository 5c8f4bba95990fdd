package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process that spark-submit starts. */
@NullUnmarked // JUnit sets fields, and a test that meets null fails
class ShellProcessTest {
    private static final List<String> QUICK =
            List.of("--kernel", "gaussian(sigma=1)", "--features", "64", "--scale", "standard");

    @TempDir
    private Path folder;

    private Path data = Path.of("");

    @BeforeEach
    void writeTable() throws IOException {
        data = ShellRun.table(folder.resolve("table.csv"), 300, 1);
    }

    private Process start(List<String> arguments) throws IOException {
        Path jar = folder.resolve("application.jar");
        LoopbackCluster.writeJar(jar, Bochner.class);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        Stream.of(JavaModuleOptions.defaultModuleOptionArray())
                .filter(flag -> !flag.contains("incubator"))
                .forEach(command::add);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local[2]",
                // Many clusters set it. It cannot send records, nor objects that Java writes in their own way.
                "--conf",
                "spark.serializer=org.apache.spark.serializer.KryoSerializer",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.driver.bindAddress=127.0.0.1",
                "--class",
                "org.bochner.spark.Bochner",
                jar.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_HOME", folder.toString());
        return builder.start();
    }

    private ShellRun finish(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return new ShellRun(
                process.exitValue(), Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
    }

    private List<String> train(String... more) {
        List<String> arguments = new ArrayList<>(List.of("train", data.toString()));
        arguments.addAll(QUICK);
        arguments.addAll(List.of(more));
        return arguments;
    }

    @Test
    void printsResultsOnlyToStdoutAndNothingOfSparkToStderr() throws IOException, InterruptedException {
        Path model = folder.resolve("model");
        ShellRun run = finish(start(train("--json", "--model", model.toString())));
        assertEquals("classify", run.json().get("task"));
        assertEquals(300L, ((Number) run.json().get("rows")).longValue());
        assertTrue(run.err().startsWith(data + ": 300 rows, 7 columns; 2 classes"), run.err());
        assertFalse(run.err().contains(" INFO ") || run.err().contains(" WARN "), run.err());
        ShellRun.onFiles("evaluate", model, data).succeeded();
    }

    @Test
    void exitsWithTheCodesOfTheCommand() throws IOException, InterruptedException {
        ShellRun usage = finish(start(train("--threads", "2")));
        assertEquals(2, usage.code(), usage.err());
        ShellRun failure =
                finish(start(List.of("train", folder.resolve("absent.csv").toString())));
        assertEquals(1, failure.code(), failure.err());
        assertTrue(failure.err().endsWith("absent.csv: there is no such file or folder\n"), failure.err());
        assertFalse(failure.err().contains("\tat "), failure.err());
    }

    @Test
    void leavesNoModelWhenItIsInterrupted() throws IOException, InterruptedException {
        data = ShellRun.table(folder.resolve("table.csv"), 40_000, 1);
        Path model = folder.resolve("model");
        Process process = start(List.of(
                "train",
                data.toString(),
                "--kernel",
                "gaussian(sigma=1)",
                "--features",
                "4000",
                "--model",
                model.toString()));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (!Files.readString(folder.resolve("err")).contains("40,000 rows") && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        // SIGTERM takes the way of Ctrl-C: the JVM runs its shutdown hooks.
        process.destroy();
        ShellRun run = finish(process);
        assertTrue(run.code() != 0, run.err());
        assertFalse(run.err().contains("\tat "), run.err());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(
                    List.of("application.jar", "err", "out", "table.csv"),
                    files.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }
}
