package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({SparkJdk.class, LocalSpark.class})
class SparkRowsTest {
    private static final Path DIGITS =
            Path.of(System.getProperty("bochner.repository", ".."), "samples", "digits.csv.gz");

    private static Dataset<Row> digits(SparkSession spark, int partitions) {
        return spark.read()
                .option("inferSchema", "true")
                .option("header", "false")
                .csv(DIGITS.toString())
                .repartition(partitions);
    }

    private static List<String> features(Dataset<Row> data, String label) {
        return Arrays.stream(data.columns()).filter(name -> !name.equals(label)).toList();
    }

    private static String last(Dataset<Row> data) {
        return data.columns()[data.columns().length - 1];
    }

    private static SparkRows read(Dataset<Row> data) {
        String label = last(data);
        return new FrameReader("digits", features(data, label), label, FrameReader.Meaning.CLASSES, null).read(data);
    }

    private static KernelModel fit(KernelMachine machine, RowSource rows) {
        return machine.fit(rows, new Workers(2), Progress.NONE).model();
    }

    private static double[] scores(KernelModel model, RowSource rows) {
        List<Double> all = new ArrayList<>();
        int outputs = model.labels() instanceof Labels.Classes classes
                ? classes.names().size()
                : 1;
        model.score(rows, new Workers(1), Progress.NONE, (block, scores) -> {
            for (int i = 0; i < block.rows() * outputs; i++) {
                all.add(scores[i]);
            }
        });
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Returns the largest difference of scores, as a share of their standard deviation. */
    private static double apart(double[] expected, double[] found) {
        double mean = Arrays.stream(expected).average().orElseThrow();
        double variance = Arrays.stream(expected)
                .map(score -> (score - mean) * (score - mean))
                .average()
                .orElseThrow();
        return IntStream.range(0, expected.length)
                        .mapToDouble(i -> Math.abs(expected[i] - found[i]))
                        .max()
                        .orElseThrow()
                / Math.sqrt(variance);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ridge(lambda=auto)",
                "ridge(lambda=0.1)",
                "logistic(C=1, tolerance=1e-8)",
                "softmax(C=1, tolerance=1e-8)"
            })
    void modelsAreThoseOfTheSameRowsInOneProcess(String learner, SparkSession spark) {
        SparkRows rows = read(digits(spark, 5));
        MemorySource local = MemorySource.load((RowSource) rows);
        for (Precision precision : Precision.values()) {
            KernelMachine machine = KernelMachine.of("gaussian")
                    .withFeatures(200)
                    .withPrecision(precision)
                    .withLearner(Learner.parse(learner));
            KernelModel expected = fit(machine, local);
            KernelModel found = fit(machine, rows);
            assertEquals(expected.training().kernel(), found.training().kernel());
            double most = precision == Precision.FLOAT64 ? 1e-8 : 1e-4;
            double apart = apart(scores(expected, local), scores(found, local));
            assertTrue(apart < most, precision + ": scores differ by " + apart + " of their deviation");
        }
        rows.release();
    }

    @Test
    void equalPartitionsGiveEqualFiles(SparkSession spark, @TempDir Path folder) throws IOException {
        KernelMachine machine = KernelMachine.of("gaussian").withFeatures(100);
        // 20 partitions are merged by executors, 3 by the driver.
        for (int partitions : new int[] {3, 20}) {
            List<byte[]> files = new ArrayList<>();
            for (int run = 0; run < 2; run++) {
                SparkRows rows = read(digits(spark, partitions));
                Path file = folder.resolve(partitions + "-" + run + ".bochner");
                fit(machine, rows).save(file);
                files.add(Files.readAllBytes(file));
                rows.release();
            }
            assertArrayEquals(files.get(0), files.get(1));
        }
    }

    @Test
    void largeMatricesAreMergedInPieces(SparkSession spark) {
        SparkRows rows = read(digits(spark, 3));
        // 4,200 features have 8.8 million pairs, in two pieces.
        KernelMachine machine =
                KernelMachine.of("gaussian(sigma=30)").withFeatures(4200).withLearner(Learner.parse("ridge(lambda=1)"));
        MemorySource local = MemorySource.load((RowSource) rows);
        assertTrue(apart(scores(fit(machine, local), local), scores(fit(machine, rows), local)) < 1e-3);
        rows.release();
    }

