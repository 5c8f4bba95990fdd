package org.bochner.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Json;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.base.text.JsonObject;
import org.bochner.data.DataIdentity;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.file.ModelFile;
import org.bochner.model.train.Compaction;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.FiniteFeatures;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/**
 * A trained kernel machine: scaling, feature map and linear functions, one after the other, and perhaps a calibration that
 * makes probabilities of their scores. Prediction costs the same however many rows it was trained on.
 *
 * <pre>{@code
 * KernelModel model = KernelModel.load(Path.of("digits.bochner"));
 * String digit = model.predictClass(row);
 * }</pre>
 *
 * <p>Threads: safe; immutable.
 */
public final class KernelModel {
    private static final String TYPE = "kernel-model";

    private final Scaler scaler;
    private final FeatureMap map;
    private final LinearModel linear;
    private final Labels labels;
    private final Precision precision;
    private final @Nullable Encoding encoding;
    private final TrainingRecord training;
    private final @Nullable Calibration calibration;
    private final double @Nullable [] origin;

    KernelModel(
            Scaler scaler,
            FeatureMap map,
            LinearModel linear,
            Labels labels,
            Precision precision,
            @Nullable Encoding encoding,
            TrainingRecord training) {
        this(scaler, map, linear, labels, precision, encoding, training, null);
    }

    private KernelModel(
            Scaler scaler,
            FeatureMap map,
            LinearModel linear,
            Labels labels,
            Precision precision,
            @Nullable Encoding encoding,
            TrainingRecord training,
            @Nullable Calibration calibration) {
        Require.sameSize("KernelModel", "columns of the scaler", scaler.columns(), map.inputDimension());
        Require.sameSize("KernelModel", "features", linear.features(), map.outputDimension());
        Require.sameSize("KernelModel", "outputs", linear.outputs(), outputs(labels));
        if (encoding != null) {
            Require.sameSize("KernelModel", "columns of the encoding", encoding.columns(), map.inputDimension());
            Require.that(
                    encoding.labels().equals(labels), "KernelModel", "the encoding has other labels than the model");
        }
        if (calibration != null) {
            Require.that(labels instanceof Labels.Classes, "KernelModel", "numbers have no probabilities");
            Require.sameSize("KernelModel", "classes of the calibration", calibration.classes(), classes(labels));
        }
        this.scaler = scaler;
        this.map = map;
        this.linear = linear;
        this.labels = labels;
        this.precision = precision;
        this.encoding = encoding;
        this.training = training;
        this.calibration = calibration;
        // Rows are rounded as those of files are; where nothing is known of files, as the scaling wants them.
        double[] ofFiles = encoding == null ? null : encoding.origin();
        origin = ofFiles == null ? scaler.origin() : ofFiles;
    }

    /**
     * A model put together of its parts, for what learns in another way than a {@link KernelMachine}.
     *
     * @param source the rows it was learned from, whose labels it predicts and whose files it will read
     * @param training what determined it
     */
    public static KernelModel of(
            Transformer transformer,
            LinearModel linear,
            RowSource source,
            Precision precision,
            TrainingRecord training) {
        return new KernelModel(
                transformer.scaler(),
                transformer.map(),
                linear,
                source.labels(),
                precision,
                source.encoding(),
                training);
    }

    /** The same model with probabilities. */
    public KernelModel withCalibration(Calibration calibration) {
        return new KernelModel(scaler, map, linear, labels, precision, encoding, training, calibration);
    }

    private static int classes(Labels labels) {
        return labels instanceof Labels.Classes classes ? classes.names().size() : 0;
    }

    private static int outputs(Labels labels) {
        if (labels instanceof Labels.Classes classes) {
            int count =
                    Require.atLeast("KernelModel", "classes", classes.names().size(), 2);
            return count == 2 ? 1 : count;
        }
        return Require.atLeast("KernelModel", "numbers to predict", labels.targets(), 1);
    }

    public Scaler scaler() {
        return scaler;
    }

    public FeatureMap map() {
        return map;
    }

