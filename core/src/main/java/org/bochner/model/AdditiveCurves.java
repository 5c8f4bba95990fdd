package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.SpellingException;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.curve.AdditiveFunction;
import org.bochner.map.curve.CurveCompiler;
import org.bochner.map.curve.CurveForm;
import org.bochner.map.curve.CurveMap;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FeaturePass;
import org.jspecify.annotations.Nullable;

/**
 * A model as a generalised additive model: each score is an intercept plus one curve per column,
 * f(x) = b + Σⱼ fⱼ(xⱼ). Every model of an additive kernel or map has this form, whatever the number of its support
 * vectors or features.
 *
 * <pre>{@code
 * AdditiveCurves curves = AdditiveCurves.compile(model, "linear", 100, rows, Workers.all(), Progress.NONE);
 * curves.model().save(Path.of("fast.bochner"));
 * double[] effect = curves.at(curves.columns().get(0), 0.5);
 * }</pre>
 *
 * <p>The {@linkplain #model compiled model} predicts from tables and is a model like any other. Values of columns are those
 * after the model's scaling.
 *
 * <p>Threads: safe; immutable.
 */
public final class AdditiveCurves {
    /** The number of knots per column that is usual. */
    public static final int DEFAULT_KNOTS = 100;

    /** The largest number of knots per column. */
    public static final int MOST_KNOTS = 1_000_000;

    private static final int SAMPLE_ROWS = 4000;
    private static final int SAMPLE_VALUES = 1 << 22;

    private final KernelModel model;
    private final CurveMap map;
    private final CurveMeasurement measured;
    private final int constantColumns;
    private final int[] ranking;

