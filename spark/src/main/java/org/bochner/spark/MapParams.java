package org.bochner.spark;

import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.scale.Scalings;
import org.bochner.stats.Components;

/**
 * Params of the stages that fit a feature map. Their values are written as on the command line.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface MapParams<S> extends InputParams<S> {
    /** The kernel, such as {@code gaussian} or {@code exp-chi2(gamma=0.5)}; missing scales are chosen from the data. */
    default Param<String> kernel() {
        return StageParams.text(this, "kernel", "kernel; missing scales are chosen from the data", Kernels::recipe);
    }

    /** The feature map, such as {@code orthogonal} or {@code lp(error=0.01)}. */
    default Param<String> map() {
        return StageParams.text(this, "map", "feature map", FeatureMaps::parse);
    }

    /** The number of features, for maps that can make any number. */
    default IntParam features() {
        return StageParams.count(
                this, "features", "number of features, if the map can make any number; 1000 if it is not set");
    }

    /** The scaling of rows, such as {@code standard}; chosen from the data if it is not set. */
    default Param<String> scaling() {
        return StageParams.text(
                this, "scaling", "scaling of rows; chosen from the data if it is not set", Scalings::parse);
    }

    /** The number of principal components of the features, or a share of the variance. */
    default Param<String> components() {
        return StageParams.text(
                this,
                "components",
                "number of principal components of the features, such as 500, or a share of the variance, such as 0.99",
                Components::parse);
    }

    /** The seed of everything random. */
    default LongParam seed() {
        return StageParams.number(this, "seed", "seed of everything random");
    }

    /** Returns the kernel. */
    default String getKernel() {
        return getOrDefault(kernel());
    }

    /** Sets the kernel. */
    default S setKernel(String value) {
        return StageParams.set(this, kernel(), value);
    }

    /** Returns the map. */
    default String getMap() {
        return getOrDefault(map());
    }

    /** Sets the map. */
    default S setMap(String value) {
        return StageParams.set(this, map(), value);
    }

    /** Returns the number of features. */
    default int getFeatures() {
        return (Integer) getOrDefault(features());
    }

    /** Sets the number of features. */
    default S setFeatures(int value) {
        return StageParams.set(this, features(), value);
    }

    /** Returns the scaling. */
    default String getScaling() {
        return getOrDefault(scaling());
    }

    /** Sets the scaling. */
    default S setScaling(String value) {
        return StageParams.set(this, scaling(), value);
    }

    /** Returns the principal components. */
    default String getComponents() {
        return getOrDefault(components());
    }

    /** Sets the principal components. */
    default S setComponents(String value) {
        return StageParams.set(this, components(), value);
    }

    /** Returns the seed. */
    default long getSeed() {
        return (Long) getOrDefault(seed());
    }

    /** Sets the seed. */
    default S setSeed(long value) {
        return StageParams.set(this, seed(), value);
    }
}