    @Test
    void readsClassesAsTheCommandDoes(SparkSession spark) {
        SparkRows rows = read(digits(spark, 2));
        FileSource file = FileSource.open(DataOptions.of(DIGITS.toString()));
        assertEquals(file.labels(), rows.labels());
        assertEquals(file.columns(), rows.columns());
        assertEquals(file.rows(), rows.rows());
        rows.release();
    }

    @Nested
    class BadRows {
        private static Dataset<Row> vectors(SparkSession spark, List<Row> rows, int partitions) {
            StructType schema = new StructType(new StructField[] {
                new StructField("features", SQLDataTypes.VectorType(), true, Metadata.empty()),
                new StructField("label", DataTypes.DoubleType, true, Metadata.empty())
            });
            return spark.createDataFrame(
                    JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions), schema);
        }

        private static void assertRefused(Dataset<Row> data, String... words) {
            FrameReader reader =
                    new FrameReader("the table", List.of("features"), "label", FrameReader.Meaning.CLASSES, null);
            String message = String.valueOf(assertThrows(BochnerException.class, () -> reader.read(data))
                    .getMessage());
            for (String word : words) {
                assertTrue(message.contains(word), message);
            }
        }

        private static Row row(double label, double... values) {
            return RowFactory.create(Vectors.dense(values), label);
        }

        @Test
        void areNamed(SparkSession spark) {
            Row good = row(1, 1, 2);
            assertRefused(vectors(spark, List.of(good, row(0, 1, Double.NaN)), 1), "'features'", "NaN", "row 2");
            assertRefused(vectors(spark, List.of(good, row(0, 1, 1e300)), 1), "'features'", "float32");
            assertRefused(vectors(spark, List.of(good, RowFactory.create(null, 0.0)), 1), "'features'", "null");
            assertRefused(
                    vectors(spark, List.of(good, RowFactory.create(Vectors.dense(1, 2), null)), 1), "'label'", "null");
            assertRefused(vectors(spark, List.of(good, row(0, 1, 2, 3)), 1), "'features'", "3 values", "2");
            assertRefused(vectors(spark, List.of(good, good, good), 2), "class '1'", "nothing to tell apart");
            assertRefused(vectors(spark, List.of(), 2), "no rows");
        }

        @Test
        void mayNotBeEmptyVectors(SparkSession spark) {
            Row good = row(1, 1, 2);
            assertRefused(vectors(spark, List.of(row(0), good), 1), "'features'", "without values", "row 1");
            assertRefused(vectors(spark, List.of(good, row(0)), 1), "'features'", "without values", "row 2");
        }

        @Test
        void ofDifferentPartitionsAreNamed(SparkSession spark) {
            List<Row> rows = List.of(row(1, 1, 2), row(0, 1, 2, 3));
            assertRefused(vectors(spark, rows, 2), "'features'", "partitions");
        }

        @Test
        void mayLeavePartitionsEmpty(SparkSession spark) {
            // Empty partitions hold nothing that could be wrong.
            Dataset<Row> data = vectors(spark, List.of(row(1, 1, 2), row(0, 2, 1), row(1, 3, 4)), 7);
            SparkRows rows = new FrameReader(
                            "the table", List.of("features"), "label", FrameReader.Meaning.CLASSES, null)
                    .read(data);
            assertEquals(3, rows.rows());
            rows.release();
        }

        @Test
        void areFoundInTheDomainOfTheKernel(SparkSession spark) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                rows.add(row(i % 2, i, i == 30 ? -1 : 2));
            }
            SparkRows read = new FrameReader(
                            "the table", List.of("features"), "label", FrameReader.Meaning.CLASSES, null)
                    .read(vectors(spark, rows, 1));
            String message =
                    String.valueOf(assertThrows(BochnerException.class, () -> fit(KernelMachine.of("chi2"), read))
                            .getMessage());
            assertTrue(message.contains("features[1]") && message.contains("row "), message);
            read.release();
        }
    }
}