    /** The model without its linear part. */
    public Transformer transformer() {
        return new Transformer(scaler, map);
    }

    public LinearModel linear() {
        return linear;
    }

    /** What it predicts: classes with their names, or numbers. */
    public Labels labels() {
        return labels;
    }

    public Precision precision() {
        return precision;
    }

    /** How raw files become rows; empty where the model was trained from rows in memory. */
    public Optional<Encoding> encoding() {
        return Optional.ofNullable(encoding);
    }

    /**
     * Fails if the columns of a source have other names than those of the training data, or another order.
     *
     * @throws DataException with the first column that differs
     */
    public void requireColumns(FileSource source) {
        List<String> names = source.columnNames();
        List<String> known = encoding == null ? names : encoding.columnNames();
        for (int j = 0; j < Math.min(names.size(), known.size()); j++) {
            if (!names.get(j).equals(known.get(j))) {
                throw DataException.in(
                        source.name(),
                        "column " + j + " is '" + names.get(j) + "', that of the model is '" + known.get(j)
                                + "'; give data with the columns that the model was trained on");
            }
        }
    }

    /** Everything else that determined the model. */
    public TrainingRecord training() {
        return training;
    }

    /** What makes probabilities of its scores; empty where it has none. */
    public Optional<Calibration> calibration() {
        return Optional.ofNullable(calibration);
    }

    /** Width of the rows it takes. */
    public int columns() {
        return map.inputDimension();
    }

    /**
     * The scores of one row: a number for each number it predicts or each class; for two classes a single score,
     * positive for the second.
     *
     * @throws RowException if a value is so large that nothing can be computed from it
     */
    public double[] score(double[] row) {
        Require.sameSize("KernelModel", "columns", row.length, columns());
        for (int j = 0; j < row.length; j++) {
            // Checked as float32, whose range is smaller.
            Require.that(
                    Float.isFinite((float) row[j]), "row", "column " + j + " must be finite in float32, got " + row[j]);
        }
        return score(mapped().take(DenseRows.of(row, origin)), new double[linear.outputs()]);
    }

    /** Returns the class of one row, by name; fails if the model predicts numbers. */
    public String predictClass(double[] row) {
        return requireClasses().get(classOf(score(row), 0));
    }

    /**
     * Returns the class of one record, by name; fails if the model predicts numbers.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public String predictClass(Map<String, ? extends @Nullable Object> record) {
        return predictClass(encode(record));
    }

    /** Returns the number that the model predicts for one row; fails if it predicts classes or several numbers. */
    public double predictNumber(double[] row) {
        if (!(labels instanceof Labels.Numbers numbers)) {
            throw new BochnerException("the model predicts classes, not numbers; use predictClass");
        }
        if (numbers.targets() > 1) {
            throw new BochnerException("the model predicts " + numbers.targets() + " numbers, "
                    + String.join(", ", numbers.names()) + "; score returns them all, in this order");
        }
        return score(row)[0];
    }

    /**
     * Returns the number that the model predicts for one record; fails if it predicts classes or several numbers.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public double predictNumber(Map<String, ? extends @Nullable Object> record) {
        return predictNumber(encode(record));
    }

    /**
     * Encodes one record as the rows of the training file were encoded: one number per column of the model.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     * @throws BochnerException if the record does not fit, or if the model was trained from rows in memory
     */
    public double[] encode(Map<String, ? extends @Nullable Object> record) {
        if (encoding == null) {
            throw new BochnerException(
                    "the model was trained from rows in memory, whose columns have no names; give the"
                            + " row as an array of " + columns() + " numbers");
        }
        return encoding.encode(record);
    }

    private List<String> requireClasses() {
        if (labels instanceof Labels.Classes classes) {
            return classes.names();
        }
        throw new BochnerException("the model predicts numbers, not classes; use predictNumber");
    }

    /** Returns an empty block of rows, to be scored by this model. */
    MappedRows mapped() {
        return new MappedRows(scaler, List.of(map), precision, true);
    }

