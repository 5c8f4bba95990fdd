package org.bochner.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A standalone Spark cluster of this machine: a master and workers, each a process of its own, and the executors that
 * the workers start.
 *
 * <p>No Spark distribution is needed. SPARK_HOME is a temporary folder with links to the given jars. All processes
 * listen on 127.0.0.1 only. {@link #close} ends them and deletes the folder.
 */
final class LoopbackCluster implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String HOST = "127.0.0.1";

    private final Path home;
    private final String url;
    private final List<JavaProcess> workers = new ArrayList<>();
    private final List<JavaProcess> others = new ArrayList<>();

    /** The folders of classes among the given class path, which Spark's scripts do not look for. */
    private final List<String> folders;

    /**
     * Starts a cluster and waits until its workers are ready.
     *
     * @param classPath the class path of the master, workers and executors: jars and folders
     * @param workers the number of workers, each with one core and 1 GB for executors
     */
    LoopbackCluster(List<String> classPath, int workers) throws IOException, InterruptedException {
        home = Files.createTempDirectory("bochner-cluster");
        folders = classPath.stream().filter(entry -> !entry.endsWith(".jar")).toList();
        url = "spark://" + HOST + ":" + freePort();
        try {
            link(classPath);
            JavaProcess master = daemon("master", "master.Master", "--port", url.substring(url.lastIndexOf(':') + 1));
            others.add(master);
            master.await("master", START, log -> log.contains("New state: ALIVE"));
            for (int i = 0; i < workers; i++) {
                List<String> limits = List.of(
                        "--cores",
                        "1",
                        "--memory",
                        "1g",
                        "--work-dir",
                        home.resolve("work" + i).toString(),
                        url);
                this.workers.add(daemon("worker" + i, "worker.Worker", limits.toArray(new String[0])));
            }
            for (JavaProcess worker : this.workers) {
                worker.await("registration", START, log -> log.contains("Successfully registered"));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void link(List<String> classPath) throws IOException {
        Path jars = Files.createDirectory(home.resolve("jars"));
        for (String entry : classPath) {
            Path file = Path.of(entry);
            if (entry.endsWith(".jar")) {
                Files.createSymbolicLink(jars.resolve(file.getFileName()), file.toAbsolutePath());
            }
        }
        writeJar(jars.resolve("tethered.jar"), Tethered.class);
        Path settings = Files.createDirectory(home.resolve("conf"));
        try (var in = LoopbackCluster.class.getResourceAsStream("/log4j2.properties")) {
            Files.copy(in, settings.resolve("log4j2.properties"));
        }
    }

    private JavaProcess daemon(String name, String type, String... arguments) {
        List<String> main =
                new ArrayList<>(List.of("org.apache.spark.deploy." + type, "--host", HOST, "--webui-port", "0"));
        main.addAll(List.of(arguments));
        return start(name, List.of("-Xmx256m", "-Dspark.master.rest.enabled=false"), main);
    }

    private Map<String, String> environment() {
        return Map.of(
                "SPARK_HOME", home.toString(),
                "SPARK_SCALA_VERSION", "2.13",
                "SPARK_LOCAL_IP", HOST,
                "SPARK_LOCAL_DIRS", home.resolve("local").toString(),
                "JAVA_HOME", System.getProperty("java.home"));
    }

    private JavaProcess start(String name, List<String> flags, List<String> main) {
        List<String> classPath = new ArrayList<>(List.of(home.resolve("conf").toString(), home.resolve("jars") + "/*"));
        classPath.addAll(folders);
        return JavaProcess.start(home.resolve(name + ".log"), environment(), classPath, flags, main);
    }

    /**
     * Starts a driver, a process of its own, whose context uses all workers and waits for them before the first task.
     *
     * @param main the name of a class and its arguments
     */
    JavaProcess driver(List<String> main) {
        JavaProcess driver = start("driver" + others.size(), flags(), main);
        others.add(driver);
        return driver;
    }

    private List<String> flags() {
        return Stream.of(
                        "spark.master=" + url,
                        "spark.app.name=test",
                        "spark.driver.host=" + HOST,
                        "spark.driver.bindAddress=" + HOST,
                        "spark.ui.enabled=false",
                        "spark.cores.max=" + workers.size(),
                        "spark.scheduler.minRegisteredResourcesRatio=1",
                        "spark.executor.memory=512m",
                        "spark.executor.extraJavaOptions=-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                        "spark.executor.extraClassPath=" + String.join(":", folders))
                .map(setting -> "-D" + setting)
                .toList();
    }

    /** Ends a worker and its executors, as {@code kill -9} does. */
    void killWorker(int worker) {
        workers.get(worker).close();
    }

    @Override
    public void close() {
        others.forEach(JavaProcess::close);
        workers.forEach(JavaProcess::close);
        delete(home);
    }

    /** Writes a jar of classes, without their nested classes. */
    static void writeJar(Path jar, Class<?>... types) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : types) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
        }
    }

    /** Deletes a folder and all that is in it, if it exists. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
