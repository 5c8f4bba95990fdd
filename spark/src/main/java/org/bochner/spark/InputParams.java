package org.bochner.spark;

import java.util.List;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/**
 * The params of stages that read rows: the columns of the features, and what becomes of rows that cannot be read.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface InputParams<S> extends Params {
    /** The values of {@link #handleInvalid}. */
    List<String> INVALID = List.of("error", "skip", "keep");

    /** The column of the features: a vector, or an array of numbers. */
    default Param<String> featuresCol() {
        return StageParams.column(this, "featuresCol", "column of the features: a vector or an array of numbers");
    }

    /** The columns of the features, in place of {@link #featuresCol}. */
    default StringArrayParam featuresCols() {
        return StageParams.texts(
                this,
                "featuresCols",
                "columns of the features, in place of featuresCol: numbers, booleans, vectors, arrays of numbers, and"
                        + " texts, whose categories become columns of zeros and ones",
                names -> {
                    if (names.length == 0) {
                        throw new IllegalArgumentException("must name at least one column");
                    }
                    return names;
                });
    }

    /** What {@code transform} does with rows that it cannot read. */
    default Param<String> handleInvalid() {
        return StageParams.oneOf(
                this,
                "handleInvalid",
                "what transform does with rows of null or NaN values, unknown categories, or vectors of another"
                        + " length: fails, leaves them out, or keeps them with null in the new columns",
                INVALID);
    }

    /** Returns the column of the features. */
    default String getFeaturesCol() {
        return getOrDefault(featuresCol());
    }

    /** Sets the column of the features. */
    default S setFeaturesCol(String value) {
        return StageParams.set(this, featuresCol(), value);
    }

    /** Returns the columns of the features; fails if there is a single one. */
    default String[] getFeaturesCols() {
        return getOrDefault(featuresCols());
    }

    /** Sets the columns of the features. */
    default S setFeaturesCols(String... value) {
        return StageParams.set(this, featuresCols(), value);
    }

    /** Returns what becomes of rows that cannot be read. */
    default String getHandleInvalid() {
        return getOrDefault(handleInvalid());
    }

    /** Sets what becomes of rows that cannot be read: {@code error}, {@code skip} or {@code keep}. */
    default S setHandleInvalid(String value) {
        return StageParams.set(this, handleInvalid(), value);
    }
}
