package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.bochner.base.DataException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked // JUnit sets fields, and a test that meets null fails
@ExtendWith(LocalSpark.class)
class PersistenceTest {
    @BeforeAll
    static void start(SparkSession session) {
        Frames.use(session);
    }

    @TempDir
    Path folder;

    private static KernelRegressor regressor() {
        return new KernelRegressor()
                .setKernel("gaussian(sigma=2)")
                .setFeatures(100)
                .setLearner("ridge(lambda=0.1)")
                .setLabelCol("value");
    }

    private static KernelClassifier classifier() {
        return new KernelClassifier()
                .setKernel("gaussian(sigma=1)")
                .setFeatures(100)
                .setLearner("ridge(lambda=0.1)");
    }

    private static double[] predictions(org.apache.spark.ml.Transformer model, Dataset<Row> rows) {
        return Frames.numbers(model.transform(rows).collectAsList(), "prediction");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @Nested
    class Stages {
        @Test
        void keepTheirParams() throws IOException {
            KernelClassifier stage = classifier()
                    .setFeaturesCols("a", "b")
                    .setClassWeights("1=2.5")
                    .setBalanced(true)
                    .setSeed(1L << 60)
                    .setCalibration("platt(folds=3)")
                    .setHandleInvalid("keep");
            stage.save(path("stage"));
            KernelClassifier same = KernelClassifier.load(path("stage"));
            assertEquals(stage.uid(), same.uid());
            assertEquals(plain(stage.explainParams()), plain(same.explainParams()));
            assertEquals(1L << 60, same.getSeed());
            assertArrayEquals(new String[] {"a", "b"}, same.getFeaturesCols());
        }

        /** Leaves out the identities of arrays. */
        private static String plain(String text) {
            return text.replaceAll("@[0-9a-f]+", "");
        }

        @Test
        void areNotOverwrittenUnlessAsked() throws IOException {
            classifier().save(path("stage"));
            assertThrows(IOException.class, () -> classifier().save(path("stage")));
            classifier().setFeatures(7).write().overwrite().save(path("stage"));
            assertEquals(7, KernelClassifier.load(path("stage")).getFeatures());
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(
                        List.of("stage"),
                        files.map(file -> file.getFileName().toString()).toList());
            }
        }

        @Test
        void withDamagedMetadataAreNamed() throws IOException {
            KernelRegressionModel model =
                    regressor().setFeaturesCols("a", "side").fit(Frames.table(60));
            model.save(path("model"));
            Path part = folder.resolve("model/metadata/part-00000");
            String whole = Files.readString(part);
            String[][] damages = {
                {"\"kind\":\"number\"", "\"kind\":\"colour\""},
                {"\"width\":1", "\"width\":\"one\""},
                {"\"width\":1", "\"width\":2"},
                {"\"categories\":[]", "\"categories\":7"},
                {"\"columns\":[", "\"columns\":[5,"},
                {"\"handleInvalid\":\"error\"", "\"handleInvalid\":[1]"},
                {"\"handleInvalid\":\"error\"", "\"handleInvalid\":\"drop\""}
            };
            for (String[] damage : damages) {
                String damaged = whole.replaceAll("\\s*([:,\\[])\\s*", "$1").replace(damage[0], damage[1]);
                assertTrue(damaged.contains(damage[1]), whole);
                Files.writeString(part, damaged);
                Files.deleteIfExists(folder.resolve("model/metadata/.part-00000.crc"));
                String message = String.valueOf(
                        assertThrows(DataException.class, () -> KernelRegressionModel.load(path("model")))
                                .getMessage());
                assertTrue(message.startsWith(path("model") + ": "), message);
                assertTrue(message.contains("damaged"), message);
            }
        }

        @Test
        void ofAnotherKindAreRefused() throws IOException {
            classifier().save(path("stage"));
            String message =
                    String.valueOf(assertThrows(RuntimeException.class, () -> KernelRegressor.load(path("stage")))
                            .getMessage());
            assertTrue(message.contains("KernelClassifier, not a org.bochner.spark.KernelRegressor"), message);
            assertTrue(assertThrows(RuntimeException.class, () -> KernelRegressor.load(path("absent")))
                    .getMessage()
                    .contains("is no saved stage"));
        }
    }

