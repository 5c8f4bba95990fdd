package org.bochner.spark;

import java.util.List;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.types.StructField;
import org.bochner.model.KernelModel;

/**
 * Trains a kernel machine that predicts a number.
 *
 * <pre>{@code
 * KernelRegressionModel model = new KernelRegressor()
 *         .setFeaturesCols("rooms", "area", "heating")
 *         .setLabelCol("price")
 *         .setFeatures(2000)
 *         .fit(flats);
 * }</pre>
 *
 * <p>Passes over the rows run on the executors, as with {@link KernelClassifier}, whose page describes what this stage has in
 * common with it.
 */
public final class KernelRegressor extends KernelEstimator<KernelRegressionModel, KernelRegressor> {
    private static final long serialVersionUID = 1L;

    /** Creates a stage with default params. */
    public KernelRegressor() {
        this(Identifiable$.MODULE$.randomUID("KernelRegressor"));
    }

    /** Creates a stage with an id. */
    public KernelRegressor(String uid) {
        super(uid);
    }

    /** Returns a reader of saved stages. */
    public static MLReader<KernelRegressor> read() {
        return StageReader.ofStage(KernelRegressor.class, KernelRegressor::new);
    }

    /** Reads a saved stage. */
    public static KernelRegressor load(String path) {
        return read().load(path);
    }

    @Override
    FrameReader.Meaning meaning() {
        return FrameReader.Meaning.NUMBERS;
    }

    @Override
    void requireLabels(SparkRows rows) {}

    @Override
    String labelRemedy() {
        return "cast it to double, or predict classes with KernelClassifier";
    }

    @Override
    List<StructField> added() {
        return getPredictionCol().isEmpty() ? List.of() : List.of(Schemas.number(getPredictionCol()));
    }

    @Override
    KernelRegressionModel trained(KernelModel model, SparkRows rows) {
        return new KernelRegressionModel(
                uid(), new StoredModel(model), rows.layout().cells());
    }

    @Override
    public KernelRegressor copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
