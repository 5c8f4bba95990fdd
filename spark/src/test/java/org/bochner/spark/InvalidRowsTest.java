package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.bochner.base.BochnerException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

@ExtendWith(LocalSpark.class)
class InvalidRowsTest {
    @BeforeAll
    static void start(SparkSession session) {
        Frames.use(session);
    }

    private static KernelRegressor small() {
        return new KernelRegressor()
                .setKernel("gaussian(sigma=2)")
                .setFeatures(50)
                .setLearner("ridge(lambda=0.1)")
                .setLabelCol("value");
    }

    private static void assertSays(Executable run, String... words) {
        Exception thrown = assertThrows(Exception.class, run);
        String message = String.valueOf(thrown.getMessage());
        for (String word : words) {
            assertTrue(message.contains(word), () -> "'" + word + "' is not in: " + message);
        }
    }

    /** Returns good rows, and one with the given features in the last partition. */
    private static Dataset<Row> with(double @Nullable [] features) {
        List<Row> rows = new ArrayList<>();
        for (Frames.Point point : Frames.points(40)) {
            rows.add(RowFactory.create(Vectors.dense(point.x()), point.value(), 0));
        }
        rows.add(RowFactory.create(features == null ? null : Vectors.dense(features), 1.0, 1));
        return Frames.of(
                        rows,
                        1,
                        Frames.field("features", SQLDataTypes.VectorType()),
                        Frames.field("value", DataTypes.DoubleType),
                        Frames.field("part", DataTypes.IntegerType))
                .repartitionByRange(2, functions.col("part"));
    }

    @Nested
    class InTraining {
        @Test
        void areNamedWithColumnPartitionAndRow() {
            assertSays(() -> small().fit(with(null)), "column 'features' is null", "partition 1, row 1");
            assertSays(
                    () -> small().fit(with(new double[] {0, 1, Double.NaN, 3, 4, 5})),
                    "column 'features' holds NaN at place 2",
                    "partition 1, row 1");
            assertSays(
                    () -> small().fit(with(new double[] {1, 2, 3})),
                    "column 'features' has 6 values in some partitions and 3 in others");
            Dataset<Row> good = Frames.vectors(50);
            assertSays(
                    () -> small().fit(good.withColumn("value", functions.expr("if(value > 0, null, value)"))),
                    "label column 'value' is null");
            assertSays(
                    () -> small().setWeightCol("w").fit(good.withColumn("w", functions.lit(-1.0))),
                    "the weight must be at least 0 and finite, got -1.0");
        }

        @Test
        void mayBeAbsentFromAPartitionAndNotFromAll() {
            Dataset<Row> rows = Frames.vectors(60);
            Dataset<Row> some = rows.repartition(7, functions.col("label"));
            assertEquals(60, small().fit(some).transform(some).count());
            assertSays(() -> small().fit(rows.filter("label = 9")), "has no rows");
        }
    }

    @Nested
    class ChangedBetweenPasses {
        /** Returns a function of numbers that has other values from its second pass over 30 rows on. */
        private static UserDefinedFunction changing(UDF1<Double, Object> later, DataType type) {
            AtomicInteger calls = new AtomicInteger();
            Object first = type instanceof StringType ? "a" : type instanceof ArrayType ? new double[] {1} : 1.0;
            String key = "calls" + COUNTS.size();
            COUNTS.put(key, calls);
            UDF1<Double, Object> both =
                    value -> Objects.requireNonNull(COUNTS.get(key)).getAndIncrement() < 30 ? first : later.call(value);
            return functions.udf(both, type).asNondeterministic();
        }

        private static final Map<String, AtomicInteger> COUNTS = new ConcurrentHashMap<>();

        private void assertRefused(UserDefinedFunction changing, String word) {
            Dataset<Row> rows = Frames.vectors(30).withColumn("x", changing.apply(functions.col("value")));
            BochnerException thrown = assertThrows(
                    BochnerException.class,
                    () -> small().setFeaturesCols("features", "x").fit(rows));
            String message = String.valueOf(thrown.getMessage());
            assertTrue(message.startsWith("data frame: the table changed between two passes: partition "), message);
            assertTrue(message.contains("column 'x' " + word), message);
            assertTrue(message.endsWith("; cache it or write it first"), message);
        }

        @Test
        void isSaidOfFeatures() {
            assertRefused(changing(value -> Double.NaN, DataTypes.DoubleType), "holds NaN");
            assertRefused(changing(value -> "b", DataTypes.StringType), "holds 'b'");
            assertRefused(
                    changing(value -> new double[] {1, 2}, DataTypes.createArrayType(DataTypes.DoubleType)),
                    "has 2 values");
        }

        @Test
        void isSaidOfLabels() {
            UserDefinedFunction changing = changing(value -> Double.POSITIVE_INFINITY, DataTypes.DoubleType);
            Dataset<Row> rows = Frames.vectors(30).withColumn("x", changing.apply(functions.col("value")));
            assertSays(
                    () -> small().setLabelCol("x").fit(rows),
                    "the table changed between two passes",
                    "label column 'x' must hold finite numbers");
        }
    }

    @Nested
    class Columns {
        private final Dataset<Row> rows = Frames.vectors(30);

        @Test
        void thatDoNotExistAreNamed() {
            assertSays(() -> small().setFeaturesCol("feature").fit(rows), "featuresCol", "'feature'", "features");
            assertSays(() -> small().setLabelCol("target").fit(rows), "labelCol", "'target'");
            assertSays(() -> small().setWeightCol("w").fit(rows), "weightCol", "'w'");
            assertSays(() -> small().setFeaturesCols("label", "x").fit(rows), "featuresCols", "'x'");
        }