    private AdditiveCurves(KernelModel model, CurveMap map, CurveMeasurement measured, @Nullable ColumnRanges seen) {
        this.model = model;
        this.map = map;
        this.measured = measured;
        int[] columns = map.curveColumns();
        constantColumns = seen == null ? 0 : constant(columns, seen);
        ranking = IntStream.range(0, columns.length)
                .boxed()
                .sorted(Comparator.comparingDouble(a -> -measured.importance(a)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int constant(int[] columns, ColumnRanges seen) {
        return (int) Arrays.stream(columns)
                .filter(column -> seen.of(column)
                        .filter(range -> range.low() == range.high())
                        .isPresent())
                .count();
    }

    /**
     * Compiles a model whose ranges of columns are known: an exact machine, a model of landmarks, or one of the maps
     * {@code piecewise} and {@code unary}.
     *
     * @param form {@code linear}, {@code constant} or {@code exact}
     * @param knots the number of knots per column; the exact form ignores it
     */
    public static AdditiveCurves compile(KernelModel model, String form, int knots, Workers workers) {
        return compile(model, form, knots, null, workers, Progress.NONE);
    }

    /**
     * Compiles a model, and measures the error on rows.
     *
     * @param form {@code linear}: straight lines between knots; {@code constant}: the value of the nearest knot;
     *     {@code exact}: the pieces of the curves themselves, for intersection and linear kernels and the maps
     *     {@code piecewise} and {@code unary}
     * @param knots the number of knots per column; the exact form ignores it
     * @param rows rows that widen the ranges of the columns; null for none
     * @throws BochnerException if the model is not additive, is compiled already, or does not know the ranges of its
     *     columns and there are no rows
     */
    public static AdditiveCurves compile(
            KernelModel model, String form, int knots, @Nullable RowSource rows, Workers workers, Progress progress) {
        if (model.map() instanceof CurveMap) {
            throw new BochnerException(
                    "the model is compiled already", Remedy.advice("compile the model that it was made from"));
        }
        if (model.ofSets()) {
            throw new BochnerException(
                    "a model of sets of rows cannot be compiled", Remedy.advice("train a model of rows"));
        }
        if (!model.stages().isEmpty()) {
            throw new BochnerException(
                    "a cascade of several models cannot be compiled",
                    Remedy.advice("compile the model of a stage, then make the cascade from it"));
        }
        ModelAccess.parts(model).requireOneStage("compiling");
        CurveForm chosen = formOf(form);
        LinearModel linear = model.linear();
        AdditiveFunction function = new AdditiveFunction(model.map(), linear.weights(), linear.outputs());
        RowReservoir sample =
                new RowReservoir(Math.max(1, Math.min(SAMPLE_ROWS, SAMPLE_VALUES / Math.max(1, model.columns()))));
        ColumnRanges seen = null;
        if (rows != null) {
            seen = ranges(model, rows, sample, workers);
        }
        if (model.map() instanceof LandmarkMap landmarks) {
            sample.add(landmarks.landmarks());
        }
        CurveCompiler compiler = new CurveCompiler(function, chosen, knots, seen, sample.rows());
        CurveMap map = compiler.compile(workers);
        KernelModel compiled = compiled(model, map);
        return new AdditiveCurves(
                compiled,
                map,
                rows == null
                        ? CurveMeasurement.betweenKnots(model, compiled, map, compiler, workers)
                        : CurveMeasurement.on(rows, model, compiled, map, workers, progress),
                seen);
    }

    /**
     * Returns the curves of a model: those of a compiled model, or those that {@link #compile} finds with
     * {@value #DEFAULT_KNOTS} knots.
     *
     * @param rows rows whose values give the ranges and the importance of columns; null for none
     */
    public static AdditiveCurves of(KernelModel model, @Nullable RowSource rows, Workers workers, Progress progress) {
        if (!(model.map() instanceof CurveMap map)) {
            return compile(model, CurveForm.LINEAR.toString(), DEFAULT_KNOTS, rows, workers, progress);
        }
        return new AdditiveCurves(
                model,
                map,
                rows == null
                        ? CurveMeasurement.unknown(map)
                        : CurveMeasurement.on(rows, model, model, map, workers, progress),
                null);
    }

    /** Returns the forms that {@link #compile} takes: {@code linear}, {@code constant} and {@code exact}. */
    public static List<String> forms() {
        return CurveForm.names();
    }

    /** Returns true if a model consists of compiled curves. */
    public static boolean isCompiled(KernelModel model) {
        return model.map() instanceof CurveMap && model.members().isEmpty();
    }

    private static CurveForm formOf(String form) {
        try {
            return CurveForm.parse(form);
        } catch (SpellingException e) {
            throw new BochnerException(e.problem(), e);
        }
    }

    /** Returns the ranges of the scaled columns, and adds the rows to a sample. */
    private static ColumnRanges ranges(KernelModel model, RowSource given, RowReservoir sample, Workers workers) {
        RowSource rows = model.accept(given);
        ColumnRanges ranges = ColumnRanges.unknown(model.columns());
        new FeaturePass(rows, model.scaler(), List.of(), Precision.FLOAT32, false, workers)
                .run(Object::new, (block, none) -> block.scale(), (done, none) -> {
                    ranges.add(done.last().scaled());
                    sample.add(done.last().scaled());
                });
        return ranges;
    }

    /** Returns the model whose features are its outputs. Probabilities stay, because scores do. */
    private static KernelModel compiled(KernelModel model, CurveMap map) {
        ModelParts parts = ModelAccess.parts(model);
        int outputs = map.outputDimension();
        double[] identity = new double[outputs * outputs];
        for (int o = 0; o < outputs; o++) {
            identity[o * outputs + o] = 1;
        }
        LinearModel linear = new LinearModel(
                outputs, outputs, identity, parts.requireLinear().intercepts());
        return ModelAccess.model(new ModelParts(
                new Transformer(model.scaler(), map),
                linear,
                parts.labels(),
                Precision.FLOAT64,
                parts.encoding(),
                parts.training(),
                parts.calibration(),
                null,
                false));
    }

    /** Returns the compiled model. */
    public KernelModel model() {
        return model;
    }

    /** Returns the form of the tables: {@code linear}, {@code constant} or {@code exact}. */
    public String form() {
        return map.form().toString();
    }

    /** Returns the number of knots of all curves. */
    public long knotCount() {
        return map.knots();
    }

    /** Returns the indices of the columns that have a curve, the most important first. */
    public List<Integer> columns() {
        int[] columns = map.curveColumns();
        return Arrays.stream(ranking).mapToObj(a -> columns[a]).toList();
    }

    /** Returns the name of a column: that of the training file, or the index from 0. */
    public String name(int column) {
        return model.encoding()
                .map(Encoding::columnNames)
                .map(names -> names.get(column))
                .orElse("" + column);
    }

    /** Returns the names of the outputs: the predicted numbers, the classes, or the second of two classes. */
    public List<String> outputs() {
        List<String> names = new ArrayList<>(model.labels().names());
        return model.labels() instanceof Labels.Classes && names.size() == 2 ? names.subList(1, 2) : names;
    }

    /** Returns the values of a column at which its curve may bend or jump, ascending. */
    public double[] knots(int column) {
        return map.knots(curve(column));
    }

    /**
     * Returns the value of a column in the data that a scaled value stands for; the scaled value itself if rows are scaled
     * as a whole, by {@code unit-l1} for example.
     */
    public double unscaled(int column, double value) {
        double original = model.scaler().unscaled(column, value);
        return Double.isNaN(original) ? value : original;
    }

    /** Returns the contribution of a column to each output at a value after the scaling. */
    public double[] at(int column, double value) {
        return map.at(curve(column), value);
    }

    /**
     * Returns the importance of a column: the standard deviation of its contribution over the rows, or, without rows, over
     * its knots; the root mean square over the outputs.
     */
    public double importance(int column) {
        return measured.importance(curve(column));
    }

    private int curve(int column) {
        int curve = Arrays.binarySearch(map.curveColumns(), column);
        if (curve < 0) {
            throw new IllegalArgumentException("AdditiveCurves: column " + column + " has no curve");
        }
        return curve;
    }

    /** Returns the number of rows that were measured; 0 if none were given. */
    public long rows() {
        return measured.rows();
    }

    /**
     * Returns the number of columns that have a curve and only one value in the rows of {@link #compile}: the error at
     * other values was not measured. 0 without rows.
     */
    public int constantColumns() {
        return constantColumns;
    }

    /**
     * Returns the largest difference between a score of the compiled model and of the original one on the rows. Without
     * rows, the largest difference of one curve between its knots.
     */
    public double largestError() {
        return measured.largestError();
    }

    /** Returns the root mean square of the differences whose largest is {@link #largestError}. */
    public double rmsError() {
        return measured.rmsError();
    }

    /** Returns the standard deviation of the original scores over the rows; NaN without rows. */
    public double scoreDeviation() {
        return measured.deviation();
    }

    /** Returns the share of rows that both models give the same class; NaN without rows or for numbers. */
    public double agreement() {
        return measured.agreement();
    }

    /** Returns the nanoseconds of CPU time that a row of the original model takes; NaN if it was not measured. */
    public double originalNanos() {
        return measured.originalNanos();
    }

    /** Returns the nanoseconds of CPU time that a row of the compiled model takes; NaN if it was not measured. */
    public double compiledNanos() {
        return measured.compiledNanos();
    }
}
