package org.bochner.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** DataFrames of generated rows. */
final class Frames {
    private static final int COLUMNS = 6;

    private static @Nullable SparkSession session;

    private Frames() {}

    /** Sets the session of all DataFrames. */
    static void use(SparkSession shared) {
        session = shared;
    }

    static SparkSession session() {
        return Objects.requireNonNull(session);
    }

    static StructField field(String name, org.apache.spark.sql.types.DataType type) {
        return new StructField(name, type, true, Metadata.empty());
    }

    static Dataset<Row> of(List<Row> rows, int partitions, StructField... fields) {
        return session()
                .createDataFrame(rows, new StructType(fields))
                .repartition(partitions)
                .cache();
    }

    /** A point, its class among three and a number. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Point(double[] x, int kind, double value) {}

    static List<Point> points(int count) {
        Random random = new Random(7);
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double[] x = random.doubles(COLUMNS).map(u -> 4 * u - 2).toArray();
            double radius = x[0] * x[0] + x[1] * x[1];
            points.add(new Point(x, radius < 1.2 ? 0 : radius < 3 ? 1 : 2, Math.sin(2 * x[0]) + x[1] * x[2]));
        }
        return points;
    }

    /** Returns vectors with the label of the class, 0 to 2, and the number. */
    static Dataset<Row> vectors(int count) {
        List<Row> rows = points(count).stream()
                .map(point -> RowFactory.create(Vectors.dense(point.x), (double) point.kind, point.value))
                .toList();
        return of(
                rows,
                3,
                field("features", SQLDataTypes.VectorType()),
                field("label", DataTypes.DoubleType),
                field("value", DataTypes.DoubleType));
    }

    /** Returns columns a to f, a text of the class, a text of the sign of a, and the number. */
    static Dataset<Row> table(int count) {
        String[] names = {"inner", "middle", "outer"};
        List<Row> rows = points(count).stream()
                .map(point -> RowFactory.create(
                        point.x[0],
                        point.x[1],
                        (float) point.x[2],
                        point.x[3] > 0,
                        (int) Math.round(point.x[4]),
                        point.x[0] > 0 ? "right" : "left",
                        names[point.kind],
                        point.value))
                .toList();
        return of(
                rows,
                3,
                field("a", DataTypes.DoubleType),
                field("b", DataTypes.DoubleType),
                field("c", DataTypes.FloatType),
                field("d", DataTypes.BooleanType),
                field("e", DataTypes.IntegerType),
                field("side", DataTypes.StringType),
                field("ring", DataTypes.StringType),
                field("value", DataTypes.DoubleType));
    }

    static double[][] matrix(List<Row> rows, String column) {
        return rows.stream().map(row -> row.<Vector>getAs(column).toArray()).toArray(double[][]::new);
    }

    static double[] numbers(List<Row> rows, String column) {
        return rows.stream()
                .mapToDouble(row -> ((Number) row.getAs(column)).doubleValue())
                .toArray();
    }

    /** Returns the largest difference of two arrays, divided by the standard deviation of the first. */
    static double difference(double[] expected, double[] actual) {
        double mean = java.util.Arrays.stream(expected).average().orElse(0);
        double variance = java.util.Arrays.stream(expected)
                .map(each -> (each - mean) * (each - mean))
                .average()
                .orElse(0);
        double largest = expected.length == actual.length ? 0 : Double.POSITIVE_INFINITY;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs(expected[i] - actual[i]));
        }
        return largest / Math.sqrt(variance);
    }
}