        @Test
        void ofTheWrongTypeAreNamed() {
            Dataset<Row> texts = rows.withColumn("value", functions.expr("string(value)"));
            assertSays(() -> small().fit(texts), "labelCol", "of type string", "cast it to double");
            Dataset<Row> dates = rows.withColumn("features", functions.current_date());
            assertSays(() -> small().fit(dates), "column 'features' is of type date");
        }

        @Test
        void mayDifferInCaseOrBeEqual() {
            KernelRegressionModel model = small().fit(rows);
            List<Row> expected = model.transform(rows).select("prediction").collectAsList();
            Dataset<Row> more = rows.select(
                    functions.col("features"),
                    functions.col("value"),
                    functions.col("label").as("Features"),
                    functions.col("label").as("VALUE"),
                    functions.col("label"),
                    functions.col("label"));
            Dataset<Row> predicted = small().fit(more).transform(more);
            assertEquals(
                    List.of("features", "value", "Features", "VALUE", "label", "label", "prediction"),
                    List.of(predicted.columns()));
            assertEquals(
                    expected,
                    predicted.collectAsList().stream()
                            .map(row -> RowFactory.create(row.get(6)))
                            .toList());
        }

        @Test
        void thatExistAreNotReplaced() {
            assertSays(() -> small().setPredictionCol("label").fit(rows), "the new column 'label' exists already");
            KernelRegressionModel model = small().fit(rows);
            assertSays(() -> model.setPredictionCol("value").transform(rows), "the new column 'value' exists already");
        }

        @Test
        void ofLabelsAndWeightsAreNoFeatures() {
            assertSays(
                    () -> small().setFeaturesCols("features", "value").fit(rows),
                    "labelCol: column 'value' is also a column of the features");
            assertSays(
                    () -> small().setFeaturesCols("features", "label")
                            .setWeightCol("label")
                            .fit(rows),
                    "weightCol: column 'label' is also a column of the features");
        }

        @Test
        void cannotBeGivenTwice() {
            assertSays(
                    () -> small().setFeaturesCol("features")
                            .setFeaturesCols("label")
                            .fit(rows),
                    "featuresCol and featuresCols are both set");
        }
    }

    @Nested
    class InPrediction {
        private final KernelRegressionModel model = small().fit(Frames.vectors(60));

        @Test
        void failByDefault() {
            assertSays(
                    () -> model.transform(with(null)).count(), "column 'features' is null", "row 1", "handleInvalid");
            assertSays(
                    () -> model.transform(with(new double[] {1})).count(),
                    "has 1 values, and the model was trained with 6");
            assertSays(
                    () -> model.transform(with(new double[] {0, 0, 0, 0, Double.POSITIVE_INFINITY, 0}))
                            .count(),
                    "holds Infinity at place 4");
        }

        @Test
        void areSkippedOrKept() {
            double[][] bad = {null, {1}, {0, 0, Double.NaN, 0, 0, 0}};
            for (double[] features : bad) {
                Dataset<Row> rows = with(features);
                assertEquals(40, model.setHandleInvalid("skip").transform(rows).count());
                Dataset<Row> kept = model.setHandleInvalid("keep").transform(rows);
                assertEquals(41, kept.count());
                assertNull(kept.filter("part = 1").first().getAs("prediction"));
            }
        }

        @Test
        void includeRowsOutsideTheKernelsDomain() {
            Dataset<Row> rows = Frames.vectors(60);
            org.apache.spark.sql.api.java.UDF1<org.apache.spark.ml.linalg.Vector, org.apache.spark.ml.linalg.Vector>
                    absolute = vector -> Vectors.dense(
                    java.util.Arrays.stream(vector.toArray()).map(Math::abs).toArray());
            Dataset<Row> positive = rows.withColumn(
                    "features",
                    functions.udf(absolute, SQLDataTypes.VectorType()).apply(functions.col("features")));
            KernelRegressionModel histograms = new KernelRegressor()
                    .setLabelCol("value")
                    .setKernel("chi2")
                    .setScaling("none")
                    .fit(positive);
            Dataset<Row> bad = rows.filter("value < 1").limit(20);
            Dataset<Row> mixed = positive.union(bad).coalesce(1).orderBy("value");
            List<Row> expected = histograms.transform(positive).orderBy("value").collectAsList();
            assertEquals(
                    expected,
                    histograms.setHandleInvalid("skip").transform(mixed).collectAsList());
            List<Row> kept =
                    histograms.setHandleInvalid("keep").transform(mixed).collectAsList();
            assertEquals(60 + bad.count(), kept.size());
            assertEquals(
                    expected,
                    kept.stream().filter(row -> row.getAs("prediction") != null).toList());
            assertSays(
                    () -> histograms.setHandleInvalid("error").transform(mixed).count(), "chi2");
        }

        @Test
        void includeUnknownCategories() {
            Dataset<Row> table = Frames.table(60);
            KernelRegressionModel ofTable = small().setFeaturesCols("a", "side").fit(table);
            Dataset<Row> other = table.withColumn("side", functions.lit("above"));
            assertSays(
                    () -> ofTable.transform(other).count(),
                    "column 'side' holds 'above', which did not occur in training");
            assertEquals(0, ofTable.setHandleInvalid("skip").transform(other).count());
        }
    }
}
