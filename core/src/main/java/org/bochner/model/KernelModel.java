package org.bochner.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.row.RowException;
import org.bochner.base.text.Escape;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.model.evaluate.ClassDisagreement;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.LibsvmModel;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelFile;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedModel;
import org.bochner.model.file.TreeParts;
import org.bochner.model.train.CascadeFit;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/**
 * A trained kernel machine: scaling, feature map, linear functions and an optional calibration of scores to
 * probabilities. The cost of a prediction does not depend on the number of training rows.
 *
 * <p>A model that was trained on sets of rows {@linkplain #ofSets predicts sets}.
 *
 * <pre>{@code
 * KernelModel model = KernelModel.load(Path.of("digits.bochner"));
 * String digit = model.predictClass(row);
 * }</pre>
 *
 * <p>Threads: safe; immutable.
 */
public final class KernelModel {
    static {
        ModelAccess.registerModels(
                KernelModel::new, model -> model.parts, model -> new BlockScorer.Member(model)::score);
    }

    private final ModelParts parts;
    private final ModelInputs inputs;
    /** The linear functions of a model that is not made of others; null for other models. */
    private final @Nullable StageScorer own;
    /** The members of a model that is made of others; empty for other models. */
    private final List<KernelModel> members;

    /** Predicts single rows, records and sets. */
    private final RowPredictor single;

    private KernelModel(ModelParts parts) {
        this.parts = parts;
        inputs = new ModelInputs(parts);
        CombinedParts combined = parts.combined();
        own = combined == null ? new StageScorer(parts) : null;
        members = combined == null
                ? List.of()
                : combined.members().stream().map(KernelModel::new).toList();
        single = new RowPredictor(this, parts, inputs, own);
    }

    /**
     * Makes a cascade of trained models, from cheap to expensive: the first model that is sure of a row decides it. All
     * models need the same columns and classes. A model without probabilities gets the calibration {@code temperature}.
     *
     * @param rows rows that no model was trained on. Thresholds and calibrations are fitted to them: each stage decides as
     *     many rows as possible while the cascade has no more errors than its last model
     * @param tolerance the share of the rows by which the errors of the cascade may exceed those of the last model
     * @param notes receives a note for each model that is left out: it decides no rows, a model before it has no more errors
     *     by itself, or the cascade has too many errors with it; and one if labels of rows are no classes of the models
     * @throws BochnerException if the models disagree about columns or classes, or predict numbers, or if the labels of more
     *     than half of the rows are no classes of the models
     */
    public static KernelModel cascade(
            List<KernelModel> models,
            RowSource rows,
            double tolerance,
            Workers workers,
            Progress progress,
            Notes notes) {
        return CascadeFit.combine(models, rows, tolerance, workers, progress, notes);
    }

    /**
     * Makes an average of trained models, {@code f(x) = c + Σ wₘ·fₘ(x)}: the weights w are fitted to rows by non-negative
     * ridge regression, and are shared by all classes or numbers. All models need the same columns and labels. They may have
     * any learners and be trees, but neither cascades nor averages. The average has scores and no probabilities.
     *
     * @param rows rows that no model was trained on
     * @param notes receives a note for each model that is left out because its weight is 0, and one if labels of rows are
     *     no classes of the models
     * @throws BochnerException if the models disagree about columns or labels, or if the labels of more than half of the rows
     *     are no classes of the models
     */
    public static KernelModel average(
            List<KernelModel> models, RowSource rows, Workers workers, Progress progress, Notes notes) {
        return StackedMembers.stack(models, rows, workers, progress, notes);
    }

    /**
     * Makes the mean of trained models: the average with equal weights. All models need the same columns and labels. They
     * may be trees, but neither cascades nor averages.
     */
    public static KernelModel mean(List<KernelModel> models) {
        return StackedMembers.mean(models);
    }

    /**
     * Returns the models that this one is made of: those of an average, with their weights, or those of the leaves of a
     * tree, with their shares of the training rows. Empty for other models; {@link #stages} returns those of a cascade.
     */
    public List<ModelMember> members() {
        return ModelMember.of(parts.combined(), members);
    }

