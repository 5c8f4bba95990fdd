package org.bochner.model.file;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.map.FeatureMap;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link org.bochner.model.KernelModel}. They are checked to fit together.
 *
 * @param transformer the fitted scaling and the feature map
 *
 * @param linear the linear functions of the features; null if the model predicts nothing: a feature map, or principal
 *     components of its features
 * @param labels the labels that the model predicts; none if it predicts nothing
 * @param precision the precision of the features
 * @param encoding the encoding of files as rows; null if the model was trained from rows in memory
 * @param training the record of the training
 * @param calibration turns scores into probabilities; null if the model has none
 * @param axes the discriminant axes; null if the model has none
 * @param ofSets true if the model predicts sets of rows, from the means of their features
 * @param combined the members of a model that is made of several, of which the other parts are those of the {@linkplain
 *     CombinedParts#main main one}; null for other models
 * @param uncertainty the uncertainty of predictions, for intervals and sets of classes; null if the model has none
 */
public record ModelParts(
        Transformer transformer,
        @Nullable LinearModel linear,
        Labels labels,
        Precision precision,
        @Nullable Encoding encoding,
        TrainingRecord training,
        @Nullable Calibration calibration,
        @Nullable ScoreAxes axes,
        boolean ofSets,
        @Nullable CombinedParts combined,
        @Nullable Uncertainty uncertainty) {
    private static final String OWNER = "KernelModel";

    public ModelParts {
        FeatureMap map = transformer.map();
        Require.sameSize(OWNER, "columns of the scaler", transformer.scaler().columns(), map.inputDimension());
        if (linear == null) {
            Require.that(
                    labels.targets() == 0 && calibration == null && axes == null,
                    OWNER + ": labels, probabilities and axes need linear functions");
        } else {
            Require.sameSize(OWNER, "features", linear.features(), map.outputDimension());
            Require.sameSize(OWNER, "outputs", linear.outputs(), outputs(labels));
        }
        if (encoding != null) {
            Require.sameSize(OWNER, "columns of the encoding", encoding.columns(), map.inputDimension());
            Require.that(
                    linear == null || encoding.labels().equals(labels),
                    OWNER + ": the encoding has other labels than the model");
        }
        if (uncertainty != null) {
            Require.that(linear != null, OWNER, "uncertainty needs linear functions");
            Require.sameSize(OWNER, "outputs of the uncertainty", uncertainty.outputs(), uncertainOutputs(labels));
            if (uncertainty.hasDeviations()) {
                Require.that(
                        labels instanceof Labels.Numbers && combined == null,
                        OWNER,
                        "deviations need numbers and a single machine");
                Require.sameSize(OWNER, "features of the uncertainty", uncertainty.features(), map.outputDimension());
            }
        }
        if (axes != null && linear != null) {
            Require.sameSize(OWNER, "outputs of the axes", axes.outputs(), linear.outputs());
        }
        if (calibration != null) {
            Require.that(labels instanceof Labels.Classes, OWNER, "numbers have no probabilities");
            Require.sameSize(OWNER, "classes of the calibration", calibration.classes(), classes(labels));
        }
    }

    /** Creates the parts of a model that is not made of others. */
    public ModelParts(
            Transformer transformer,
            @Nullable LinearModel linear,
            Labels labels,
            Precision precision,
            @Nullable Encoding encoding,
            TrainingRecord training,
            @Nullable Calibration calibration,
            @Nullable ScoreAxes axes,
            boolean ofSets) {
        this(transformer, linear, labels, precision, encoding, training, calibration, axes, ofSets, null, null);
    }

    /**
     * Creates the parts of a cascade. Its scores are the logarithms of probabilities, so that those of different stages
     * can be compared.
     */
    public static ModelParts of(CascadeParts cascade) {
        ModelParts last = cascade.last();
        return of(cascade, last.training, Calibration.softmax(classes(last.labels)));
    }

    /** Creates the parts of a model that is made of others. */
    public static ModelParts of(CombinedParts combined, TrainingRecord training, @Nullable Calibration calibration) {
        ModelParts main = combined.main();
        return new ModelParts(
                main.transformer,
                main.linear,
                main.labels,
                main.precision,
                main.encoding,
                training,
                calibration,
                null,
                main.ofSets,
                combined,
                null);
    }

    /** Returns the stages of a cascade; null for other models. */
    public @Nullable CascadeParts cascade() {
        return combined instanceof CascadeParts cascade ? cascade : null;
    }

    /**
     * Creates the parts of a model without probabilities.
     *
     * @param source the training rows, whose labels and encoding the model gets
     */
    public static ModelParts of(
            Transformer transformer,
            LinearModel linear,
            RowSource source,
            Precision precision,
            TrainingRecord training) {
        return new ModelParts(
                transformer,
                linear,
                source.labels(),
                precision,
                source.encoding(),
                training,
                null,
                null,
                source.ofSets());
    }

    /**
     * Creates the parts of a model that predicts nothing: of a feature map, or of principal components of its features.
     *
     * @param source the rows that the map or the components were fitted to, whose encoding the model gets
     */
    public static ModelParts components(
            Transformer transformer, RowSource source, Precision precision, TrainingRecord training) {
        return new ModelParts(
                transformer, null, Labels.none(), precision, source.encoding(), training, null, null, source.ofSets());
    }

    public FeatureMap map() {
        return transformer.map();
    }

    /** Returns the linear functions; throws if the model predicts nothing. */
    public LinearModel requireLinear() {
        if (linear == null) {
            throw new BochnerException(
                    "the model holds a feature map or principal components, and predicts nothing; transform writes the"
                            + " features or components of rows");
        }
        return linear;
    }

    /**
     * Throws if the model is made of several models.
     *
     * @param operation what cannot be done with several models, such as {@code pruning}
     */
    public void requireOneStage(String operation) {
        if (combined != null) {
            String single = combined instanceof CascadeParts ? "a model of one stage" : "a single model";
            throw new BochnerException(
                    operation + " needs a model with one map, and this model is " + combined.description(),
                    Remedy.advice("train " + single + ", such as " + training.kernel() + ", for it"));
        }
    }

    /** Returns these parts with other axes. */
    public ModelParts withAxes(@Nullable ScoreAxes other) {
        return new ModelParts(
                transformer,
                linear,
                labels,
                precision,
                encoding,
                training,
                calibration,
                other,
                ofSets,
                combined,
                uncertainty);
    }

    /** Returns these parts with other probabilities, and without an uncertainty, which depends on them. */
    public ModelParts withCalibration(@Nullable Calibration other) {
        return new ModelParts(
                transformer, linear, labels, precision, encoding, training, other, axes, ofSets, combined, null);
    }

    /** Returns these parts with another uncertainty. */
    public ModelParts withUncertainty(@Nullable Uncertainty other) {
        return new ModelParts(
                transformer, linear, labels, precision, encoding, training, calibration, axes, ofSets, combined, other);
    }

    /** Returns true if a calibration was made after which a row's classes may have another order; false for cascades. */
    public boolean calibrationChangesOrder() {
        return !(combined instanceof CascadeParts)
                && linear != null
                && ((combined == null && linear.shifts() != null)
                        || (calibration != null && !calibration.keepsOrder()));
    }

    /** Returns scores without the shifts of a calibration, rows×outputs; the array itself if there are none. */
    public double[] uncalibrated(double[] scores, int rows) {
        double[] shifts = combined == null ? requireLinear().shifts() : null;
        if (shifts == null) {
            return scores;
        }
        double[] plain = Arrays.copyOf(scores, rows * shifts.length);
        for (int i = 0; i < plain.length; i++) {
            plain[i] -= shifts[i % shifts.length];
        }
        return plain;
    }

    /** Returns these parts with the probabilities that a logistic loss has; unchanged for other losses and numbers. */
    public ModelParts withProbabilitiesOf(Loss loss) {
        if (labels instanceof Labels.Classes && loss instanceof Loss.Logistic) {
            return withCalibration(Calibration.sigmoid(classes(labels)));
        }
        return labels instanceof Labels.Classes && loss instanceof Loss.Softmax
                ? withCalibration(Calibration.softmax(classes(labels)))
                : this;
    }

    /**
     * Returns these parts with another map and its weights. Probabilities and uncertainties that were fitted to other
     * scores, and axes, are dropped.
     */
    public ModelParts withMap(FeatureMap other, LinearModel weights, TrainingRecord changed) {
        Calibration kept = calibration != null && calibration.ofScores() ? calibration : null;
        Transformer left = new Transformer(transformer.scaler(), other);
        return new ModelParts(left, weights, labels, precision, encoding, changed, kept, null, ofSets);
    }

    /** Returns the number of classes; 0 for numbers. */
    public static int classes(Labels labels) {
        return labels instanceof Labels.Classes classes ? classes.names().size() : 0;
    }

    /** Returns the number of outputs of an uncertainty: one per number, or one for all classes together. */
    static int uncertainOutputs(Labels labels) {
        return labels instanceof Labels.Classes ? 1 : labels.targets();
    }

    private static int outputs(Labels labels) {
        if (labels instanceof Labels.Classes) {
            int count = Require.atLeast(OWNER, "classes", classes(labels), 2);
            return count == 2 ? 1 : count;
        }
        return Require.atLeast(OWNER, "numbers to predict", labels.targets(), 1);
    }
}
