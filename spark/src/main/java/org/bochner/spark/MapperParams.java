package org.bochner.spark;

import org.apache.spark.ml.param.Param;

/**
 * The params of stages that add a column of features.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface MapperParams<S> extends InputParams<S> {
    /** The new column of the features. */
    default Param<String> outputCol() {
        return StageParams.column(this, "outputCol", "new column of the vector of features of the map");
    }

    /** Returns the new column of the features. */
    default String getOutputCol() {
        return getOrDefault(outputCol());
    }

    /** Sets the new column of the features. */
    default S setOutputCol(String value) {
        return StageParams.set(this, outputCol(), value);
    }
}
