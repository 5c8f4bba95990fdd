package org.bochner.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.text.CsvText;
import org.bochner.base.text.Digits;
import org.bochner.base.text.Escape;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.evaluate.ClassDisagreement;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Writes the predictions of a model as text: one line per row, CSV, TSV, or one JSON object per line.
 *
 * <pre>{@code
 * PredictionWriter.ofProbabilities(model).asCsv().write(rows, Workers.all(), Progress.NONE, out);
 * }</pre>
 *
 * <p>Numbers have as many digits as reading them back unchanged needs; probabilities have at most six. The texts that
 * rows {@linkplain RowBlock#carried carry} come before the predictions.
 *
 * <p>With {@link #withIntervals intervals}, the columns are {@code prediction}, {@code lower} and {@code upper}; with several
 * numbers, {@code a}, {@code a_lower} and {@code a_upper} for the number {@code a}, and so on. For classes they are {@code
 * prediction} and {@code set}: the classes of the set, in the order of the labels, with a bar between them. A bar or a
 * backslash in the name of a class is written after a backslash. JSON objects have {@code prediction}, {@code lower} and
 * {@code upper}, each an object by name if there are several numbers, or {@code prediction} and the list {@code set}. An
 * infinite end is written as {@code Infinity} or {@code -Infinity}, and as null in JSON.
 *
 * <p>Threads: safe; immutable.
 */
public final class PredictionWriter {
    /** The values that are written per row. */
    private enum Values {
        /** The class, or the numbers. */
        PREDICTIONS,
        /** The scores, one per class; for two classes a single one, positive for the second. */
        SCORES,
        /** The probabilities, one per class. */
        PROBABILITIES
    }

    /** The format of the text. */
    private enum Format {
        /** One line per row without a header, commas between numbers; line ends in names of classes are escaped. */
        LINES,
        /** Cells separated by commas, quoted if needed. */
        CSV,
        /** Cells separated by tabs, quoted if needed. */
        TSV,
        /** One JSON object per row; it always has the prediction. */
        JSON_LINES
    }

    private static final int PROBABILITY_DIGITS = 6;
    private static final String PREDICTION = "prediction";
    private static final String LOWER = "lower";
    private static final String UPPER = "upper";
    private static final String SET = "set";

    private final KernelModel model;
    private final Values values;
    private final List<String> classes;
    /** The names of the numbers written per row; empty for a single prediction. */
    private final List<String> names;

    private final Format format;
    private final boolean header;
    private final List<String> carried;
    private final int digits;
    /** The limits of intervals or sets; null if none are written. */
    private final @Nullable LevelLimits limits;

    private PredictionWriter(KernelModel model, Values values) {
        this(model, values, Format.LINES, true, List.of(), 0, null);
    }

    /** Creates a writer of predictions: the class, or the numbers. It writes lines. */
    public static PredictionWriter ofPredictions(KernelModel model) {
        return new PredictionWriter(model, Values.PREDICTIONS);
    }

    /**
     * Creates a writer of scores, one per class; for two classes a single one, positive for the second. It writes
     * lines.
     */
    public static PredictionWriter ofScores(KernelModel model) {
        return new PredictionWriter(model, Values.SCORES);
    }

    /**
     * Creates a writer of probabilities, one per class. It writes lines.
     *
     * @throws BochnerException if the model has no probabilities
     */
    public static PredictionWriter ofProbabilities(KernelModel model) {
        return new PredictionWriter(model, Values.PROBABILITIES);
    }

    private PredictionWriter(
            KernelModel model,
            Values values,
            Format format,
            boolean header,
            List<String> carried,
            int digits,
            @Nullable LevelLimits limits) {
        this.model = model;
        this.limits = limits;
        this.values = values;
        this.format = format;
        this.header = header;
        this.carried = carried;
        this.digits = digits;
        for (String name : carried) {
            if (format == Format.JSON_LINES
                    && List.of(PREDICTION, "scores", "probabilities", LOWER, UPPER, SET)
                            .contains(name)) {
                throw new BochnerException(
                        "the column '" + name
                                + "' cannot be copied to JSON lines, where the name is taken; write CSV without a header, or rename it");
            }
        }
        classes = model.labels() instanceof Labels.Classes known ? known.names() : List.of();
        if (values == Values.PROBABILITIES) {
            model.requireCalibration();
        }
        names = names();
    }

    private List<String> names() {
        if (model.labels() instanceof Labels.Numbers numbers) {
            return numbers.targets() == 1 ? List.of() : numbers.names();
        }
        if (values == Values.PREDICTIONS) {
            return List.of();
        }
        boolean one = values == Values.SCORES && model.linear().outputs() == 1;
        return one ? List.of(classes.get(classes.size() - 1)) : classes;
    }

    /** Writes cells separated by commas, quoted if needed. */
    public PredictionWriter asCsv() {
        return as(Format.CSV);
    }

    /** Writes cells separated by tabs, quoted if needed. */
    public PredictionWriter asTsv() {
        return as(Format.TSV);
    }

    /** Writes one JSON object per row, which always has the prediction. */
    public PredictionWriter asJsonLines() {
        return as(Format.JSON_LINES);
    }

    private PredictionWriter as(Format other) {
        return new PredictionWriter(model, values, other, header, carried, digits, limits);
    }

    /** Sets whether CSV and TSV start with a line of column names. [default: true] */
    public PredictionWriter withHeader(boolean wanted) {
        return new PredictionWriter(model, values, format, wanted, carried, digits, limits);
    }

    /** Sets the names of the columns that the rows carry. CSV headers and JSON objects use them. */
    public PredictionWriter withCarried(List<String> columns) {
        return new PredictionWriter(model, values, format, header, List.copyOf(columns), digits, limits);
    }

    /** Sets the largest number of significant digits, at least 1. */
    public PredictionWriter withDigits(int most) {
        return new PredictionWriter(
                model, values, format, header, carried, Require.atLeast("predictions", "digits", most, 1), limits);
    }

    /**
     * Writes an interval beside each number, or a set of classes beside each class. Only for a writer of predictions.
     *
     * @param level the probability of an interval or a set, between 0 and 1
     * @throws BochnerException if the model has no uncertainty
     */
    public PredictionWriter withIntervals(double level) {
        Require.that(values == Values.PREDICTIONS, "PredictionWriter", "intervals are written beside predictions only");
        LevelLimits ofLevel = LevelLimits.of(model.requireUncertainty(), level);
        return new PredictionWriter(model, values, format, header, carried, digits, ofLevel);
    }

    /** Returns the names of the columns after the carried ones. */
    private List<String> columns() {
        if (limits == null) {
            return names.isEmpty() ? List.of(PREDICTION) : names;
        }
        if (!classes.isEmpty()) {
            return List.of(PREDICTION, SET);
        }
        if (names.isEmpty()) {
            return List.of(PREDICTION, LOWER, UPPER);
        }
        List<String> columns = new ArrayList<>();
        for (String name : names) {
            columns.addAll(List.of(name, name + "_" + LOWER, name + "_" + UPPER));
        }
        return columns;
    }

    /**
     * Predicts every row of a source, in parallel, and writes the header and the predictions. The header is written with the
     * first rows.
     */
    public void write(RowSource source, Workers workers, Progress progress, Writer out) throws IOException {
        boolean[] begun = {false};
        UncertainScorer.Sink sink = (rows, scores, deviations) -> {
            try {
                if (!begun[0]) {
                    begin(out);
                    begun[0] = true;
                }
                write(rows, scores, deviations, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try {
            if (limits == null) {
                model.score(source, workers, progress, (rows, scores) -> sink.accept(rows, scores, new double[0]));
            } else {
                model.scoreWithDeviations(source, workers, progress, sink);
            }
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** Writes the header line, if there is one. */
    public void begin(Writer out) throws IOException {
        if ((format == Format.CSV || format == Format.TSV) && header) {
            List<String> cells = new ArrayList<>(carried);
            List<String> own = columns();
            for (String name : carried) {
                if (own.contains(name)) {
                    throw new BochnerException(
                            "the column '" + name + "' cannot be copied, because a column of predictions has the name",
                            Remedy.set(Setting.NO_OUTPUT_HEADER, ""),
                            Remedy.advice("rename the column"));
                }
            }
            cells.addAll(own);
            writeCells(cells, out);
        }
    }

    /**
     * Writes the rows of a block. A writer of intervals whose widths differ from row to row, those of {@code gaussian}, needs
     * {@link #write(RowSource, Workers, Progress, Writer)}.
     */
    public void write(RowBlock rows, double[] scores, Writer out) throws IOException {
        Require.that(
                limits == null || !model.requireUncertainty().hasDeviations(),
                "PredictionWriter",
                "the widths of these intervals need the source; use write(source, workers, progress, out)");
        write(rows, scores, UncertainScorer.ones(limits == null ? 0 : rows.rows()), out);
    }

    private void write(RowBlock rows, double[] scores, double[] deviations, Writer out) throws IOException {
        int outputs = model.linear().outputs();
        double[] chances = new double[values == Values.PROBABILITIES ? rows.rows() * classes.size() : 0];
        if (values == Values.PROBABILITIES) {
            model.probabilities(scores, rows.rows(), chances);
        }
        ClassDisagreement disagreement = limits == null || classes.isEmpty() ? null : model.disagreement();
        for (int i = 0; i < rows.rows(); i++) {
            boolean named = !classes.isEmpty();
            String predicted = named ? classes.get(model.classOf(scores, i)) : null;
            List<Double> numbers = new ArrayList<>();
            if (values == Values.PROBABILITIES) {
                for (int c = 0; c < classes.size(); c++) {
                    numbers.add(chances[i * classes.size() + c]);
                }
            } else if (values == Values.SCORES || !named) {
                for (int o = 0; o < outputs; o++) {
                    numbers.add(scores[i * outputs + o]);
                }
            }
            List<PredictionInterval> intervals = new ArrayList<>();
            for (int o = 0; limits != null && !named && o < outputs; o++) {
                intervals.add(limits.interval(o, scores[i * outputs + o], deviations[i]));
            }
            List<String> set = List.of();
            if (limits != null && disagreement != null) {
                disagreement.take(scores, i);
                set = disagreement.within(limits.ofClasses()).stream()
                        .mapToObj(classes::get)
                        .toList();
            }
            if (format == Format.JSON_LINES) {
                Map<String, Object> object = object(rows.carried(i), predicted, numbers);
                if (!set.isEmpty()) {
                    object.put(SET, set);
                } else if (!intervals.isEmpty()) {
                    object.put(LOWER, byName(intervals, PredictionInterval::lower));
                    object.put(UPPER, byName(intervals, PredictionInterval::upper));
                }
                out.write(Json.write(object));
                out.write('\n');
            } else {
                List<String> cells = new ArrayList<>(rows.carried(i));
                if (numbers.isEmpty() && predicted != null) {
                    cells.add(predicted);
                }
                if (intervals.isEmpty()) {
                    numbers.forEach(number -> cells.add(text(number)));
                }
                for (PredictionInterval interval : intervals) {
                    cells.addAll(List.of(text(interval.prediction()), text(interval.lower()), text(interval.upper())));
                }
                if (!set.isEmpty()) {
                    cells.add(set.stream().map(PredictionWriter::inSet).collect(Collectors.joining("|")));
                }
                writeCells(cells, out);
            }
        }
    }

    /** Returns the name of a class with a backslash before each bar and backslash. */
    private static String inSet(String name) {
        return name.replace("\\", "\\\\").replace("|", "\\|");
    }

    /** Returns the ends of intervals for JSON: one number, or numbers by name. */
    private Object byName(List<PredictionInterval> intervals, ToDoubleFunction<PredictionInterval> end) {
        if (names.isEmpty()) {
            return decimal(end.applyAsDouble(intervals.get(0)));
        }
        Map<String, Object> ends = new LinkedHashMap<>();
        for (int k = 0; k < names.size(); k++) {
            ends.put(names.get(k), decimal(end.applyAsDouble(intervals.get(k))));
        }
        return ends;
    }

    private int mostDigits() {
        return digits == 0 && values == Values.PROBABILITIES ? PROBABILITY_DIGITS : digits;
    }

    private String text(double value) {
        return mostDigits() == 0 ? Digits.shortest(value) : Digits.rounded(value, mostDigits());
    }

    /** Returns the number for JSON, which writes null for numbers that are not finite. */
    private Number decimal(double value) {
        if (!Double.isFinite(value)) {
            return value;
        }
        return mostDigits() == 0 ? Digits.shortestDecimal(value) : Digits.roundedDecimal(value, mostDigits());
    }

    private Map<String, Object> object(List<String> texts, @Nullable String predicted, List<Double> numbers) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int k = 0; k < texts.size(); k++) {
            object.put(carried.get(k), texts.get(k));
        }
        Map<String, Object> byName = new LinkedHashMap<>();
        for (int k = 0; k < names.size(); k++) {
            byName.put(names.get(k), decimal(numbers.get(k)));
        }
        if (predicted == null) {
            object.put(PREDICTION, names.isEmpty() ? decimal(numbers.get(0)) : byName);
        } else {
            object.put(PREDICTION, predicted);
            if (values != Values.PREDICTIONS) {
                object.put(values == Values.SCORES ? "scores" : "probabilities", byName);
            }
        }
        return object;
    }

    private void writeCells(List<String> cells, Writer out) throws IOException {
        char delimiter = format == Format.TSV ? '\t' : ',';
        for (int c = 0; c < cells.size(); c++) {
            if (c > 0) {
                out.write(delimiter);
            }
            out.write(format == Format.LINES ? Escape.line(cells.get(c)) : CsvText.quoted(cells.get(c), delimiter));
        }
        out.write('\n');
    }
}