    /** Returns the splits of a tree of machines, whose leaves have the {@link #members}; empty for other models. */
    public Optional<SplitTree> tree() {
        return parts.combined() instanceof TreeParts tree ? Optional.of(tree.tree()) : Optional.empty();
    }

    /**
     * Returns the stages of a cascade, with the counts of the held-out rows of its training: each row was counted with
     * thresholds that were chosen without it. Empty for other models.
     */
    public List<CascadeStage> stages() {
        return CascadeStage.of(parts.cascade());
    }

    /** Returns the stages of a cascade with the time that each needs for a row, measured on rows of a source. */
    public List<CascadeStage> timedStages(RowSource rows) {
        return CascadeStage.timed(stages(), new PredictionSpeed(this, accept(rows)));
    }

    /** Returns the fitted scaling, of the last stage of a cascade and of the first member of an average. */
    public Scaler scaler() {
        return parts.transformer().scaler();
    }

    /** Returns the feature map, of the last stage of a cascade and of the first member of an average. */
    public FeatureMap map() {
        return parts.map();
    }

    /** Returns the model without its linear functions; the last stage of a cascade, the first member of an average. */
    public Transformer transformer() {
        return parts.transformer();
    }

    /**
     * Returns the model's discriminant axes as a transformer, whose features are the coordinates of rows along them: at
     * most one fewer than there are classes. Empty if the model was not trained by {@code lda}.
     */
    public Optional<Transformer> axes() {
        ScoreAxes axes = parts.axes();
        return axes == null ? Optional.empty() : Optional.of(Transformer.ofAxes(transformer(), axes, linear()));
    }

    /** Returns true if the model predicts labels; false if it only projects rows on principal components. */
    public boolean predicts() {
        return parts.linear() != null;
    }

    /**
     * Returns true if the model predicts sets of rows: the features of a set are the means of those of its rows. The
     * methods that take a single row predict a set of one row.
     */
    public boolean ofSets() {
        return parts.ofSets();
    }

    /** Returns the intercept of each score, of the last stage of a cascade and of the first member of an average. */
    public double[] intercepts() {
        return linear().intercepts();
    }

    LinearModel linear() {
        return parts.requireLinear();
    }

    /** Returns the labels that the model predicts: classes with their names, or numbers. */
    public Labels labels() {
        return parts.labels();
    }

    /** Returns the precision of the features. */
    public Precision precision() {
        return parts.precision();
    }

    /** Returns the encoding of files as rows; empty if the model was trained from rows in memory. */
    public Optional<Encoding> encoding() {
        return Optional.ofNullable(parts.encoding());
    }

    /**
     * Opens files as the training files were read, for {@link Evaluation#of} and {@link #score}. Columns are found by
     * name, and categories and classes get the meaning that they had in training.
     *
     * @throws BochnerException if the files do not fit, or if the model was trained from rows in memory
     */
    public FileSource open(DataOptions options) {
        return FileSource.open(options, requireEncoding());
    }

    /**
     * Returns the encoding of files as rows.
     *
     * @throws BochnerException if the model was trained from rows in memory
     */
    public Encoding requireEncoding() {
        String none = "the model was trained on rows in memory and has no encoding for files; predict with it in Java";
        return encoding().orElseThrow(() -> new BochnerException(none));
    }

    /**
     * Throws if the column names of a source differ from those of the training data, or are in another order.
     *
     * @throws DataException with the first column that differs
     */
    public void requireColumns(SurveyedSource source) {
        inputs.requireColumns(source);
    }

    /** Returns the record of the training: data, settings and seed. */
    public TrainingRecord training() {
        return parts.training();
    }

    /** Returns true if the model has probabilities of classes. */
    public boolean hasProbabilities() {
        return parts.calibration() != null;
    }

    /** Returns the recipe of the uncertainty of predictions; empty if the model has none. */
    public Optional<UncertaintyRecipe> uncertainty() {
        return Optional.ofNullable(parts.uncertainty()).map(Uncertainty::recipe);
    }

    /**
     * Returns the number of rows that errors were measured on, or that the noise was estimated from; 0 if the model has no
     * uncertainty.
     */
    public long uncertaintyRows() {
        return parts.uncertainty() == null ? 0 : parts.uncertainty().rows();
    }

