package org.bochner.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.Notes;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;

/**
 * Times of fits on Spark with two threads beside those of the library alone, and of linear models of MLlib from the same
 * features, all in one process; called by benchmarks/spark.
 */
public final class SparkSpeed {
    private static final int ROUNDS = 3;
    private static final int COLUMNS = 20;
    private static final int FEATURES = 2000;
    private static final StructType SCHEMA = new StructType(new StructField[] {
        new StructField("features", SQLDataTypes.VectorType(), false, Metadata.empty()),
        new StructField("label", DataTypes.DoubleType, false, Metadata.empty())
    });

    private SparkSpeed() {}

    /** Arguments: the file a9a, the number of generated rows, the number of rows for MLlib, and a folder to make for them. */
    public static void main(String... arguments) {
        SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.maxResultSize", "4g")
                .getOrCreate();
        spark.sparkContext().setLogLevel("ERROR");
        try {
            double start = secondsOfAnEmptyJob(spark);
            System.out.printf(Locale.ROOT, "An empty job takes %.3f seconds.%n%n", start);
            System.out.println(
                    "| rows | fit | seconds on Spark | jobs | less the start of jobs | seconds of the library"
                            + " | ratio, less the start of jobs |");
            System.out.println("|---|---|---|---|---|---|---|");
            Dataset<Row> a9a = spark.read()
                    .format("libsvm")
                    .option("numFeatures", 123)
                    .load(arguments[0])
                    .coalesce(2);
            FileSource file = FileSource.open(DataOptions.of(arguments[0]));
            KernelMachine machine = KernelMachine.of("gaussian(sigma=3)").withFeatures(1024);
            compare("a9a", "ridge(lambda=auto)", machine, a9a, file, start);
            compare("a9a", "logistic(C=1)", machine.withLearner(Learner.parse("logistic(C=1)")), a9a, file, start);
            int rows = Integer.parseInt(arguments[1]);
            Dataset<Row> generated = generated(spark, rows).cache();
            generated.count();
            compare(
                    String.format(Locale.ROOT, "%,d generated", rows),
                    "ridge(lambda=auto)",
                    KernelMachine.of("gaussian(sigma=5)").withFeatures(1024),
                    generated,
                    local(rows),
                    start);
            generated.unpersist();
            mllib(spark, Integer.parseInt(arguments[2]), arguments[3]);
        } finally {
            spark.stop();
        }
    }

