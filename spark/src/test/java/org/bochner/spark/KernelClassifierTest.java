package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.attribute.Attribute;
import org.apache.spark.ml.attribute.NominalAttribute;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.IndexToString;
import org.apache.spark.ml.feature.StringIndexer;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.bochner.data.MemorySource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.numeric.Precision;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LocalSpark.class)
class KernelClassifierTest {
    @BeforeAll
    static void start(SparkSession session) {
        Frames.use(session);
    }

    private static KernelClassifier small() {
        return new KernelClassifier()
                .setKernel("gaussian(sigma=1)")
                .setFeatures(200)
                .setLearner("ridge(lambda=0.1)");
    }

    private static double accuracy(Dataset<Row> predicted) {
        return new MulticlassClassificationEvaluator().setMetricName("accuracy").evaluate(predicted);
    }

    @Nested
    class InPipelines {
        @Test
        void learnsFromAnAssemblerAndAnIndexer() {
            Dataset<Row> table = Frames.table(600);
            Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
                new StringIndexer().setInputCol("ring").setOutputCol("label"),
                new VectorAssembler().setInputCols(new String[] {"a", "b", "c"}).setOutputCol("features"),
                small().setLearner("logistic(l2=0.01)"),
                new IndexToString().setInputCol("prediction").setOutputCol("named")
            });
            PipelineModel model = pipeline.fit(table);
            Dataset<Row> predicted = model.transform(table).cache();