    /**
     * Returns the largest level for which there are enough errors: above it, intervals are infinite and sets have all classes.
     * 1 if there is no such level; throws if the model has no uncertainty.
     */
    public double highestLevel() {
        return requireUncertainty().highestLevel();
    }

    Uncertainty requireUncertainty() {
        parts.requireLinear();
        Uncertainty uncertainty = parts.uncertainty();
        if (uncertainty == null) {
            throw new BochnerException(
                    "the model does not know the uncertainty of its predictions",
                    Remedy.set(
                            Setting.UNCERTAINTY,
                            "conformal",
                            labels() instanceof Labels.Classes
                                    ? "trains it with sets of classes"
                                    : "trains it with intervals (also gaussian)"));
        }
        return uncertainty;
    }

    /** Returns the number of columns of the rows that the model takes. */
    public int columns() {
        return parts.map().inputDimension();
    }

    /**
     * Returns the scores of one row: one per predicted number, or one per class. Two classes have a single score,
     * which is positive for the second class.
     *
     * @throws RowException if a value is so large that the scores are not finite
     */
    public double[] score(double[] row) {
        return single.score(row);
    }

    /**
     * Returns the scores of one set of rows, for a model that {@linkplain #ofSets predicts sets}: the means of the scores of
     * its rows, unless the model is a cascade.
     *
     * @throws IllegalArgumentException if the set is empty
     */
    public double[] score(double[][] set) {
        return single.score(set);
    }

    /** Returns the predicted class name of one row; throws if the model predicts numbers. */
    public String predictClass(double[] row) {
        return single.predictClass(() -> single.score(row));
    }

    /** Returns the predicted class name of one {@linkplain #score(double[][]) set}; throws if the model predicts numbers. */
    public String predictClass(double[][] set) {
        return single.predictClass(() -> single.score(set));
    }

    /**
     * Returns the predicted class name of one record; throws if the model predicts numbers.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public String predictClass(Map<String, ? extends @Nullable Object> record) {
        return single.predictClass(() -> single.score(record));
    }

    /** Returns the predicted number of one row; throws if the model predicts classes or several numbers. */
    public double predictNumber(double[] row) {
        return single.predictNumber(() -> single.score(row));
    }

    /**
     * Returns the predicted number of one {@linkplain #score(double[][]) set}; throws if the model predicts classes or
     * several numbers.
     */
    public double predictNumber(double[][] set) {
        return single.predictNumber(() -> single.score(set));
    }

    /**
     * Returns the predicted number of one record; throws if the model predicts classes or several numbers.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public double predictNumber(Map<String, ? extends @Nullable Object> record) {
        return single.predictNumber(() -> single.score(record));
    }

    /**
     * Encodes one record as the rows of the training file were encoded: one number per column of the model.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     * @throws BochnerException if the record does not fit, or if the model was trained from rows in memory
     */
    public double[] encode(Map<String, ? extends @Nullable Object> record) {
        return inputs.encoding().encode(record);
    }

    /** Prepares the functions of a model without features; otherwise the first row does it on one thread. */
    void prepare(Workers workers) {
        if (own != null) {
            own.prepare(workers);
        }
        members.forEach(member -> member.prepare(workers));
    }

    /** Returns a scorer of blocks of rows; each worker needs its own. */
    BlockScorer scorer() {
        return own != null ? own.scorer() : BlockScorer.of(Objects.requireNonNull(parts.combined()), members);
    }

    /** Returns a scorer of blocks of rows that also computes the deviations of intervals; each worker needs its own. */
    UncertainScorer uncertainScorer() {
        return new UncertainScorer(scorer(), parts.uncertainty());
    }

    /** Returns an empty block for rows that this model scores. */
    MappedRows mapped() {
        return new MappedRows(scaler(), List.of(map()), precision(), true);
    }

    /**
     * Writes the scores of a block of rows, rows×outputs, to an array, or to a new one if it is too short.
     *
     * @throws RowException if a value is so large that the scores are not finite
     */
    double[] score(MappedRows block, double[] reused) {
        return own != null ? own.score(block, reused) : scorer().score(block, reused);
    }

