package org.bochner.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.types.StructField;
import org.bochner.base.BochnerException;
import org.bochner.data.cell.Cells;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.model.KernelModel;
import org.bochner.tune.MultipleKernels;

/**
 * Trains a kernel machine that predicts classes.
 *
 * <pre>{@code
 * KernelClassificationModel model = new KernelClassifier()
 *         .setKernel("gaussian")
 *         .setFeatures(2000)
 *         .setLearner("svm(C=1)")
 *         .fit(rows);
 * }</pre>
 *
 * <p>The label column holds numbers: the indices that {@code StringIndexer} made, or whole numbers from 0. Texts are refused,
 * because evaluators and cross-validation compare predictions with labels as numbers.
 *
 * <p>The passes that find scaling and scales, sum up statistics and compute gradients run on the executors, where the rows are
 * kept. Learners that look at single rows one after the other, kernel learning ({@link #learnScales}) and multiple kernel learning
 * ({@link #channels}) stream rows to the driver in the passes that are not distributed: results are the same, and such passes take
 * the time of one process.
 *
 * <p>This stage is an {@code Estimator} and not one of Spark's {@code Predictor}s: these take one vector column, read the labels
 * in a job of their own, and their models predict one row at a time. The params have the same names.
 */
public final class KernelClassifier extends KernelEstimator<KernelClassificationModel, KernelClassifier>
        implements ClassTrainingParams<KernelClassifier> {
    private static final long serialVersionUID = 1L;

    /** The learners whose models have probabilities without a calibration. */
    private static final Set<String> PROBABILISTIC = Set.of("logistic", "softmax", "lda");

    /** Creates a stage with default params. */
    public KernelClassifier() {
        this(Identifiable$.MODULE$.randomUID("KernelClassifier"));
    }

    /** Creates a stage with an id. */
    public KernelClassifier(String uid) {
        super(uid);
        setDefault(rawPredictionCol(), "rawPrediction");
        setDefault(probabilityCol(), "probability");
        setDefault(balanced(), false);
    }

    /** Returns a reader of saved stages. */
    public static MLReader<KernelClassifier> read() {
        return StageReader.ofStage(KernelClassifier.class, KernelClassifier::new);
    }

    /** Reads a saved stage. */
    public static KernelClassifier load(String path) {
        return read().load(path);
    }

    @Override
    FrameReader.Meaning meaning() {
        return FrameReader.Meaning.CLASSES;
    }

    @Override
    void requireLabelColumn(StructField column) {
        Map<String, String> spellings = new HashMap<>();
        for (String name : FrameReader.nominalValues(column).orElse(new String[0])) {
            String other = spellings.put(Cells.canonical(name), name);
            if (other != null) {
                throw new BochnerException("labelCol: the classes '" + other + "' and '" + name + "' of column '"
                        + column.name() + "' differ only in their spelling; give equal classes equal texts before"
                        + " StringIndexer");
            }
        }
    }

    @Override
    void requireLabels(SparkRows rows) {
        if (rows.layout().label().indexed().isEmpty()) {
            KernelClassificationModel.requireIndices(rows.labels().names(), getLabelCol());
        }
    }

    @Override
    String labelRemedy() {
        return "index its classes with StringIndexer";
    }

    @Override
    List<StructField> added() {
        List<StructField> added = new ArrayList<>();
        if (!getRawPredictionCol().isEmpty()) {
            added.add(Schemas.vector(getRawPredictionCol(), 0));
        }
        if (!getProbabilityCol().isEmpty() && probabilistic()) {
            added.add(Schemas.vector(getProbabilityCol(), 0));
        }
        if (!getPredictionCol().isEmpty()) {
            added.add(Schemas.number(getPredictionCol()));
        }
        return added;
    }

    /** Returns true if the model will have probabilities. */
    private boolean probabilistic() {
        if (isSet(channels())) {
            return getLoss().startsWith("logistic");
        }
        Optional<String> calibration = StageParams.textOf(this, calibration());
        return calibration.isPresent()
                ? CalibrationRecipe.parse(calibration.get()).method() != CalibrationRecipe.Method.QUANTILE
                : PROBABILISTIC.contains(Learner.parse(getLearner()).name());
    }

    @Override
    List<Param<?>> notForChannels() {
        List<Param<?>> params = super.notForChannels();
        params.add(calibration());
        return params;
    }

    @Override
    MultipleKernels weighted(MultipleKernels recipe) {
        MultipleKernels balanced = recipe.withBalancedClasses(getBalanced());
        return isDefined(classWeights())
                ? balanced.withClassWeights(TrainingChecks.classWeights(getClassWeights()))
                : balanced;
    }

    @Override
    KernelClassificationModel trained(KernelModel model, SparkRows rows) {
        KernelClassificationModel stage = new KernelClassificationModel(
                uid(), new StoredModel(model), rows.layout().cells());
        List<String> indexed = rows.layout().label().indexed();
        return indexed.isEmpty() ? stage : stage.setClassNames(indexed.toArray(String[]::new));
    }

    @Override
    public KernelClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }
}