            assertTrue(accuracy(predicted) > 0.9);
            // The prediction names the class of the index, as the indexer ordered them.
            List<Row> rows = predicted.collectAsList();
            long equal = rows.stream()
                    .filter(row -> row.getAs("ring").equals(row.getAs("named")))
                    .count();
            assertEquals(accuracy(predicted), (double) equal / rows.size(), 1e-12);
            NominalAttribute names = (NominalAttribute)
                    Attribute.fromStructField(predicted.schema().apply("prediction"));
            NominalAttribute indexed = (NominalAttribute)
                    Attribute.fromStructField(predicted.schema().apply("label"));
            assertArrayEquals(indexed.values().get(), names.values().get());
            Row first = rows.get(0);
            double sum =
                    Arrays.stream(first.<Vector>getAs("probability").toArray()).sum();
            assertEquals(1, sum, 1e-9);
            assertEquals(first.<Vector>getAs("probability").argmax(), (int)
                    first.<Double>getAs("prediction").doubleValue());
        }

        @Test
        void isTunedByCrossValidation() {
            Dataset<Row> rows = Frames.vectors(300);
            KernelClassifier classifier = small();
            ParamMap[] grid = new ParamGridBuilder()
                    .addGrid(classifier.kernel(), scala(List.of("gaussian(sigma=100)", "gaussian(sigma=1)")))
                    .build();
            CrossValidatorModel best = new CrossValidator()
                    .setEstimator(classifier)
                    .setEstimatorParamMaps(grid)
                    .setEvaluator(new MulticlassClassificationEvaluator())
                    .setNumFolds(2)
                    .setSeed(1)
                    .fit(rows);
            assertEquals(
                    "gaussian(sigma=1)",
                    ((KernelClassificationModel) best.bestModel())
                            .kernelModel()
                            .map()
                            .kernel()
                            .toString());
        }

        private <T> scala.collection.Iterable<T> scala(List<T> values) {
            return scala.jdk.javaapi.CollectionConverters.asScala(values);
        }

        @Test
        void givesTwoScoresToBinaryEvaluators() {
            Dataset<Row> rows = Frames.vectors(400).withColumn("label", functions.expr("if(label = 2, 1, 0)"));
            Dataset<Row> predicted = small().fit(rows).transform(rows);
            assertTrue(new BinaryClassificationEvaluator().evaluate(predicted) > 0.95);
            assertFalse(Arrays.asList(predicted.columns()).contains("probability"), "ridge has no probabilities");
        }
    }

    @Nested
    class Scores {
        private void agree(String precision, double most) {
            Dataset<Row> rows = Frames.vectors(500);
            KernelClassifier classifier = new KernelClassifier()
                    .setFeatures(150)
                    .setPrecision(precision)
                    .setLearner("ridge(lambda=0.5)");
            KernelClassificationModel model = classifier.fit(rows);
            List<Row> scored = model.transform(rows).collectAsList();

            MemorySource own = MemorySource.of(Frames.matrix(scored, "features"))
                    .withClasses(scored.stream()
                            .map(row -> Integer.toString(
                                    (int) row.<Double>getAs("label").doubleValue()))
                            .toArray(String[]::new));
            KernelModel core = KernelMachine.of("gaussian")
                    .withOpenKernel()
                    .withFeatures(150)
                    .withPrecision(precision.equals("double") ? Precision.FLOAT64 : Precision.FLOAT32)
                    .withLearner("ridge(lambda=0.5)")
                    .fit(own)
                    .model();
            for (int c = 0; c < 3; c++) {
                int place = c;
                double[] expected = Arrays.stream(Frames.matrix(scored, "features"))
                        .mapToDouble(row -> core.score(row)[place])
                        .toArray();
                double[] actual = scored.stream()
                        .mapToDouble(row -> row.<Vector>getAs("rawPrediction").apply(place))
                        .toArray();
                double difference = Frames.difference(expected, actual);
                assertTrue(difference <= most, () -> "difference " + difference);
            }
            assertEquals(core.map().kernel(), model.kernelModel().map().kernel());
        }

        @Test
        void equalThoseOfTheLibraryInDouble() {
            agree("double", 1e-8);
        }

        @Test
        void equalThoseOfTheLibraryInFloat() {
            agree("float", 1e-4);
        }

        @Test
        void areEqualAfterASecondFit() {
            Dataset<Row> rows = Frames.vectors(300);
            assertArrayEquals(
                    small().fit(rows).stored().bytes(),
                    small().fit(rows).stored().bytes());
        }

        @Test
        void areThoseOfDenseVectorsForSparseOnes() {
            Dataset<Row> rows = Frames.vectors(200);
            KernelClassificationModel model = small().fit(rows);
            org.apache.spark.sql.api.java.UDF1<Vector, Vector> sparse = Vector::toSparse;
            Dataset<Row> other = rows.withColumn(
                    "features",
                    functions
                            .udf(sparse, org.apache.spark.ml.linalg.SQLDataTypes.VectorType())
                            .apply(functions.col("features")));
            double[] dense = Frames.numbers(model.transform(rows).collectAsList(), "prediction");
            double[] same = Frames.numbers(model.transform(other).collectAsList(), "prediction");
            assertArrayEquals(dense, same);
        }
    }

    @Nested
    class Classes {
        @Test
        void haveAPlaceForEachNumberUpToTheLargest() {
            Dataset<Row> rows = Frames.vectors(300).withColumn("label", functions.expr("label * 2 + 1"));
            KernelClassificationModel model = small().setCalibration("platt").fit(rows);
            Row first = model.transform(rows).first();
            assertEquals(6, model.numClasses());
            assertEquals(0, first.<Vector>getAs("probability").apply(4));
            assertEquals(
                    Double.NEGATIVE_INFINITY,
                    first.<Vector>getAs("rawPrediction").apply(0));
            assertTrue(List.of(1.0, 3.0, 5.0).contains(first.<Double>getAs("prediction")));
        }

        @Test
        void keepTheirIndexIfOneDoesNotOccur() {
            Dataset<Row> table = Frames.table(400);
            Dataset<Row> indexed = new StringIndexer()
                    .setInputCol("ring")
                    .setOutputCol("label")
                    .setStringOrderType("alphabetAsc")
                    .fit(table)
                    .transform(table);
            Dataset<Row> some = indexed.filter("ring != 'inner'");
            KernelClassificationModel model = small().setFeaturesCols("a", "b").fit(some);
            List<Row> predicted = model.transform(some).collectAsList();
            assertEquals(3, model.numClasses());
            assertTrue(predicted.stream().allMatch(row -> row.<Double>getAs("prediction") >= 1));
            assertEquals(
                    List.of("middle", "outer"), model.kernelModel().labels().names());
        }

        @Test
        void getWeightsByName() {
            Dataset<Row> rows = Frames.vectors(400);
            long usual = small().setLearner("ridge(lambda=100)")
                    .fit(rows)
                    .transform(rows)
                    .filter("prediction = 0")
                    .count();
            long weighted = small().setLearner("ridge(lambda=100)")
                    .setClassWeights("0=20")
                    .fit(rows)
                    .transform(rows)
                    .filter("prediction = 0")
                    .count();
            assertTrue(weighted > usual);
        }

        @Test
        void mustNotDifferOnlyInSpelling() {
            Dataset<Row> texts = Frames.vectors(60)
                    .withColumn("text", functions.expr("element_at(array('1', '1.0', '01'), 1 + int(label))"))
                    .drop("label");
            Dataset<Row> rows = new StringIndexer()
                    .setInputCol("text")
                    .setOutputCol("label")
                    .setStringOrderType("alphabetAsc")
                    .fit(texts)
                    .transform(texts);
            assertEquals(
                    "labelCol: the classes '01' and '1' of column 'label' differ only in their spelling;"
                            + " give equal classes equal texts before StringIndexer",
                    message(() -> small().fit(rows)));
        }

        @Test
        void mustBeIndices() {
            Dataset<Row> rows = Frames.vectors(60);
            String fractions = message(() -> small().fit(rows.withColumn("label", functions.expr("label + 0.5"))));
            assertTrue(
                    fractions.contains("column 'label' holds 0.5") && fractions.contains("StringIndexer"), fractions);
            String large =
                    message(() -> small().fit(rows.withColumn("label", functions.expr("if(label = 0, 0, 999999)"))));
            assertTrue(
                    large.contains("column 'label' holds 999999")
                            && large.contains("from 0 to 9999. Index the classes"),
                    large);
            String texts = message(() -> small().fit(rows.withColumn("label", functions.expr("string(label)"))));
            assertTrue(texts.contains("of type string") && texts.contains("StringIndexer"), texts);
            String one = message(() -> small().fit(rows.filter("label = 1")));
            assertTrue(one.contains("all rows are of the class '1'"), one);
        }
    }

    private static String message(org.junit.jupiter.api.function.Executable run) {
        return String.valueOf(assertThrows(RuntimeException.class, run).getMessage());
    }
}
