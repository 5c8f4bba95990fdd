package org.bochner.spark;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.StringArrayParam;
import org.bochner.learn.CalibrationRecipe;

/**
 * The params of stages that train a machine for classes.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface ClassTrainingParams<S> extends TrainingParams<S>, ClassificationParams<S> {
    /** The calibration of scores to probabilities, such as {@code platt}. */
    default Param<String> calibration() {
        return StageParams.text(
                this, "calibration", "calibration of scores to probabilities", CalibrationRecipe::parse);
    }

    /** Whether all classes get the same total weight. */
    default BooleanParam balanced() {
        return StageParams.flag(this, "balanced", "true to give all classes the same total weight");
    }

    /** Factors of the row weights of classes, such as {@code spam=2}, or {@code 1=2} for a numeric label. */
    default StringArrayParam classWeights() {
        return StageParams.texts(
                this,
                "classWeights",
                "factors of the row weights of classes, such as spam=2; a class of a StringIndexer is named by its text, a"
                        + " numeric label by its number",
                TrainingChecks::classWeights);
    }

    /** Returns the calibration. */
    default String getCalibration() {
        return getOrDefault(calibration());
    }

    /** Sets the calibration. */
    default S setCalibration(String value) {
        return StageParams.set(this, calibration(), value);
    }

    /** Returns true if all classes get the same total weight. */
    default boolean getBalanced() {
        return (Boolean) getOrDefault(balanced());
    }

    /** Sets whether all classes get the same total weight. */
    default S setBalanced(boolean value) {
        return StageParams.set(this, balanced(), value);
    }

    /** Returns the factors of classes. */
    default String[] getClassWeights() {
        return getOrDefault(classWeights());
    }

    /** Sets factors of the row weights of classes. */
    default S setClassWeights(String... value) {
        return StageParams.set(this, classWeights(), value);
    }
}
