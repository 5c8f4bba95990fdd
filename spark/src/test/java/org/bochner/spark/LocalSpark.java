package org.bochner.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link SparkSession} with two threads as a parameter of the test, a constructor or a set-up method. All
 * tests of the process share the session; it stops after the last one.
 */
public final class LocalSpark implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SparkSession.class;
    }

    @Override
    public SparkSession resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // JUnit closes what the root store holds after the last test.
        return context.getRoot()
                .getStore(Namespace.create(LocalSpark.class))
                .getOrComputeIfAbsent(Shared.class, type -> Shared.start(), Shared.class)
                .session;
    }

    private record Shared(SparkSession session, Path folder) implements AutoCloseable {
        static Shared start() {
            try {
                Path folder = Files.createTempDirectory("bochner-spark-test");
                SparkSession session = SparkSession.builder()
                        .master("local[2]")
                        .appName("tests")
                        .config("spark.driver.host", "127.0.0.1")
                        .config("spark.driver.bindAddress", "127.0.0.1")
                        .config("spark.ui.enabled", false)
                        .config("spark.sql.shuffle.partitions", 2)
                        .config("spark.default.parallelism", 2)
                        .config("spark.local.dir", folder.resolve("local").toString())
                        .config(
                                "spark.sql.warehouse.dir",
                                folder.resolve("warehouse").toUri().toString())
                        .getOrCreate();
                return new Shared(session, folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            session.stop();
            LoopbackCluster.delete(folder);
        }
    }
}
