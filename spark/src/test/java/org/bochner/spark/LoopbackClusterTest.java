package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training on a master and two workers, processes of their own. */
class LoopbackClusterTest {
    private static final int PARTITIONS = 20;
    private static final int COLUMNS = 4;

    @Test
    void trainingSurvivesALostWorkerWithTheSameModel(@TempDir Path folder) throws IOException, InterruptedException {
        long processes = ProcessHandle.current().descendants().count();
        try (LoopbackCluster cluster = new LoopbackCluster(JavaProcess.ownClassPath(), 2)) {
            JavaProcess driver = cluster.driver(List.of(TwoTrainings.class.getName(), folder.toString()));
            driver.await("the second training", Duration.ofSeconds(90), log -> log.contains("second: 8 tasks"));
            assertFalse(Files.exists(folder.resolve("second.bochner")));
            cluster.killWorker(0);
            String log = driver.finish(Duration.ofSeconds(90));
            assertTrue(log.contains("lost an executor"), log);
        }
        assertEquals(processes, ProcessHandle.current().descendants().count());
        assertEquals(-1, Files.mismatch(folder.resolve("first.bochner"), folder.resolve("second.bochner")));
        // Nothing else is left behind, such as a file that was written in part.
        assertEquals(
                2,
                folder.toFile().list().length,
                Arrays.toString(folder.toFile().list()));
    }

    /** A driver that trains twice on equal rows, which are made slowly. */
    static final class TwoTrainings {
        public static void main(String[] arguments) throws IOException {
            SparkSession session =
                    SparkSession.builder().config("spark.speculation", true).getOrCreate();
            try (session) {
                for (String name : List.of("first", "second")) {
                    session.sparkContext().addSparkListener(new Told(name));
                    SparkRows rows = new FrameReader(
                                    "the table", List.of("features"), "label", FrameReader.Meaning.CLASSES, null)
                            .read(table(session));
                    KernelMachine.of("gaussian(sigma=2)")
                            .withFeatures(300)
                            .fit(rows, new Workers(1), Progress.NONE)
                            .model()
                            .save(Path.of(arguments[0], name + ".bochner"));
                    rows.release();
                }
            }
        }

        private static Dataset<Row> table(SparkSession session) {
            StructType schema = new StructType(new StructField[] {
                new StructField("features", SQLDataTypes.VectorType(), false, Metadata.empty()),
                new StructField("label", DataTypes.DoubleType, false, Metadata.empty())
            });
            return session.createDataFrame(
                    session.range(0, 40 * PARTITIONS, 1, PARTITIONS).javaRDD().map(TwoTrainings::row), schema);
        }

        private static Row row(long i) throws InterruptedException {
            // A tenth of a second per partition.
            Thread.sleep(i % 40 == 0 ? 100 : 0);
            RandomStream stream = new Seed(3).derive(i).stream();
            double[] values = new double[COLUMNS];
            Arrays.setAll(values, j -> stream.nextGaussian());
            return RowFactory.create(Vectors.dense(values), values[0] * values[1] > 0 ? 1.0 : 0.0);
        }
    }

    private static final class Told extends SparkListener {
        private final String name;
        private int tasks;

        Told(String name) {
            this.name = name;
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            tasks++;
            System.out.println(name + ": " + tasks + " tasks");
        }

        @Override
        public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            System.out.println("lost an executor: " + removed.reason());
        }
    }
}