    private static double secondsOfAnEmptyJob(SparkSession spark) {
        JavaRDD<Long> rows = spark.range(0, 2, 1, 2).javaRDD().cache();
        rows.count();
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 5; round++) {
            least = Math.min(
                    least,
                    seconds(() -> {
                                for (int i = 0; i < 20; i++) {
                                    rows.mapPartitions(part -> Collections.emptyIterator())
                                            .collect();
                                }
                                return "";
                            })
                            / 20);
        }
        return least;
    }

    /**
     * Compares a fit with that of the library alone.
     *
     * @param start the seconds of a job that does nothing
     */
    private static void compare(
            String rows, String fit, KernelMachine machine, Dataset<Row> data, RowSource local, double start) {
        int[] jobs = new int[1];
        SparkListener counter = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart job) {
                jobs[0]++;
            }
        };
        data.sparkSession().sparkContext().addSparkListener(counter);
        double ours = Double.POSITIVE_INFINITY;
        double alone = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            ours = Math.min(ours, seconds(() -> {
                SparkRows read = new FrameReader(rows, List.of("features"), "label", FrameReader.Meaning.CLASSES, null)
                        .read(data);
                try {
                    return machine.fit(read, new Workers(2), Progress.NONE);
                } finally {
                    read.release();
                }
            }));
            alone = Math.min(alone, seconds(() -> machine.fit(local, new Workers(2), Progress.NONE)));
        }
        data.sparkSession().sparkContext().removeSparkListener(counter);
        int each = jobs[0] / ROUNDS;
        double less = ours - each * start;
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.2f | %d | %.2f | %.2f | %.2f |%n",
                rows,
                fit,
                ours,
                each,
                less,
                alone,
                less / alone);
    }

    /** Compares linear models of 2,000 random features, which both sides read from the same kept DataFrame. */
    private static void mllib(SparkSession spark, int rows, String folder) {
        KernelMachine map = KernelMachine.of("gaussian(sigma=5)").withFeatures(FEATURES);
        MemorySource source = local(rows);
        List<Row> mapped = new ArrayList<>();
        map.prepare(source, new Workers(2), Progress.NONE, new Notes())
                .transform(source, new Workers(2), Progress.NONE, block -> {
                    double[] values = new double[FEATURES];
                    for (int i = 0; i < block.rows(); i++) {
                        block.copyRow(i, values);
                        mapped.add(RowFactory.create(Vectors.dense(values.clone()), block.target(i, 0)));
                    }
                });
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        // Tasks over rows of the driver carry these rows with them, so they are read from files.
        spark.createDataFrame(context.parallelize(mapped, 2), SCHEMA).write().parquet(folder);
        Dataset<Row> data = spark.read().parquet(folder).coalesce(2).cache();
        data.count();
        KernelMachine linear = KernelMachine.of("linear").withScaling(Scalings.none());
        System.out.println();
        System.out.println("| rows x features | fit | seconds of Bochner | seconds of MLlib | MLlib / Bochner |");
        System.out.println("|---|---|---|---|---|");
        against(
                "least squares",
                data,
                linear.withLearner(Learner.parse("ridge(lambda=1)")),
                FrameReader.Meaning.NUMBERS,
                () -> new LinearRegression()
                        .setSolver("normal")
                        .setRegParam(1.0 / rows)
                        .setStandardization(false)
                        .fit(data));
        against(
                "logistic loss",
                data,
                linear.withLearner(Learner.parse("logistic(l2=1)")),
                FrameReader.Meaning.CLASSES,
                () -> new LogisticRegression()
                        .setRegParam(1.0 / rows)
                        .setStandardization(false)
                        .fit(data));
        data.unpersist();
    }

    private static void against(
            String fit, Dataset<Row> data, KernelMachine machine, FrameReader.Meaning meaning, Supplier<?> mllib) {
        double ours = Double.POSITIVE_INFINITY;
        double theirs = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 2; round++) {
            ours = Math.min(ours, seconds(() -> {
                SparkRows read = new FrameReader("features", List.of("features"), "label", meaning, null).read(data);
                try {
                    return machine.fit(read, new Workers(2), Progress.NONE);
                } finally {
                    read.release();
                }
            }));
            theirs = Math.min(theirs, seconds(mllib));
        }
        System.out.printf(
                Locale.ROOT,
                "| %,d x %,d | %s | %.2f | %.2f | %.1f |%n",
                data.count(),
                FEATURES,
                fit,
                ours,
                theirs,
                theirs / ours);
    }

    private static double seconds(Supplier<?> work) {
        long start = System.nanoTime();
        Object done = work.get();
        Objects.requireNonNull(done);
        return (System.nanoTime() - start) * 1e-9;
    }

    private static double[] row(RandomStream stream) {
        double[] row = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            row[j] = stream.nextGaussian();
        }
        return row;
    }

    private static double label(double[] row) {
        return Math.sin(row[0]) + row[1] * row[2] > 0 ? 1 : 0;
    }

    private static MemorySource local(int rows) {
        float[] values = new float[rows * COLUMNS];
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            double[] row = row(new Seed(1).derive(i).stream());
            labels[i] = (int) label(row);
            for (int j = 0; j < COLUMNS; j++) {
                values[i * COLUMNS + j] = (float) row[j];
            }
        }
        return MemorySource.of(COLUMNS, values).withClasses(List.of("0", "1"), labels);
    }

    private static Dataset<Row> generated(SparkSession spark, int rows) {
        return spark.createDataFrame(
                spark.range(0, rows, 1, 2).javaRDD().map(i -> {
                    double[] row = row(new Seed(1).derive((long) i).stream());
                    return RowFactory.create(Vectors.dense(row), label(row));
                }),
                SCHEMA);
    }
}
