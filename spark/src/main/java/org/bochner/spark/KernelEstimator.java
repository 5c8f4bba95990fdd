package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.data.ColumnRange;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.bochner.tune.Sharing;

/**
 * A stage that trains a kernel machine on the executors.
 *
 * @param <M> the type of the trained stage
 * @param <S> the type of this stage
 */
abstract class KernelEstimator<M extends ModelStage<M>, S> extends Estimator<M>
        implements TrainingParams<S>, MLWritable {
    private static final long serialVersionUID = 1L;

    private static final String NONE = "none";

    private final String uid;

    KernelEstimator(String uid) {
        this.uid = uid;
        MachineRecipe.defaults(this);
        setDefault(labelCol(), "label");
        setDefault(predictionCol(), "prediction");
        setDefault(learner(), "ridge");
        setDefault(precision(), "float");
        setDefault(learnScales(), NONE);
        setDefault(criterion(), "cv");
        setDefault(norm(), "1");
        setDefault(loss(), "square");
    }

    @Override
    public String uid() {
        return uid;
    }

    /** Returns what the labels are. */
    abstract FrameReader.Meaning meaning();

    /** Fails if a column of numbers cannot be that of the labels. */
    void requireLabelColumn(StructField column) {}

    /** Fails if the labels cannot be learned. */
    abstract void requireLabels(SparkRows rows);

    /** Returns the columns that the trained stage will add. */
    abstract List<StructField> added();

    /** Returns the trained stage. */
    abstract M trained(KernelModel model, SparkRows rows);

    /** Returns what to do about labels that are texts. */
    abstract String labelRemedy();

    @Override
    public StructType transformSchema(StructType schema) {
        return StageFailures.inParams(() -> {
            Schemas.requireFeatures(schema, this);
            requireNoFeature(getLabelCol(), labelCol());
            StageParams.textOf(this, weightCol()).ifPresent(weight -> requireNoFeature(weight, weightCol()));
            Schemas.requireNumbers(schema, getLabelCol(), "labelCol", labelRemedy());
            requireLabelColumn(schema.fields()[RowInput.index(schema, getLabelCol(), "labelCol")]);
            StageParams.textOf(this, weightCol())
                    .ifPresent(weight -> Schemas.requireNumbers(schema, weight, "weightCol", "cast it to double"));
            requireCombination();
            return Schemas.with(schema, added());
        });
    }

    private void requireNoFeature(String column, Param<String> param) {
        if (Schemas.features(this).contains(column)) {
            throw new BochnerException(param.name() + ": column '" + column + "' is also a column of the features;"
                    + " leave it out of featuresCols, or name another column");
        }
    }

    /** Trains a machine. Rows are kept by the executors while they are needed. */
    @Override
    public M fit(Dataset<?> dataset) {
        StructType unused = transformSchema(dataset.schema());
        return StageFailures.inParams(() -> {
            FrameReader reader = new FrameReader(
                    "data frame",
                    Schemas.features(this),
                    getLabelCol(),
                    meaning(),
                    StageParams.textOf(this, weightCol()).orElse(null));
            SparkRows rows = reader.read(dataset.toDF());
            try {
                requireLabels(rows);
                Trained trained = train(rows);
                M stage = trained(trained.model, rows);
                return copyValues(stage, copyValues$default$2())
                        .withNotes(trained.notes)
                        .setParent(this);
            } finally {
                rows.release();
            }
        });
    }

    private record Trained(KernelModel model, List<Note> notes) {}

    private Trained train(SparkRows rows) {
        Workers workers = Workers.all();
        if (isSet(channels())) {
            LearnedSum learned = channelRecipe().fit(rows, workers, Progress.NONE);
            return new Trained(learned.model(), learned.notes());
        }
        KernelMachine machine = MachineRecipe.of(this);
        if (!getLearnScales().equals(NONE)) {
            LearnedKernel learned = KernelLearning.of(machine)
                    .withSharing(Sharing.parse(getLearnScales()))
                    .withCriterion(getCriterion())
                    .learn(rows, workers, Progress.NONE);
            List<Note> notes = new ArrayList<>(learned.notes());
            notes.addAll(learned.trained().report().notes());
            return new Trained(learned.trained().model(), notes);
        }
        TrainingResult result = machine.fit(rows, workers, Progress.NONE);
        return new Trained(result.model(), result.report().notes());
    }

    /** Fails for params that exclude each other. */
    private void requireCombination() {
        boolean learnsChannels = isSet(channels());
        if (learnsChannels && !getLearnScales().equals(NONE)) {
            throw new BochnerException(
                    uid + ": the params channels and learnScales exclude each other; clear one of them");
        }
        if (learnsChannels) {
            for (Param<?> param : notForChannels()) {
                if (isSet(param)) {
                    throw new BochnerException(
                            uid + ": the param " + param.name() + " has no effect with channels; clear it"
                                    + (param.equals(learner()) ? ", and set loss" : ""));
                }
            }
        } else {
            for (Param<?> param : List.of(channelKernels(), norm(), loss())) {
                if (isSet(param)) {
                    throw new BochnerException(uid + ": the param " + param.name()
                            + " needs the param channels, such as" + " shape=0:76,colour=76:292");
                }
            }
        }
    }

    /** Returns the params that multiple kernel learning does not have. */
    List<Param<?>> notForChannels() {
        return new ArrayList<>(Arrays.asList(learner(), components(), uncertainty(), criterion()));
    }

    /** Returns multiple kernel learning with the values of the params. */
    private MultipleKernels channelRecipe() {
        List<ColumnRange> ranges = MultipleKernels.channels(getChannels());
        List<String> kernels = new ArrayList<>(List.of(getKernel()));
        if (isDefined(channelKernels())) {
            kernels.addAll(Arrays.asList(getChannelKernels()));
        }
        List<String> names = ranges.stream().map(ColumnRange::name).toList();
        MultipleKernels recipe = MultipleKernels.of(ranges, MultipleKernels.kernels(kernels, names))
                .withMap(getMap())
                .withLoss(getLoss())
                .withNorm(getNorm())
                .withPrecision(MachineRecipe.precision(this))
                .withSeed(new Seed(getSeed()));
        if (isDefined(features())) {
            recipe = recipe.withFeatures(getFeatures());
        }
        if (isDefined(scaling())) {
            recipe = recipe.withScaling(getScaling());
        }
        return weighted(recipe);
    }

    /** Returns multiple kernel learning with weights of classes. */
    MultipleKernels weighted(MultipleKernels recipe) {
        return recipe;
    }

    @Override
    public MLWriter write() {
        return new StageWriter(this, Optional.empty(), List.of());
    }
}
