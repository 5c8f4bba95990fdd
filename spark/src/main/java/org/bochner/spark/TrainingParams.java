package org.bochner.spark;

import java.util.List;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.StringArrayParam;
import org.bochner.learn.Learner;
import org.bochner.tune.ChannelLoss;
import org.bochner.tune.Criterion;
import org.bochner.tune.MultipleKernels;

/**
 * The params of stages that train a machine. Values are the spellings of the library.
 *
 * @param <S> the type of the stage, which setters return
 */
public interface TrainingParams<S> extends MapParams<S>, PredictionParams<S> {
    /** The column of the labels. */
    default Param<String> labelCol() {
        return StageParams.column(this, "labelCol", "column of the labels");
    }

    /** The column of the row weights; all weights are 1 if it is not set. */
    default Param<String> weightCol() {
        return StageParams.column(this, "weightCol", "column of the row weights; all are 1 if it is not set");
    }

    /** The learner, such as {@code ridge}, {@code svm(C=1)} or {@code logistic}; missing penalties are chosen from the data. */
    default Param<String> learner() {
        return StageParams.text(
                this,
                "learner",
                "loss, penalties and solver; missing penalties are chosen from the data",
                Learner::parse);
    }

    /** The floating-point type of the features: {@code float} or {@code double}. */
    default Param<String> precision() {
        return StageParams.oneOf(this, "precision", "floating-point type of the features", List.of("float", "double"));
    }

    /** The uncertainty of predictions, such as {@code conformal}, which the saved model has. */
    default Param<String> uncertainty() {
        return StageParams.text(
                this,
                "uncertainty",
                "uncertainty of predictions that the saved model has, for intervals and sets of classes",
                TrainingChecks::uncertainty);
    }

    /**
     * Which length-scales of the kernel are learned by gradients: {@code one}, {@code block} or {@code column};
     * {@code frequency} learns the frequencies of the map, and {@code none}, the default, learns neither.
     */
    default Param<String> learnScales() {
        return StageParams.oneOf(
                this,
                "learnScales",
                "length-scales that kernel learning finds by gradients of the criterion",
                List.of("none", "one", "block", "column", "frequency"));
    }

    /** The criterion of kernel learning, such as {@code cv(folds=5)}, {@code loo} or {@code evidence}. */
    default Param<String> criterion() {
        return StageParams.text(this, "criterion", "criterion of kernel learning", Criterion::parse);
    }

    /** The channels of multiple kernel learning, such as {@code shape=0:76,colour=76:292}; off if it is not set. */
    default Param<String> channels() {
        return StageParams.text(
                this,
                "channels",
                "channels of columns, such as shape=0:76,colour=76:292, whose kernels get learned weights",
                MultipleKernels::channels);
    }

    /** The kernels of channels that do not have {@link #kernel}, such as {@code shape=chi2}. */
    default StringArrayParam channelKernels() {
        return StageParams.texts(
                this,
                "channelKernels",
                "kernels of single channels, such as shape=chi2; the other channels have the param kernel",
                kernels -> kernels);
    }

    /**
     * The norm of the kernel weights of channels: 1 drops useless channels, a larger number keeps all, {@code average} makes
     * the weights equal.
     */
    default Param<String> norm() {
        return StageParams.text(
                this,
                "norm",
                "norm of the kernel weights of channels: 1, a larger number, or average",
                TrainingChecks::norm);
    }

    /** The loss of multiple kernel learning, such as {@code square} or {@code logistic}. */
    default Param<String> loss() {
        return StageParams.text(
                this, "loss", "loss of multiple kernel learning, which has no learner", ChannelLoss::parse);
    }

    /** Returns the column of the labels. */
    default String getLabelCol() {
        return getOrDefault(labelCol());
    }

    /** Sets the column of the labels. */
    default S setLabelCol(String value) {
        return StageParams.set(this, labelCol(), value);
    }

    /** Returns the column of the row weights. */
    default String getWeightCol() {
        return getOrDefault(weightCol());
    }

    /** Sets the column of the row weights. */
    default S setWeightCol(String value) {
        return StageParams.set(this, weightCol(), value);
    }

    /** Returns the learner. */
    default String getLearner() {
        return getOrDefault(learner());
    }

    /** Sets the learner. */
    default S setLearner(String value) {
        return StageParams.set(this, learner(), value);
    }

    /** Returns the floating-point type of the features. */
    default String getPrecision() {
        return getOrDefault(precision());
    }

    /** Sets the floating-point type of the features. */
    default S setPrecision(String value) {
        return StageParams.set(this, precision(), value);
    }

    /** Returns the uncertainty. */
    default String getUncertainty() {
        return getOrDefault(uncertainty());
    }

    /** Sets the uncertainty. */
    default S setUncertainty(String value) {
        return StageParams.set(this, uncertainty(), value);
    }

    /** Returns what kernel learning learns. */
    default String getLearnScales() {
        return getOrDefault(learnScales());
    }

    /** Sets what kernel learning learns. */
    default S setLearnScales(String value) {
        return StageParams.set(this, learnScales(), value);
    }

    /** Returns the criterion of kernel learning. */
    default String getCriterion() {
        return getOrDefault(criterion());
    }

    /** Sets the criterion of kernel learning. */
    default S setCriterion(String value) {
        return StageParams.set(this, criterion(), value);
    }

    /** Returns the channels of multiple kernel learning. */
    default String getChannels() {
        return getOrDefault(channels());
    }

    /** Sets the channels of multiple kernel learning. */
    default S setChannels(String value) {
        return StageParams.set(this, channels(), value);
    }

    /** Returns the kernels of single channels. */
    default String[] getChannelKernels() {
        return getOrDefault(channelKernels());
    }

    /** Sets the kernels of single channels. */
    default S setChannelKernels(String... value) {
        return StageParams.set(this, channelKernels(), value);
    }

    /** Returns the norm of kernel weights. */
    default String getNorm() {
        return getOrDefault(norm());
    }

    /** Sets the norm of kernel weights. */
    default S setNorm(String value) {
        return StageParams.set(this, norm(), value);
    }

    /** Returns the loss of multiple kernel learning. */
    default String getLoss() {
        return getOrDefault(loss());
    }

    /** Sets the loss of multiple kernel learning. */
    default S setLoss(String value) {
        return StageParams.set(this, loss(), value);
    }
}
