package org.bochner.spark;

import org.apache.spark.ml.param.Param;

/**
 * The params of stages that predict classes.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface ClassificationParams<S> extends PredictionParams<S> {
    /** The column of the scores: a vector with a place for each class. The scores of two classes are −s and s. */
    default Param<String> rawPredictionCol() {
        return StageParams.output(this, "rawPredictionCol", "new column of the vector of scores");
    }

    /** The column of the probabilities: a vector with a place for each class. It is made if the model has probabilities. */
    default Param<String> probabilityCol() {
        return StageParams.output(
                this,
                "probabilityCol",
                "new column of the vector of probabilities, if the model has probabilities: learners logistic, softmax"
                        + " and lda, and others with a calibration");
    }

    /** Returns the column of the scores. */
    default String getRawPredictionCol() {
        return getOrDefault(rawPredictionCol());
    }

    /** Sets the column of the scores. */
    default S setRawPredictionCol(String value) {
        return StageParams.set(this, rawPredictionCol(), value);
    }

    /** Returns the column of the probabilities. */
    default String getProbabilityCol() {
        return getOrDefault(probabilityCol());
    }

    /** Sets the column of the probabilities. */
    default S setProbabilityCol(String value) {
        return StageParams.set(this, probabilityCol(), value);
    }
}