    /**
     * Returns the probability of each class for one row, by class name, in the order of the labels; throws if the
     * model has no probabilities.
     */
    public Map<String, Double> probabilities(double[] row) {
        return single.probabilities(single.score(row));
    }

    /**
     * Returns the probability of each class for one {@linkplain #score(double[][]) set}; throws if the model has no
     * probabilities.
     */
    public Map<String, Double> probabilities(double[][] set) {
        return single.probabilities(single.score(set));
    }

    /**
     * Returns the probability of each class for one record; throws if the model has no probabilities.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public Map<String, Double> probabilities(Map<String, ? extends @Nullable Object> record) {
        return single.probabilities(single.score(record));
    }

    /**
     * Writes the probabilities, rows×classes, of rows with the given scores; throws if the model has no
     * probabilities. The class of {@link #classOf} has the largest probability of its row.
     *
     * @param rows the number of rows
     */
    public void probabilities(double[] scores, int rows, double[] probabilities) {
        Calibration present = requireCalibration();
        for (int i = 0; i < rows; i++) {
            present.probabilities(scores, i, probabilities, i * present.classes());
        }
    }

    Calibration requireCalibration() {
        parts.requireLinear();
        Calibration calibration = parts.calibration();
        if (calibration == null && labels() instanceof Labels.Numbers) {
            throw new BochnerException("the model predicts numbers, which have no probabilities");
        }
        if (calibration == null) {
            throw new BochnerException(
                    "the model has scores but no probabilities",
                    Remedy.set(
                            Setting.CALIBRATION, "platt", "trains it with probabilities (also temperature, isotonic)"),
                    Remedy.advice("train it with a logistic learner"),
                    Remedy.set(Setting.SCORES, "returns the scores that it has"));
        }
        return calibration;
    }

    /**
     * Returns the interval of each predicted number of one row. Throws if the model predicts classes or has no uncertainty.
     *
     * @param level the probability that an interval contains the actual number, between 0 and 1, such as 0.9
     */
    public List<PredictionInterval> intervals(double[] row, double level) {
        return single.intervals(row, level);
    }

    /**
     * Returns the interval of each predicted number of one record, as {@link #intervals(double[], double)} does.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public List<PredictionInterval> intervals(Map<String, ? extends @Nullable Object> record, double level) {
        return single.intervals(record, level);
    }

    /** Returns the interval of each predicted number of one {@linkplain #score(double[][]) set} of rows. */
    public List<PredictionInterval> intervals(double[][] set, double level) {
        return single.intervals(set, level);
    }

    /**
     * Returns a set of classes for one row, in the order of the labels; never empty. Throws if the model predicts numbers or
     * has no uncertainty.
     *
     * @param level the probability that the set contains the actual class, between 0 and 1, such as 0.9
     */
    public List<String> classSet(double[] row, double level) {
        return single.classSet(single.score(row), level);
    }

    /** Returns a set of classes for one {@linkplain #score(double[][]) set} of rows, as for one row. */
    public List<String> classSet(double[][] set, double level) {
        return single.classSet(single.score(set), level);
    }

    /**
     * Returns a set of classes for one record, as {@link #classSet(double[], double)} does.
     *
     * @param record the values by column name, as {@link Encoding#encode} describes
     */
    public List<String> classSet(Map<String, ? extends @Nullable Object> record, double level) {
        return single.classSet(single.score(record), level);
    }

    /** Returns the disagreement of the scores of rows with each class; each thread needs its own. */
    ClassDisagreement disagreement() {
        return new ClassDisagreement(parts);
    }

    /**
     * Scores every row of a source, as {@link #score(RowSource, Workers, Progress, BiConsumer)} does, and computes the
     * deviations of intervals.
     */
    void scoreWithDeviations(RowSource source, Workers workers, Progress progress, UncertainScorer.Sink sink) {
        pass(source, workers).run(this::uncertainScorer, (block, scorer) -> scorer.score(block), (done, scorer) -> {
            sink.accept(done.last().rows(), scorer.scores(), scorer.deviations());
            progress.report("predicting", done.rows(), done.fraction());
        });
    }

