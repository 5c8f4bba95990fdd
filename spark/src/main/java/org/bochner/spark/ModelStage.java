package org.bochner.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.Note;
import org.bochner.model.KernelModel;

/**
 * A stage with a trained model. It transforms blocks of rows.
 *
 * @param <M> the type of the stage
 */
abstract class ModelStage<M extends ModelStage<M>> extends Model<M> implements InputParams<M>, MLWritable {
    private static final long serialVersionUID = 1L;

    private final String uid;
    private final StoredModel stored;
    /** The columns of the training; empty for a model of a file. */
    private final ArrayList<FrameCell> cells;

    private transient List<Note> notes = List.of();

    ModelStage(String uid, StoredModel stored, List<FrameCell> cells) {
        this.uid = uid;
        this.stored = stored;
        this.cells = new ArrayList<>(cells);
        List<String> names = RowInput.names(stored.model());
        String vector = vector(names).orElse("features");
        setDefault(featuresCol(), vector);
        setDefault(handleInvalid(), "error");
        if (cells.isEmpty() && !names.isEmpty() && vector(names).isEmpty()) {
            setDefault(featuresCols(), names.toArray(String[]::new));
        }
    }

    /** Returns the column of vectors whose places have these names; empty if they are columns of their own. */
    private static Optional<String> vector(List<String> names) {
        if (names.isEmpty() || !names.get(0).endsWith("[0]")) {
            return Optional.empty();
        }
        String column = names.get(0).substring(0, names.get(0).length() - "[0]".length());
        return IntStream.range(0, names.size())
                        .allMatch(place -> names.get(place).equals(column + "[" + place + "]"))
                ? Optional.of(column)
                : Optional.empty();
    }

    @Override
    public String uid() {
        return uid;
    }

    /** Returns the model of the library, which predicts rows without Spark and which {@code bochner predict} reads. */
    public KernelModel kernelModel() {
        return stored.model();
    }

    /** Returns the number of columns of the rows that the model takes, after one-hot encoding. */
    public int numFeatures() {
        return stored.model().columns();
    }

    /** Returns the choices of the training, such as a bandwidth; empty after loading. */
    public List<Note> notes() {
        return notes == null ? List.of() : notes;
    }

    M withNotes(List<Note> made) {
        notes = List.copyOf(made);
        return self();
    }

    final StoredModel stored() {
        return stored;
    }

    final List<FrameCell> cells() {
        return cells;
    }

    /** Returns a stage with the same model, without values of params. */
    abstract M fresh(String ofUid, StoredModel model, List<FrameCell> columns);

    /** Returns the new columns. */
    abstract List<StructField> added();

    /** Returns what computes the new columns. */
    abstract RowOutput output();

    private M self() {
        @SuppressWarnings("unchecked") // subclasses are M
        M same = (M) this;
        return same;
    }

    @Override
    public M copy(ParamMap extra) {
        M copy = copyValues(fresh(uid, stored, cells), extra);
        copy.withNotes(notes());
        return copy.setParent(parent());
    }

    private RowInput input(StructType schema) {
        return RowInput.of(schema, Schemas.features(this), cells, stored.model());
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return StageFailures.inParams(() -> {
            RowInput unused = input(schema);
            return Schemas.with(schema, added());
        });
    }

    /**
     * Returns the rows with the new columns. Rows are computed in blocks on the executors; the model is sent to each of them
     * once, for all calls.
     */
    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = transformSchema(dataset.schema());
        RowInput input = input(dataset.schema());
        RowOutput output = output();
        if (output.columns() == 0) {
            return dataset.toDF();
        }
        Broadcast<StoredModel.Copy> model = stored.send(dataset.sparkSession());
        String invalid = getHandleInvalid();
        MapPartitionsFunction<Row, Row> extend =
                rows -> new TransformedRows(rows, model.value().model(), input, output, invalid);
        // Names may be equal, or equal but for their case. Encoders lose the metadata of columns.
        StructField[] fields = schema.fields();
        StructField[] plain = new StructField[fields.length];
        Column[] columns = new Column[fields.length];
        for (int c = 0; c < fields.length; c++) {
            plain[c] =
                    new StructField(Integer.toString(c), fields[c].dataType(), fields[c].nullable(), Metadata.empty());
            columns[c] = Schemas.at(c).as(fields[c].name(), fields[c].metadata());
        }
        return Schemas.numbered(dataset.toDF())
                .mapPartitions(extend, Encoders.row(new StructType(plain)))
                .select(columns);
    }

    @Override
    public MLWriter write() {
        return new StageWriter(this, Optional.of(stored), cells);
    }

    @Override
    public String toString() {
        return uid + ": " + stored.model();
    }
}
