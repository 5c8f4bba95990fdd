package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.bochner.kernel.Kernel;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked // JUnit sets fields, and a test that meets null fails
@ExtendWith(LocalSpark.class)
class FeatureMapperTest {
    @BeforeAll
    static void start(SparkSession session) {
        Frames.use(session);
    }

    @TempDir
    Path folder;

    @Test
    void hasInnerProductsNearTheKernel() {
        Dataset<Row> rows = Frames.vectors(50);
        FeatureMapperModel mapper = new FeatureMapper()
                .setKernel("gaussian(sigma=2)")
                .setFeatures(4000)
                .fit(rows);
        Dataset<Row> mapped = mapper.transform(rows);
        assertEquals(
                4000,
                AttributeGroup.fromStructField(mapped.schema().apply("mapped")).size());
        List<Row> all = mapped.collectAsList();
        Kernel kernel = mapper.kernelModel().map().kernel();
        for (int i = 0; i < all.size(); i++) {
            Vector x = all.get(0).getAs("features");
            Vector y = all.get(i).getAs("features");
            double product = org.apache.spark.ml.linalg.BLAS.dot(
                    all.get(0).getAs("mapped"), all.get(i).getAs("mapped"));
            // Hoeffding: 2000 products of cosines deviate by more than 0.15 with a probability below 1e-9.
            assertEquals(kernel.value(x.toArray(), y.toArray()), product, 0.15);
        }
    }

    @Test
    void makesLinearLearnersOfSparkKernelMachines() {
        Dataset<Row> rows = Frames.vectors(600);
        Dataset<Row> mapped = new FeatureMapper().setFeatures(200).fit(rows).transform(rows);
        Dataset<Row> predicted = new LinearRegression()
                .setFeaturesCol("mapped")
                .setLabelCol("value")
                .fit(mapped)
                .transform(mapped);
        assertTrue(new RegressionEvaluator()
                        .setLabelCol("value")
                        .setMetricName("r2")
                        .evaluate(predicted)
                > 0.8);
    }

    @Test
    void findsComponentsAndIsSaved() throws IOException {
        Dataset<Row> rows = Frames.vectors(300);
        FeatureMapperModel mapper = new FeatureMapper()
                .setFeatures(100)
                .setComponents("5")
                .setOutputCol("pc")
                .fit(rows);
        mapper.save(folder.resolve("mapper").toString());
        FeatureMapperModel same =
                FeatureMapperModel.load(folder.resolve("mapper").toString());
        double[][] expected = Frames.matrix(mapper.transform(rows).collectAsList(), "pc");
        double[][] actual = Frames.matrix(same.transform(rows).collectAsList(), "pc");
        assertEquals(5, expected[0].length);
        assertArrayEquals(expected, actual);
    }

    @Test
    void readsTheMapOfATrainedModel() throws IOException {
        Dataset<Row> rows = Frames.vectors(60);
        new KernelRegressor()
                .setLabelCol("value")
                .setKernel("gaussian(sigma=2)")
                .setFeatures(30)
                .fit(rows)
                .save(folder.resolve("model").toString());
        FeatureMapperModel mapper = FeatureMapperModel.fromFile(
                folder.resolve("model").resolve("model.bochner").toString());
        assertEquals(30, mapper.transform(rows).first().<Vector>getAs("mapped").size());
        assertEquals(30, mapper.outputDimension());
        assertTrue(Vectors.norm(mapper.transform(rows).first().getAs("mapped"), 2) > 0);
    }
}