    @Nested
    class Models {
        @Test
        void predictTheSameAfterLoading() throws IOException {
            Dataset<Row> table = Frames.table(200);
            KernelRegressionModel model =
                    regressor().setFeaturesCols("a", "side", "d").fit(table);
            model.save(path("model"));
            KernelRegressionModel same = KernelRegressionModel.load(path("model"));
            assertArrayEquals(predictions(model, table), predictions(same, table));
            assertEquals(model.uid(), same.uid());
        }

        @Test
        void ofMixedColumnsKeepTheirCategories() throws IOException {
            Dataset<Row> rows = Frames.vectors(200).withColumn("kind", functions.expr("if(label = 0, 'in', 'out')"));
            KernelRegressionModel model =
                    regressor().setFeaturesCols("kind", "features").fit(rows);
            model.save(path("model"));
            assertArrayEquals(predictions(model, rows), predictions(KernelRegressionModel.load(path("model")), rows));
        }

        @Test
        void haveOneCategoryForSeveralSpellings() throws IOException {
            Dataset<Row> rows = Frames.vectors(200)
                    .withColumn(
                            "kind",
                            functions.expr("element_at(array('1', '1.0', '01', ' b', 'b', 'c'), 1 + cast(abs(value)"
                                    + " * 1000 as int) % 6)"));
            KernelRegressionModel model =
                    regressor().setFeaturesCols("kind", "features").fit(rows);
            assertEquals(9, model.numFeatures());
            model.save(path("model"));
            KernelRegressionModel same = KernelRegressionModel.load(path("model"));
            assertArrayEquals(predictions(model, rows), predictions(same, rows));
            Dataset<Row> spelled = rows.withColumn(
                    "kind", functions.expr("if(kind in ('1.0', '01'), '1', if(kind = ' b', 'b ', kind))"));
            assertArrayEquals(predictions(model, rows), predictions(same, spelled));
        }

        @Test
        void areReadByTheLibrary() throws IOException {
            Dataset<Row> rows = Frames.vectors(200);
            KernelRegressionModel model = regressor().fit(rows);
            model.save(path("model"));
            KernelModel own = KernelModel.load(folder.resolve("model/model.bochner"));
            List<Row> scored = model.transform(rows).collectAsList();
            double[] scores = Arrays.stream(Frames.matrix(scored, "features"))
                    .mapToDouble(own::predictNumber)
                    .toArray();
            assertTrue(Frames.difference(Frames.numbers(scored, "prediction"), scores) < 1e-6);
        }

