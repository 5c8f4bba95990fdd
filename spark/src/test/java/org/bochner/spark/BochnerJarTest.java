package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.BLAS$;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.bochner.base.Json;
import org.bochner.numeric.matrix.Blas;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The jar for spark-submit, on the class path of a Spark without the other libraries of this build. */
@EnabledIfSystemProperty(named = BochnerJarTest.JAR, matches = ".+", disabledReason = "runs after the jar is built")
class BochnerJarTest {
    static final String JAR = "bochner.spark.jar";

    /** Jars of the test class path that a Spark installation does not have. */
    private static final String NOT_OF_SPARK =
            "(bochner|picocli|openblas|javacpp|commons-numbers|fastdoubleparser|jspecify|junit|opentest4j|apiguardian).*";

    /** Returns the jars of a Spark installation: those of the class path, but Spark's versions where we use others. */
    private static List<String> jarsOfSpark() throws IOException {
        List<String> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("bochner.spark.versions")))) {
            files.map(Path::toString).forEach(jars::add);
        }
        Set<String> replaced = jars.stream().map(BochnerJarTest::artifact).collect(Collectors.toSet());
        JavaProcess.ownClassPath().stream()
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches(NOT_OF_SPARK))
                .filter(entry -> !replaced.contains(artifact(entry)))
                .forEach(jars::add);
        return jars;
    }

    private static String jar() {
        return System.getProperty(JAR);
    }

    private static String artifact(String jar) {
        return Path.of(jar).getFileName().toString().replaceFirst("-\\d.*", "");
    }

    private static Set<String> classes(String jar) {
        try (JarFile file = new JarFile(jar)) {
            return file.stream()
                    .map(Object::toString)
                    .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void holdsNoClassThatSparkBrings() throws IOException {
        Set<String> own = classes(jar());
        Set<String> twice = new TreeSet<>();
        for (String jar : jarsOfSpark()) {
            classes(jar).stream().filter(own::contains).forEach(twice::add);
        }
        assertEquals(Set.of(), twice);
    }

    @Test
    void holdsLicencesAndServicesButNoModule() throws IOException {
        try (JarFile jar = new JarFile(jar())) {
            List<String> names = jar.stream().map(Object::toString).toList();
            assertTrue(names.containsAll(List.of("META-INF/LICENSE", "META-INF/NOTICE")), names::toString);
            assertTrue(names.contains("META-INF/services/org.bochner.shaded.jackson.core.JsonFactory"));
            assertTrue(names.stream().noneMatch(name -> name.endsWith("module-info.class")), names::toString);
        }
    }

    @Test
    void driverAndExecutorsLoadTheRightVersions(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> spark = jarsOfSpark();
        Path application = folder.resolve("application.jar");
        LoopbackCluster.writeJar(application, Application.class);
        try (LoopbackCluster cluster = new LoopbackCluster(spark, 1)) {
            List<String> submit = List.of(
                    "org.apache.spark.deploy.SparkSubmit",
                    "--class",
                    Application.class.getName(),
                    "--jars",
                    jar(),
                    application.toString());
            String log = cluster.driver(submit).finish(Duration.ofSeconds(60));
            String expected = String.join(
                    "; ",
                    "jackson-core of Spark " + version(spark, "jackson-core"),
                    "of Bochner org.bochner.shaded.jackson from bochner-spark.jar",
                    "netlib " + version(spark, "blas") + " and " + version(spark, "lapack"),
                    Blas.get().name());
            assertTrue(log.contains("> driver: " + expected + "\n"), log);
            assertTrue(log.contains("> executor: " + expected + "\n"), log);
            assertTrue(log.contains("> rows read by Spark's Jackson: 2\n"), log);
        }
    }

    private static String version(List<String> jars, String artifact) {
        return jars.stream()
                .filter(jar -> artifact(jar).equals(artifact))
                .map(jar -> Path.of(jar).getFileName().toString().replaceFirst("^.*?-(\\d.*)\\.jar$", "$1"))
                .collect(Collectors.joining(", "));
    }

    /** An application that uses Spark's libraries before those of the jar. */
    public static final class Application {
        public static void main(String[] arguments) throws Exception {
            try (SparkSession spark = SparkSession.builder().getOrCreate()) {
                List<String> lines = List.of("{\"a\": 1}", "{\"a\": 2}");
                long rows = spark.read()
                        .json(spark.createDataset(lines, Encoders.STRING()))
                        .filter("a > 0")
                        .count();
                System.out.println("> rows read by Spark's Jackson: " + rows);
                System.out.println("> driver: " + versions());
                String executor = spark.createDataset(List.of(1), Encoders.INT())
                        .toJavaRDD()
                        .map(number -> versions())
                        .first();
                System.out.println("> executor: " + executor);
            }
        }

        private static String versions() throws Exception {
            // MLlib is the first user of netlib in the process.
            BLAS$.MODULE$.nativeBLAS();
            Object number = Json.read("[17]".getBytes(StandardCharsets.UTF_8), 0, 4);
            if (!String.valueOf(number).equals("[17]")) {
                throw new AssertionError(number);
            }
            Class<?> own = Class.forName("org.bochner.shaded.jackson.core.JsonFactory");
            return String.join(
                    "; ",
                    "jackson-core of Spark " + com.fasterxml.jackson.core.json.PackageVersion.VERSION,
                    "of Bochner org.bochner.shaded.jackson from " + jar(own),
                    "netlib " + version(jar(BLAS.class)) + " and " + version(jar(LAPACK.class)),
                    Blas.get().name());
        }

        private static String jar(Class<?> type) {
            String place =
                    type.getProtectionDomain().getCodeSource().getLocation().getPath();
            return place.substring(place.lastIndexOf('/') + 1);
        }

        private static String version(String jar) {
            return jar.replaceAll("^.*-|\\.jar$", "");
        }
    }
}
