package org.bochner.spark;

import java.util.List;
import java.util.function.Function;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.types.StructField;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;

/**
 * A model of {@link KernelRegressor}, or of a file that {@code bochner train} wrote: predicts a number.
 *
 * <p>Rows are scored in blocks, and the model is sent to each executor once. Threads: safe, while no param is set.
 */
public final class KernelRegressionModel extends ModelStage<KernelRegressionModel>
        implements PredictionParams<KernelRegressionModel> {
    private static final long serialVersionUID = 1L;

    KernelRegressionModel(String uid, StoredModel stored, List<FrameCell> cells) {
        super(uid, stored, cells);
        KernelModel model = stored.model();
        if (!(model.predicts() && model.labels() instanceof Labels.Numbers numbers && numbers.targets() == 1)) {
            throw new BochnerException("the model predicts "
                    + (!model.predicts()
                            ? "nothing"
                            : model.labels() instanceof Labels.Classes
                                    ? "classes"
                                    : model.labels().targets() + " numbers")
                    + ", and KernelRegressionModel needs a model of one number");
        }
        ModelChecks.requireRows(model);
        setDefault(predictionCol(), "prediction");
    }

    /** Reads a model file, such as one that {@code bochner train} wrote, through Hadoop's file systems. */
    public static KernelRegressionModel fromFile(String path) {
        return new KernelRegressionModel(
                Identifiable$.MODULE$.randomUID("KernelRegressor"), StoredModel.read(path), List.of());
    }

    /** Returns a reader of saved stages. */
    public static MLReader<KernelRegressionModel> read() {
        return StageReader.ofModel(KernelRegressionModel.class, KernelRegressionModel::new);
    }

    /** Reads a saved stage. */
    public static KernelRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    List<StructField> added() {
        return getPredictionCol().isEmpty() ? List.of() : List.of(Schemas.number(getPredictionCol()));
    }

    @Override
    RowOutput output() {
        return new NumberOutput(!getPredictionCol().isEmpty());
    }

    @Override
    KernelRegressionModel fresh(String ofUid, StoredModel model, List<FrameCell> columns) {
        return new KernelRegressionModel(ofUid, model, columns);
    }

    /** Predicted numbers. */
    private record NumberOutput(boolean prediction) implements RowOutput {
        private static final long serialVersionUID = 1L;

        @Override
        public int columns() {
            return prediction ? 1 : 0;
        }

        @Override
        public int features(KernelModel model) {
            return model.map().outputDimension();
        }

        @Override
        public Writer writer(KernelModel model) {
            Function<RowBlock, double[]> scorer = ModelAccess.scorer(model);
            return new Writer() {
                private double[] scores = {};

                @Override
                public void take(RowBlock rows) {
                    scores = scorer.apply(rows);
                }

                @Override
                public void write(int row, Object[] to, int at) {
                    to[at] = scores[row];
                }
            };
        }
    }
}