        @Test
        void areCopiedByJavaThroughTheirSavedForm() throws IOException, ClassNotFoundException {
            Dataset<Row> rows = Frames.vectors(100);
            KernelClassificationModel model = classifier().fit(rows);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(model);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                assertArrayEquals(
                        predictions(model, rows), predictions((KernelClassificationModel) in.readObject(), rows));
            }
        }
    }

    @Nested
    class FilesOfModels {
        private Path csv() throws IOException {
            StringBuilder text = new StringBuilder("a,day,side,ring\n");
            int day = 1;
            for (Frames.Point point : Frames.points(300)) {
                text.append(day % 7 == 0 ? "" : point.x()[0])
                        .append(",2024-01-" + (day < 10 ? "0" : "") + day)
                        .append(point.x()[1] > 0 ? ",right" : ",left")
                        .append(point.x()[0] > 0 ? ",yes\n" : ",no\n");
                day = day % 28 + 1;
            }
            return Files.writeString(folder.resolve("rows.csv"), text);
        }

        /** The command trains from a file with dates, categories and missing values; Spark reads the same file. */
        @Test
        void ofTheCommandPredictDataFrames() throws IOException {
            Path csv = csv();
            DataOptions options =
                    DataOptions.of(csv.toString()).withLabel("ring").withMissingFilled(true);
            KernelModel own = KernelMachine.of("gaussian")
                    .withScaling("standard")
                    .withFeatures(100)
                    .withLearner(Learner.logistic().withLambda(0.1))
                    .fit(FileSource.open(options))
                    .model();
            own.save(folder.resolve("own.bochner"));
            double[] scores = new double[300];
            int[] next = new int[1];
            own.score(own.open(DataOptions.of(csv.toString())), new Workers(1), Progress.NONE, (rows, block) -> {
                System.arraycopy(block, 0, scores, next[0], rows.rows());
                next[0] += rows.rows();
            });

            KernelClassificationModel model = KernelClassificationModel.fromFile(path("own.bochner"));
            assertArrayEquals(new String[] {"a", "day", "side"}, model.getFeaturesCols());
            Dataset<Row> rows = Frames.session()
                    .read()
                    .option("header", true)
                    .option("inferSchema", true)
                    .csv(csv.toString());
            List<Row> predicted = model.transform(rows).collectAsList();
            double[] raw = predicted.stream()
                    .mapToDouble(row -> row.<org.apache.spark.ml.linalg.Vector>getAs("rawPrediction")
                            .apply(1))
                    .toArray();
            assertTrue(Frames.difference(scores, raw) < 1e-6);
            assertTrue(Arrays.asList(predicted.get(0).schema().fieldNames()).contains("probability"));

            // Other columns of the data frame may have the values, and other indices the classes.
            double[] turned = Frames.numbers(
                    model.copy(ParamMap.empty())
                            .setClassNames("yes", "no")
                            .setFeaturesCols("z", "day", "side")
                            .transform(rows.withColumnRenamed("a", "z"))
                            .collectAsList(),
                    "prediction");
            assertArrayEquals(
                    Frames.numbers(predicted, "prediction"),
                    Arrays.stream(turned).map(index -> 1 - index).toArray());
        }

        @Test
        void ofOtherKindsAreRefused() throws IOException {
            FileSource rows = FileSource.open(
                    DataOptions.of(csv().toString()).withLabel("ring").withMissingFilled(true));
            KernelMachine.of("linear").fit(rows).model().save(folder.resolve("own.bochner"));
            String message = String.valueOf(
                    assertThrows(RuntimeException.class, () -> KernelRegressionModel.fromFile(path("own.bochner")))
                            .getMessage());
            assertTrue(message.contains("predicts classes"), message);
            assertTrue(assertThrows(RuntimeException.class, () -> KernelRegressionModel.fromFile(path("no.bochner")))
                    .getMessage()
                    .contains("no.bochner"));
        }
    }

    @Test
    void ofPipelinesAndCrossValidationWorks() throws IOException {
        Dataset<Row> rows = Frames.vectors(150);
        KernelRegressor regressor = regressor();
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new FeatureMapper().setKernel("gaussian(sigma=2)").setFeatures(20), regressor.setFeaturesCol("mapped")
        });
        ParamMap[] grid =
                new ParamGridBuilder().addGrid(regressor.seed(), new long[] {1}).build();
        CrossValidator validator = new CrossValidator()
                .setEstimator(pipeline)
                .setEstimatorParamMaps(grid)
                .setEvaluator(new RegressionEvaluator().setLabelCol("value"))
                .setNumFolds(2);
        CrossValidatorModel model = validator.fit(rows);
        model.save(path("validated"));
        pipeline.save(path("pipeline"));
        assertArrayEquals(predictions(model, rows), predictions(CrossValidatorModel.load(path("validated")), rows));
        assertEquals(2, Pipeline.load(path("pipeline")).getStages().length);
    }
}
