package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shuffled bytes are those of the cost model in docs/spark.md. */
@ExtendWith({SparkJdk.class, LocalSpark.class})
class ShuffleCostTest {
    private static final int CLASSES = 3;
    /** Sums of several blocks have random digits, which compression cannot make shorter. */
    private static final long ROWS = 2500;

    /** The bytes of the statistics of a partition. */
    private static double result(int features, int sums) {
        return sums * 8.0 * (features * (features + 1) / 2.0 + features * (CLASSES + 1) + 2 * CLASSES);
    }

    private static double shuffled(int features, int sums, int partitions) {
        boolean several = features > 4095;
        double results = 0;
        for (int left = partitions; left > 1 && (left > 8 || several || sums > 1); left = (left + 7) / 8) {
            results += left;
        }
        return results * result(features, sums);
    }

    @ParameterizedTest
    @CsvSource({
        "200, 6, ridge(lambda=1), 1",
        "200, 20, ridge(lambda=1), 1",
        "300, 70, ridge(lambda=1), 1",
        "200, 20, ridge(lambda=auto), 5"
    })
    void ofStatistics(int features, int partitions, String learner, int sums, SparkSession spark)
            throws InterruptedException {
        SparkRows rows = new FrameReader("the table", List.of("features"), "label", FrameReader.Meaning.CLASSES, null)
                .read(table(spark, partitions));
        AtomicLong written = new AtomicLong();
        AtomicLong tasks = new AtomicLong();
        SparkListener listener = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                written.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
                tasks.incrementAndGet();
            }
        };
        spark.sparkContext().addSparkListener(listener);
        KernelMachine.of("gaussian(sigma=2)")
                .withFeatures(features)
                .withLearner(Learner.parse(learner))
                .fit(rows, new Workers(1), Progress.NONE);
        // Events of ended tasks arrive later.
        long seen;
        do {
            seen = tasks.get();
            Thread.sleep(200);
        } while (seen < tasks.get());
        spark.sparkContext().removeSparkListener(listener);
        rows.release();
        double expected = shuffled(features, sums, partitions);
        if (expected == 0) {
            assertEquals(0, written.get());
        } else {
            double ratio = written.get() / expected;
            assertTrue(ratio > 0.9 && ratio < 1.1, written + " bytes, the cost model has " + expected);
        }
    }

    private static Dataset<Row> table(SparkSession spark, int partitions) {
        StructType schema = new StructType(new StructField[] {
            new StructField("features", SQLDataTypes.VectorType(), false, Metadata.empty()),
            new StructField("label", DataTypes.DoubleType, false, Metadata.empty())
        });
        return spark.createDataFrame(
                spark.range(0, ROWS * partitions, 1, partitions).javaRDD().map(i -> {
                    RandomStream stream = new Seed(4).derive((long) i).stream();
                    return RowFactory.create(
                            Vectors.dense(stream.nextGaussian(), stream.nextGaussian()), (double) (i % CLASSES));
                }),
                schema);
    }
}
