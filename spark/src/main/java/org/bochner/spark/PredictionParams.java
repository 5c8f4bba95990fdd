package org.bochner.spark;

import org.apache.spark.ml.param.Param;

/**
 * The params of stages that predict.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface PredictionParams<S> extends InputParams<S> {
    /** The column of the predictions: a number, or the index of a class. */
    default Param<String> predictionCol() {
        return StageParams.output(this, "predictionCol", "new column of the prediction");
    }

    /** Returns the column of the predictions. */
    default String getPredictionCol() {
        return getOrDefault(predictionCol());
    }

    /** Sets the column of the predictions. */
    default S setPredictionCol(String value) {
        return StageParams.set(this, predictionCol(), value);
    }
}