    /**
     * Returns the index of the predicted class of a row: the class with the largest probability if the model has
     * probabilities, else the class with the highest score. Ties of probabilities go to the highest score.
     *
     * @param scores the scores of a block of rows
     * @param row the index of the row in the block
     */
    public int classOf(double[] scores, int row) {
        Calibration calibration = parts.calibration();
        if (calibration == null || calibration.keepsOrder()) {
            return ClassRanking.highest(scores, row, linear().outputs());
        }
        ClassRanking ranking = new ClassRanking(parts);
        ranking.take(scores, row);
        return ranking.first();
    }

    /**
     * Scores every row of a source, in parallel; every set if the model {@linkplain #ofSets predicts sets}.
     *
     * @param sink receives blocks of rows and their scores one at a time, in the order of the source; both are reused
     *     after it returns
     */
    public void score(RowSource source, Workers workers, Progress progress, BiConsumer<RowBlock, double[]> sink) {
        pass(source, workers).run(this::scorer, (block, scorer) -> scorer.score(block), (done, scorer) -> {
            sink.accept(done.last().rows(), scorer.scores());
            progress.report("predicting", done.rows(), done.fraction());
        });
    }

    /** Throws if the rows of a source do not fit the model: its encoding, its columns, and rows or sets. */
    void require(RowSource source) {
        inputs.require(source);
    }

    /** Returns the rows or sets of a source as the model reads them; throws if they do not fit the model. */
    RowSource accept(RowSource source) {
        return inputs.accept(source);
    }

    /** Returns a pass over the rows of a source, which must fit the model. */
    FeaturePass pass(RowSource source, Workers workers) {
        RowSource rows = accept(source);
        prepare(workers);
        return new FeaturePass(rows, scaler(), List.of(map()), precision(), true, workers);
    }

    /** Returns the models that this one is made of; empty for other models. */
    List<KernelModel> memberModels() {
        return members;
    }

    /** Returns the size of the file that {@link #save} writes, in bytes. */
    public long fileBytes() {
        return ModelFile.size(SavedModel.state(parts));
    }

    /** Writes the model to a file; a failed write leaves no partial file. */
    public void save(Path path) {
        ModelFile.write(path, SavedModel.state(parts));
    }

    /**
     * Reads a model; throws if the file is not a complete, unchanged model file. A text file of LIBSVM with a model of two
     * classes or of regression is read too; its support vectors become the rows of an exact machine.
     *
     * @param own loaders of feature maps of your own; without them, only models with the library's maps can be loaded
     */
    public static KernelModel load(Path path, MapLoader... own) {
        return new KernelModel(
                LibsvmModel.matches(path)
                        ? LibsvmModel.read(path, 1)
                        : SavedModel.load(path.toString(), ModelFile.read(path), own));
    }

    /** Returns true if a file begins as a LIBSVM model file does. */
    public static boolean isLibsvm(Path path) {
        return LibsvmModel.matches(path);
    }

    /**
     * Reads a LIBSVM model file, whose columns are the indices of its support vectors, for rows with more columns. The
     * support vectors are 0 in the further columns.
     *
     * @param columns the number of columns; ignored if the support vectors have more
     */
    public static KernelModel loadLibsvm(Path path, int columns) {
        return new KernelModel(LibsvmModel.read(path, columns));
    }

    /** Returns one line of text, for example {@code 10 classes from 64 columns: gaussian(sigma=25), 1000 features}. */
    @Override
    public String toString() {
        if (!predicts()) {
            String what = transformer().variances().length == 0 ? " features" : " principal components";
            return Escape.message(
                    map().outputDimension() + what + " from " + columns() + " columns: " + map().kernel());
        }
        String predicted = labels() instanceof Labels.Classes classes
                ? classes.names().size() + " classes"
                : labels() instanceof Labels.Numbers numbers && numbers.targets() == 1
                        ? "number " + numbers.names().get(0)
                        : labels().targets() + " numbers";
        CombinedParts combined = parts.combined();
        String which = combined instanceof CascadeParts ? "last" : "first";
        String kernels = combined == null ? "" : combined.description() + ", the " + which + " with ";
        return Escape.message(predicted + " from " + columns() + " columns: " + kernels + map().kernel() + ", "
                + map().outputDimension() + " features");
    }
}