    /**
     * Writes the scores of a block of rows, rows×outputs, to an array, or to a new one if it is too short.
     *
     * @throws RowException if a value is so large that the scores are not finite
     */
    double[] score(MappedRows block, double[] reused) {
        int count = block.rows().rows() * linear.outputs();
        double[] scores = reused.length < count ? new double[count] : reused;
        SparseRows sparse = block.entries();
        if (sparse != null) {
            linear.apply(sparse, scores);
        } else {
            linear.apply(block.features(), scores);
        }
        for (int i = 0; i < count; i++) {
            if (!(Math.abs(scores[i]) < Double.POSITIVE_INFINITY)) {
                throw FiniteFeatures.problem(block.scaled(), i / linear.outputs());
            }
        }
        return scores;
    }

    /**
     * Returns the probability of each class for one row, by the name of the class and in the order of the labels; fails if
     * the model has no probabilities.
     */
    public Map<String, Double> probabilities(double[] row) {
        double[] probabilities = new double[requireCalibration().classes()];
        probabilities(score(row), 1, probabilities);
        Map<String, Double> byClass = new LinkedHashMap<>();
        List<String> names = requireClasses();
        for (int k = 0; k < probabilities.length; k++) {
            byClass.put(names.get(k), probabilities[k]);
        }
        return Collections.unmodifiableMap(byClass);
    }

    /**
     * Returns the probability of each class for one record; fails if the model has no probabilities.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public Map<String, Double> probabilities(Map<String, ? extends @Nullable Object> record) {
        return probabilities(encode(record));
    }

    /**
     * The probabilities, rows×classes, that belong to the scores of so many rows; fails where the model has none. The
     * class that {@link #classOf} says has the largest of its row.
     */
    public void probabilities(double[] scores, int rows, double[] probabilities) {
        Calibration present = requireCalibration();
        for (int i = 0; i < rows; i++) {
            present.probabilities(scores, i, probabilities, i * present.classes());
        }
    }

    private Calibration requireCalibration() {
        if (calibration == null) {
            throw new BochnerException(
                    labels instanceof Labels.Numbers
                            ? "the model predicts numbers, which have no probabilities"
                            : "the model has scores but no probabilities; train it with --calibrate platt, temperature or"
                                    + " isotonic, or with a logistic learner");
        }
        return calibration;
    }

    /**
     * The index of the class that the scores of a row say: the one of the largest probability where the model has
     * probabilities, and of those that are equal the one of the highest score; otherwise the one of the highest score.
     */
    public int classOf(double[] scores, int row) {
        if (calibration == null || calibration.keepsOrder()) {
            return ClassRanking.highest(scores, row, linear.outputs());
        }
        ClassRanking order = new ClassRanking(this);
        order.take(scores, row);
        return order.first();
    }

    /**
     * Scores every row of a source, in parallel.
     *
     * @param sink takes the blocks of rows and their scores, one by one, in the order of the source; both are reused after
     *     it returns
     */
    public void score(RowSource source, Workers workers, Progress progress, BiConsumer<RowBlock, double[]> sink) {
        if (source.columns() != columns()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the model needs " + columns());
        }
        new FeaturePass(source, scaler, map, precision, true, workers)
                .run(() -> new double[1][0], (block, scores) -> scores[0] = score(block, scores[0]), (done, scores) -> {
                    sink.accept(done.last().rows(), scores[0]);
                    progress.report("predicting", done.rows(), done.fraction());
                });
    }

    /**
     * The same model without the {@linkplain FeatureMap#units units} of its map whose weights are all exactly zero, as those
     * of sparse learners are: smaller, faster, and with the same predictions. Itself, where there are none.
     */
    public KernelModel compact() {
        Compaction left = Compaction.of(map, linear);
        if (left.kept() == left.of()) {
            return this;
        }
        TrainingRecord.PruningStep step =
                new TrainingRecord.PruningStep(left.kept(), left.of(), Pruning.unit(map), DataIdentity.UNKNOWN);
        KernelModel smaller =
                pruned(left.map(), left.linear(), training.withPruning(step, training.learner(), training.lambda()));
        return calibration == null ? smaller : smaller.withCalibration(calibration);
    }

