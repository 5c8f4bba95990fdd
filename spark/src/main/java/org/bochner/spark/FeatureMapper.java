package org.bochner.spark;

import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.Notes;
import org.bochner.data.RowSource;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.train.TrainingContext;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;

/**
 * Fits a scaling and a feature map: the trained stage adds a column of features, with which linear learners of Spark ML learn
 * kernel machines. With {@link #components}, the features are kernel principal components. Rows need no labels.
 *
 * <pre>{@code
 * FeatureMapperModel map = new FeatureMapper()
 *         .setKernel("gaussian")
 *         .setFeatures(2000)
 *         .setOutputCol("mapped")
 *         .fit(rows);
 * }</pre>
 */
public final class FeatureMapper extends Estimator<FeatureMapperModel>
        implements MapParams<FeatureMapper>, MapperParams<FeatureMapper>, MLWritable {
    /** The default of the new column. */
    static final String OUTPUT = "mapped";

    private static final long serialVersionUID = 1L;

    private final String uid;

    /** Creates a stage with default params. */
    public FeatureMapper() {
        this(Identifiable$.MODULE$.randomUID("FeatureMapper"));
    }

    /** Creates a stage with an id. */
    public FeatureMapper(String uid) {
        this.uid = uid;
        MachineRecipe.defaults(this);
        setDefault(outputCol(), OUTPUT);
    }

    /** Returns a reader of saved stages. */
    public static MLReader<FeatureMapper> read() {
        return StageReader.ofStage(FeatureMapper.class, FeatureMapper::new);
    }

    /** Reads a saved stage. */
    public static FeatureMapper load(String path) {
        return read().load(path);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return StageFailures.inParams(() -> {
            Schemas.requireFeatures(schema, this);
            return Schemas.with(schema, List.of(Schemas.vector(getOutputCol(), 0)));
        });
    }

    /** Fits the scaling and the map. */
    @Override
    public FeatureMapperModel fit(Dataset<?> dataset) {
        StructType unused = transformSchema(dataset.schema());
        return StageFailures.inParams(() -> {
            SparkRows rows = new FrameReader(
                            "data frame", Schemas.features(this), null, FrameReader.Meaning.NUMBERS, null)
                    .read(dataset.toDF());
            try {
                Notes notes = new Notes();
                KernelModel model = fit(rows, notes);
                FeatureMapperModel stage = new FeatureMapperModel(
                        uid, new StoredModel(model), rows.layout().cells());
                return copyValues(stage, copyValues$default$2())
                        .withNotes(notes.list())
                        .setParent(this);
            } finally {
                rows.release();
            }
        });
    }

    private KernelModel fit(RowSource rows, Notes notes) {
        Workers workers = Workers.all();
        KernelMachine machine = MachineRecipe.of(this);
        if (isDefined(components())) {
            return machine.fitComponents(rows, workers, Progress.NONE, notes);
        }
        TrainingContext context =
                TrainingContext.of(ModelAccess.settings(machine), rows, workers, Progress.NONE, notes);
        TrainingContext.Prepared prepared = context.prepare();
        return ModelAccess.model(ModelParts.components(
                prepared.transformer(),
                rows,
                Precision.FLOAT32,
                context.settings()
                        .record(rows, rows.rows(), prepared.recipe(), null, Double.NaN, null, null, null, List.of())));
    }

    @Override
    public FeatureMapper copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public MLWriter write() {
        return new StageWriter(this, Optional.empty(), List.of());
    }
}
