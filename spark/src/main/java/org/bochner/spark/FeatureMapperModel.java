package org.bochner.spark;

import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.types.StructField;
import org.bochner.base.BochnerException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ComponentMap;
import org.bochner.model.KernelModel;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.stats.MappedRows;

/**
 * A fitted scaling and feature map: adds a column of features, whose inner products are kernel values. A linear model of these
 * features is a kernel machine.
 *
 * <p>Features are computed in float32, principal components in float64. Vectors are sparse if the map keeps sparsity and the
 * rows are sparse. Rows are mapped in blocks. Threads: safe, while no param is set.
 */
public final class FeatureMapperModel extends ModelStage<FeatureMapperModel>
        implements MapperParams<FeatureMapperModel> {
    private static final long serialVersionUID = 1L;

    FeatureMapperModel(String uid, StoredModel stored, List<FrameCell> cells) {
        super(uid, stored, cells);
        KernelModel model = stored.model();
        if (!model.stages().isEmpty() || !model.members().isEmpty()) {
            throw new BochnerException("the model is made of several models, which have maps of their own");
        }
        ModelChecks.requireRows(model);
        setDefault(outputCol(), FeatureMapper.OUTPUT);
    }

    /** Reads the scaling and the map of a model file, through Hadoop's file systems. */
    public static FeatureMapperModel fromFile(String path) {
        return new FeatureMapperModel(
                Identifiable$.MODULE$.randomUID("FeatureMapper"), StoredModel.read(path), List.of());
    }

    /** Returns a reader of saved stages. */
    public static MLReader<FeatureMapperModel> read() {
        return StageReader.ofModel(FeatureMapperModel.class, FeatureMapperModel::new);
    }

    /** Reads a saved stage. */
    public static FeatureMapperModel load(String path) {
        return read().load(path);
    }

    /** Returns the number of features. */
    public int outputDimension() {
        return kernelModel().map().outputDimension();
    }

    @Override
    List<StructField> added() {
        return List.of(Schemas.vector(getOutputCol(), outputDimension()));
    }

    @Override
    RowOutput output() {
        return new FeatureOutput();
    }

    @Override
    FeatureMapperModel fresh(String ofUid, StoredModel model, List<FrameCell> columns) {
        return new FeatureMapperModel(ofUid, model, columns);
    }

    /** Vectors of features. */
    private record FeatureOutput() implements RowOutput {
        private static final long serialVersionUID = 1L;

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public int features(KernelModel model) {
            return model.map().outputDimension();
        }

        @Override
        public Writer writer(KernelModel model) {
            Transformer transformer = model.transformer();
            FeatureMap map = transformer.map();
            Precision precision = map instanceof ComponentMap ? Precision.FLOAT64 : Precision.FLOAT32;
            MappedRows mapped = new MappedRows(transformer.scaler(), List.of(map), precision, true);
            return new Writer() {
                private RowBlock features = new RowBlockBuilder().build();

                @Override
                public void take(RowBlock rows) {
                    features = mapped.take(rows).asRows();
                }

                @Override
                public void write(int row, Object[] to, int at) {
                    to[at] = features instanceof SparseRows sparse
                            ? vector(sparse, row)
                            : vector((DenseRows) features, row);
                }
            };
        }

        private static Vector vector(DenseRows rows, int row) {
            double[] values = new double[rows.columns()];
            rows.copyRow(row, values);
            return Vectors.dense(values);
        }

        private static Vector vector(SparseRows rows, int row) {
            int from = rows.starts()[row];
            int[] indices = new int[rows.starts()[row + 1] - from];
            double[] values = new double[indices.length];
            for (int e = 0; e < indices.length; e++) {
                indices[e] = rows.indices()[from + e];
                values[e] = rows.values()[from + e];
            }
            return Vectors.sparse(rows.columns(), indices, values);
        }
    }
}
