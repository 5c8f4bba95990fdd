package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.types.StructField;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.cell.Cells;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;

/**
 * A model of {@link KernelClassifier}, or of a file that {@code bochner train} wrote: predicts classes.
 *
 * <p>A prediction is the index of a class. The indices are those of the label column of the training: of its
 * {@code StringIndexer}, or the labels themselves if they are whole numbers below 10,000. The column of the predictions names the classes in
 * its metadata, which {@code IndexToString} reads. Vectors have a place for each index up to the largest; classes that did not
 * occur in training have the score −∞ and the probability 0.
 *
 * <p>Rows are scored in blocks, and the model is sent to each executor once. Threads: safe, while no param is set.
 */
public final class KernelClassificationModel extends ModelStage<KernelClassificationModel>
        implements ClassificationParams<KernelClassificationModel> {
    private static final long serialVersionUID = 1L;

    /** The most places of vectors of classes that are numbers: each row has a vector. */
    private static final int MOST_CLASSES = 10_000;

    KernelClassificationModel(String uid, StoredModel stored, List<FrameCell> cells) {
        super(uid, stored, cells);
        KernelModel model = stored.model();
        if (!(model.predicts() && model.labels() instanceof Labels.Classes)) {
            throw new BochnerException("the model predicts " + (model.predicts() ? "numbers" : "nothing")
                    + ", and KernelClassificationModel needs a model of classes");
        }
        ModelChecks.requireRows(model);
        setDefault(predictionCol(), "prediction");
        setDefault(rawPredictionCol(), "rawPrediction");
        setDefault(probabilityCol(), "probability");
    }

    /** Reads a model file, such as one that {@code bochner train} wrote, through Hadoop's file systems. */
    public static KernelClassificationModel fromFile(String path) {
        return new KernelClassificationModel(
                Identifiable$.MODULE$.randomUID("KernelClassifier"), StoredModel.read(path), List.of());
    }

    /** Returns a reader of saved stages. */
    public static MLReader<KernelClassificationModel> read() {
        return StageReader.ofModel(KernelClassificationModel.class, KernelClassificationModel::new);
    }

    /** Reads a saved stage. */
    public static KernelClassificationModel load(String path) {
        return read().load(path);
    }

    /**
     * The names of the class indices, in order, as {@code StringIndexerModel.labels} returns them. Not set: the indices are the
     * names of the classes if these are whole numbers below 10,000, else the order of the classes in the model.
     */
    public StringArrayParam classNames() {
        return StageParams.texts(
                this,
                "classNames",
                "names of the class indices, in order, such as the labels of a StringIndexerModel",
                names -> {
                    if (new HashSet<>(Arrays.asList(names)).size() < names.length) {
                        throw new IllegalArgumentException("must be different names");
                    }
                    return names;
                });
    }

    /** Returns the names of the class indices; fails if they are not set. */
    public String[] getClassNames() {
        return getOrDefault(classNames());
    }

    /** Sets the names of the class indices, in order; classes that the model does not know are never predicted. */
    public KernelClassificationModel setClassNames(String... value) {
        return StageParams.set(this, classNames(), value);
    }

    /** Returns the number of places of the vectors of classes. */
    public int numClasses() {
        return Places.of(this).count;
    }

    /** The indices of the classes of the model. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Places(int[] indices, int count, String... names) {
        static Places of(KernelClassificationModel stage) {
            List<String> own = stage.kernelModel().labels().names();
            if (stage.isSet(stage.classNames())) {
                List<String> given = Arrays.stream(stage.getClassNames())
                        .map(Cells::canonical)
                        .toList();
                List<String> absent =
                        own.stream().filter(name -> !given.contains(name)).toList();
                if (!absent.isEmpty()) {
                    throw new BochnerException(
                            "classNames has no class '" + absent.get(0) + "', which the model predicts");
                }
                return new Places(own.stream().mapToInt(given::indexOf).toArray(), given.size(), stage.getClassNames());
            }
            if (own.stream().allMatch(Places::isIndex)) {
                int[] indices = own.stream().mapToInt(Integer::parseInt).toArray();
                return new Places(indices, Arrays.stream(indices).max().orElse(0) + 1);
            }
            int[] indices = new int[own.size()];
            Arrays.setAll(indices, c -> c);
            return new Places(indices, own.size(), own.toArray(String[]::new));
        }

        /** Returns true for the name of a class that is a whole number from 0. */
        static boolean isIndex(String name) {
            return name.matches("0|[1-9][0-9]{0,6}") && Integer.parseInt(name) < MOST_CLASSES;
        }
    }

    /** Fails if the classes of numeric labels are no indices. */
    static void requireIndices(List<String> classes, String column) {
        Set<String> bad = new java.util.LinkedHashSet<>(classes);
        bad.removeIf(Places::isIndex);
        if (!bad.isEmpty()) {
            throw new BochnerException(
                    "labelCol: column '" + column + "' holds " + bad.iterator().next()
                            + "; numbers of classes must be whole, from 0 to " + (MOST_CLASSES - 1)
                            + ". Index the classes with StringIndexer, or predict numbers with KernelRegressor");
        }
    }

    private boolean hasProbabilities() {
        boolean has = kernelModel().hasProbabilities();
        if (!has && isSet(probabilityCol()) && !getProbabilityCol().isEmpty()) {
            throw new BochnerException(
                    "probabilityCol is set, and the model has no probabilities; train it with the param"
                            + " calibration = platt or the param learner = logistic");
        }
        return has && !getProbabilityCol().isEmpty();
    }

    @Override
    List<StructField> added() {
        Places places = Places.of(this);
        List<StructField> added = new ArrayList<>();
        if (!getRawPredictionCol().isEmpty()) {
            added.add(Schemas.vector(getRawPredictionCol(), places.count));
        }
        if (hasProbabilities()) {
            added.add(Schemas.vector(getProbabilityCol(), places.count));
        }
        if (!getPredictionCol().isEmpty()) {
            added.add(Schemas.indices(getPredictionCol(), places.count, places.names));
        }
        return added;
    }

    @Override
    RowOutput output() {
        Places places = Places.of(this);
        return new ClassOutput(
                places.indices,
                places.count,
                !getRawPredictionCol().isEmpty(),
                hasProbabilities(),
                !getPredictionCol().isEmpty());
    }

    @Override
    KernelClassificationModel fresh(String ofUid, StoredModel model, List<FrameCell> columns) {
        return new KernelClassificationModel(ofUid, model, columns);
    }

    /** Scores, probabilities and classes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record ClassOutput(int[] indices, int count, boolean raw, boolean probability, boolean prediction)
            implements RowOutput {
        private static final long serialVersionUID = 1L;

        @Override
        public int columns() {
            return (raw ? 1 : 0) + (probability ? 1 : 0) + (prediction ? 1 : 0);
        }

        @Override
        public int features(KernelModel model) {
            return model.map().outputDimension();
        }

        @Override
        public Writer writer(KernelModel model) {
            Function<RowBlock, double[]> scorer = ModelAccess.scorer(model);
            int classes = indices.length;
            boolean single = classes == 2;
            return new Writer() {
                private double[] scores = {};
                private double[] shares = {};

                @Override
                public void take(RowBlock rows) {
                    scores = scorer.apply(rows);
                    if (probability) {
                        shares = shares.length < rows.rows() * classes ? new double[rows.rows() * classes] : shares;
                        model.probabilities(scores, rows.rows(), shares);
                    }
                }

                @Override
                public void write(int row, Object[] to, int at) {
                    int next = at;
                    if (raw) {
                        double[] values = new double[count];
                        Arrays.fill(values, Double.NEGATIVE_INFINITY);
                        for (int c = 0; c < classes; c++) {
                            values[indices[c]] =
                                    single ? (c == 0 ? -scores[row] : scores[row]) : scores[row * classes + c];
                        }
                        to[next++] = Vectors.dense(values);
                    }
                    if (probability) {
                        double[] values = new double[count];
                        for (int c = 0; c < classes; c++) {
                            values[indices[c]] = shares[row * classes + c];
                        }
                        to[next++] = Vectors.dense(values);
                    }
                    if (prediction) {
                        to[next] = (double) indices[model.classOf(scores, row)];
                    }
                }
            };
        }
    }
}