    /** The model with the rest of its map, and the weights of that. */
    KernelModel pruned(FeatureMap left, LinearModel weights, TrainingRecord changed) {
        // Probabilities that were fitted were fitted to other scores.
        Calibration kept = calibration != null && calibration.ofScores() ? calibration : null;
        return new KernelModel(scaler, left, weights, labels, precision, encoding, changed, kept);
    }

    /** The size of the file that {@link #save} writes. */
    public long fileBytes() {
        return ModelFile.toBytes(state()).length;
    }

    /** Writes the model to a file, whole or not at all. */
    public void save(Path path) {
        ModelFile.write(path, state());
    }

    /**
     * Reads a model; fails, saying why, on anything that is not a whole, unchanged model file.
     *
     * @param own loaders of feature maps of your own; without them, only models with the library's maps can be loaded
     */
    public static KernelModel load(Path path, MapLoader... own) {
        return load(path.toString(), ModelFile.read(path), own);
    }

    /**
     * Reads a model from its saved form.
     *
     * @param name stands for the file in messages
     */
    static KernelModel load(String name, State state, MapLoader... own) {
        if (!state.type().equals(TYPE)) {
            throw new BochnerException(name + ": holds a " + state.type() + ", not a " + TYPE);
        }
        try {
            return load(state, own);
        } catch (IllegalArgumentException | BochnerException e) {
            throw new BochnerException(name + ": cannot load the model: " + e.getMessage(), e);
        }
    }

    /** Its saved form. */
    State state() {
        State state = State.of(TYPE)
                .with("precision", precision.name().toLowerCase(Locale.ROOT))
                .with("scaler", scaler.state())
                .with("map", map.state())
                .with("linear", linear.state())
                .with("labels", labelState(labels))
                .with("training", Json.write(training.toJson()));
        if (encoding != null) {
            state.with("encoding", encoding.state());
        }
        if (calibration != null) {
            state.with("calibration", calibration.state());
        }
        return state;
    }

    private static KernelModel load(State state, MapLoader... own) {
        Labels labels = loadLabels(state.part("labels"));
        // First, because it fails with the best message where the kernel is one of the user's own.
        TrainingRecord training = TrainingRecord.fromJson(JsonObject.parse("training", state.text("training")));
        return new KernelModel(
                Scalings.load(state.part("scaler")),
                FeatureMaps.load(state.part("map"), own),
                LinearModel.load(state.part("linear")),
                labels,
                precision(state.text("precision")),
                state.has("encoding.type") ? Encoding.load(state.part("encoding")) : null,
                training,
                state.has("calibration.type") ? Calibration.load(state.part("calibration"), classes(labels)) : null);
    }

    private static Precision precision(String text) {
        List<String> known = new ArrayList<>();
        for (Precision precision : Precision.values()) {
            String name = precision.name().toLowerCase(Locale.ROOT);
            if (name.equals(text)) {
                return precision;
            }
            known.add(name);
        }
        throw new BochnerException(
                "precision must be one of " + String.join(", ", known) + ", the file has '" + text + "'");
    }

    private static State labelState(Labels labels) {
        boolean classes = labels instanceof Labels.Classes;
        List<String> names = classes ? ((Labels.Classes) labels).names() : ((Labels.Numbers) labels).names();
        State state = State.of(classes ? "classes" : "numbers").with("count", names.size());
        for (int i = 0; i < names.size(); i++) {
            state.with("name." + i, names.get(i));
        }
        return state;
    }

    private static Labels loadLabels(State state) {
        int count = state.count("count");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(state.text("name." + i));
        }
        return switch (state.type()) {
            case "classes" -> new Labels.Classes(names);
            case "numbers" -> new Labels.Numbers(names);
            default -> throw new BochnerException("labels: the saved form has the unknown type '" + state.type() + "'");
        };
    }
}
