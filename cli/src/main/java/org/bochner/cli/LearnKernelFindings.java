package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bochner.base.Note;
import org.bochner.data.Labels;
import org.bochner.data.SurveyedSource;
import org.bochner.learn.Learner;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.tune.Criterion;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedScale;
import org.bochner.tune.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * The results of the learn-kernel command.
 *
 * @param learned the result of the library
 * @param method the method of the search
 * @param sharing the scales that moved together
 * @param criterion the objective that was minimised
 * @param again the train command that makes the same model; null if there is none
 * @param gradients what the model looks at; null unless gradients were averaged
 * @param matrix the file of the learned matrix; null if there is none
 * @param heldOut true if the test rows are held out from the data
 * @param evaluation evaluation of the model; null without test rows
 * @param startEvaluation evaluation of a model with the initial kernel; null without test rows, and after Ctrl-C
 * @param resumed the model that learning continued from; null for none
 * @param plot the file of the plot; null for none
 * @param model the file of the model; null if it was not saved
 */
record LearnKernelFindings(
        Session session,
        LearnedKernel learned,
        String method,
        Sharing sharing,
        Criterion criterion,
        @Nullable String again,
        @Nullable GradientFindings gradients,
        @Nullable Path matrix,
        boolean heldOut,
        @Nullable Evaluation evaluation,
        @Nullable Evaluation startEvaluation,
        @Nullable Path resumed,
        @Nullable Path plot,
        @Nullable Path model) {
    /** Longer tables show only the first lines. */
    private static final int MOST_LINES = 20;

    /** Columns with less than this share of the strongest influence hardly count. */
    private static final double FAINT = 1e-3;

    /** The median absolute frequency along a column, before and after, and weighted by the use of the model. */
    record FrequencyLine(String name, double before, double after, double used) {
        double factor() {
            return after / before;
        }
    }

    SurveyedSource source() {
        return session.source();
    }

    private KernelModel trained() {
        return learned.trained().model();
    }

    private Learner learner() {
        return learned.trained().report().learner();
    }

    /** Returns the learned scales, the strongest influence first; empty if frequencies were learned. */
    List<LearnedScale> scales() {
        return learned.scales().stream()
                .sorted(Comparator.comparingDouble(LearnedScale::influence).reversed())
                .toList();
    }

    /** Returns the columns of a scale: a name, or from:to; with the term of the kernel, if there are several. */
    String name(LearnedScale scale) {
        List<String> names = source().columnNames();
        String columns = scale.to() - scale.from() == 1
                ? names.get(scale.from())
                : scale.from() == 0 && scale.to() == names.size() ? "all columns" : scale.from() + ":" + scale.to();
        boolean terms = learned.scales().stream().anyMatch(other -> other.term() > 0);
        return terms ? columns + ", term " + (scale.term() + 1) : columns;
    }

    /** Returns the names of the columns that the kernel ignores. */
    private List<String> dropped() {
        return scales().stream().filter(LearnedScale::dropped).map(this::name).toList();
    }

    /** Returns the columns by the growth of their frequencies; empty if scales were learned. */
    private List<FrequencyLine> frequencies() {
        if (sharing != Sharing.FREQUENCY) {
            return List.of();
        }
        List<String> names = source().columnNames();
        List<FrequencyLine> found = new ArrayList<>();
        for (int j = 0; j < names.size(); j++) {
            double[] before = learned.startFrequencies(j);
            if (before.length > 0) {
                double[] after = learned.learnedFrequencies(j);
                double used = quantile(after, learned.frequencyUse(j), 0.5);
                found.add(new FrequencyLine(names.get(j), median(before), median(after), used));
            }
        }
        found.sort(Comparator.comparingDouble(FrequencyLine::factor).reversed());
        return found;
    }

    private static double median(double[] ascending) {
        return ascending[(ascending.length - 1) / 2];
    }

    /** Returns the smallest number at which the sum of the shares reaches a level. */
    static double quantile(double[] ascending, double[] shares, double level) {
        double sum = 0;
        for (int i = 0; i < ascending.length; i++) {
            sum += shares[i];
            if (sum >= level) {
                return ascending[i];
            }
        }
        return ascending[ascending.length - 1];
    }

    /** Returns the median lengths of the frequencies; null if the map has none. */
    private @Nullable FrequencyLine lengths() {
        double[] before = learned.startFrequencyLengths();
        double[] after = learned.learnedFrequencyLengths();
        return before.length == 0 || after.length == 0
                ? null
                : new FrequencyLine(
                        "length", median(before), median(after), quantile(after, learned.frequencyLengthUse(), 0.5));
    }

    /** Returns the columns in a table, then facts, and last how to train with the kernel. */
    String text() {
        return (sharing == Sharing.FREQUENCY ? frequencyTable() : scaleTable())
                + System.lineSeparator()
                + (gradients == null ? "" : gradients.text())
                + facts();
    }

    private String scaleTable() {
        List<LearnedScale> scales = scales();
        Table table = new Table().line("columns", "length-scale", "learned", "change", "influence", "rank");
        for (int i = 0; i < Math.min(MOST_LINES, scales.size()); i++) {
            LearnedScale scale = scales.get(i);
            table.line(
                    name(scale),
                    Text.number(1 / scale.before()),
                    scale.dropped() ? "dropped" : Text.number(1 / scale.after()),
                    scale.dropped() ? "" : "x" + Text.number(scale.before() / scale.after()),
                    Text.number(scale.influence()),
                    Integer.toString(i + 1));
        }
        List<String> dropped = dropped();
        return table
                + rest(scales.size())
                + Text.of("The influence of a column is the standard deviation of its scaled values divided by its"
                        + " length-scale.%n")
                + faint(scales)
                + (dropped.isEmpty() ? "" : Text.of("dropped (%,d): %s%n", dropped.size(), String.join(", ", dropped)));
    }

    /** Returns a sentence about columns that are kept and hardly matter. */
    private static String faint(List<LearnedScale> scales) {
        double least = FAINT * scales.get(0).influence();
        long count = scales.stream()
                .filter(scale -> !scale.dropped() && scale.influence() < least)
                .count();
        return count == 0
                ? ""
                : Text.of(
                        "%,d of them %s less than a thousandth of the strongest influence. --scale-l1 0.001 may drop"
                                + " these columns.%n",
                        count, count == 1 ? "has" : "have");
    }

    private String frequencyTable() {
        List<FrequencyLine> frequencies = frequencies();
        Table table = new Table().line("columns", "frequency", "learned", "change", "used");
        for (FrequencyLine line : frequencies.subList(0, Math.min(MOST_LINES, frequencies.size()))) {
            add(table, line);
        }
        FrequencyLine lengths = lengths();
        if (lengths != null) {
            add(table, lengths);
        }
        return table
                + rest(frequencies.size())
                + Text.of(
                        "The values are medians of the absolute values of %,d frequencies; used: weighted by the squared"
                                + " weights of the model.%n",
                        learned.startFrequencyLengths().length);
    }

    private static void add(Table table, FrequencyLine line) {
        table.line(
                line.name(),
                Text.number(line.before()),
                Text.number(line.after()),
                "x" + Text.number(line.factor()),
                Text.number(line.used()));
    }

    private static String rest(int all) {
        return all <= MOST_LINES ? "" : Text.of("%,d more with less influence; --json lists all.%n", all - MOST_LINES);
    }

    private Facts facts() {
        Facts facts = new Facts()
                .add("rows", Text.count(learned.trained().report().rows()))
                .add("started", learned.initialMap().kernel() + (learned.hasOtherMap() ? ", for the search" : ""))
                .add(
                        "map",
                        learned.trained().report().map() + ", "
                                + trained().map().outputDimension()
                                + (trained().training().map().makesFeatures() ? " features" : " rows"))
                .add("scaling", trained().scaler())
                .add("learner", learner())
                .add(
                        "objective",
                        "%s: %.5g -> %.5g (a constant prediction has 1), lambda %.4g",
                        criterion,
                        learned.before(),
                        learned.after(),
                        learned.lambda())
                .add(
                        "search",
                        "%s on %s, %.2f s: %s",
                        Text.count(learned.criterionEvaluations(), "evaluation"),
                        learned.hasOtherMap() ? "the rows of the search" : "all rows",
                        learned.seconds(),
                        learned.end());
        if (evaluation != null) {
            facts.add(heldOut ? "holdout" : "test", Results.headline(evaluation));
            Results.addCalibrationEffect(facts, evaluation);
        }
        if (startEvaluation != null) {
            facts.add(
                    "before",
                    Results.headline(startEvaluation)
                            + (learned.hasOtherMap() ? " without learned scales" : " with the initial kernel"));
        }
        if (plot != null) {
            facts.add("plot", plot);
        }
        if (model != null) {
            facts.add("model", model);
        }
        if (matrix != null) {
            facts.add("matrix", matrix);
        }
        return facts.add("again", again == null ? noCommand() : again);
    }

    private String noCommand() {
        if (trained().scaler().matrix().length > 0) {
            return resumed == null
                    ? "none: --matrix FILE writes the learned matrix, which train can read; the model contains it"
                    : "none: the matrix of the scaling of " + resumed + " has no file; the model contains it";
        }
        return sharing == Sharing.FREQUENCY
                ? "none: learned frequencies have no kernel spelling; the model contains them"
                : "none: the features of " + resumed + " do not follow from its kernel, these rows and its seed; the"
                        + " model contains them";
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", source().name());
        map.put("rows", learned.trained().report().rows());
        map.put("columns", source().columns());
        boolean classes = session.classes();
        map.put("task", session.task());
        map.put("kernel", learned.kernel().toString());
        map.put("startKernel", learned.initialMap().kernel().toString());
        map.put("map", learned.trained().report().map().toString());
        map.put("features", trained().map().outputDimension());
        map.put("scaling", trained().scaler().scaling().toString());
        map.put("learner", learner().toString());
        map.put("method", method);
        map.put("per", sharing.toString());
        map.put("objective", criterion.toString());
        map.put("before", learned.before());
        map.put("after", learned.after());
        map.put("lambda", learned.lambda());
        map.put("startLambda", learned.initialLambda());
        map.put("evaluations", learned.criterionEvaluations());
        map.put("seconds", learned.seconds());
        map.put("end", learned.end());
        List<LearnedScale> scales = scales();
        List<Map<String, Object>> lines = new ArrayList<>();
        for (LearnedScale scale : scales) {
            lines.add(toMap(scale, lines.size() + 1));
        }
        map.put("scales", lines);
        map.put("dropped", dropped());
        map.put(
                "frequencies",
                frequencies().stream().map(LearnKernelFindings::toMap).toList());
        FrequencyLine lengths = lengths();
        map.put("frequencyLengths", lengths == null ? null : toMap(lengths));
        if (evaluation != null) {
            map.put("testRows", evaluation.rows());
            map.put(classes ? "error" : "rmse", classes ? evaluation.error() : evaluation.rmse());
            Evaluation start = startEvaluation;
            map.put(
                    classes ? "startError" : "startRmse",
                    start == null ? null : (Double) (classes ? start.error() : start.rmse()));
        }
        map.put(
                "steps",
                learned.steps().stream().map(LearnKernelFindings::toMap).toList());
        map.put("gradients", gradients == null ? null : gradients.toMap());
        map.put("matrix", matrix == null ? null : matrix.toString());
        map.put("again", again);
        map.put("resumed", resumed == null ? null : resumed.toString());
        map.put("plot", plot == null ? null : plot.toString());
        map.put("model", model == null ? null : model.toString());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("notes", session.notes(notes()));
        return map;
    }

    /** Returns the notes of kernel learning, then those of training, then those on the test error. */
    List<Note> notes() {
        return Stream.of(
                        learned.notes().stream(),
                        learned.trained().report().notes().stream(),
                        worse(evaluation, startEvaluation).stream(),
                        Results.noBetterThanAConstant(evaluation, trained().training()).stream())
                .flatMap(notes -> notes)
                .toList();
    }

    /** Returns a note if the learned kernel has a larger test error than the initial one. */
    static Optional<Note> worse(@Nullable Evaluation learned, @Nullable Evaluation initial) {
        if (learned == null || initial == null) {
            return Optional.empty();
        }
        boolean classes = learned.labels() instanceof Labels.Classes;
        double after = classes ? learned.error() : learned.rmse();
        double before = classes ? initial.error() : initial.rmse();
        return after > before
                ? Optional.of(new Note(
                        Note.Kind.CHOICE,
                        "the test error with the learned kernel is larger than with the initial kernel"
                                + (classes
                                        ? Text.of(" (%.2f%% instead of %.2f%%)", 100 * after, 100 * before)
                                        : Text.of(" (rmse %.5g instead of %.5g)", after, before))))
                : Optional.empty();
    }

    private Map<String, Object> toMap(LearnedScale scale, int rank) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("columns", name(scale));
        map.put("term", scale.term());
        map.put("from", scale.from());
        map.put("to", scale.to());
        map.put("before", scale.before());
        map.put("after", scale.after());
        map.put("influence", scale.influence());
        map.put("rank", rank);
        map.put("dropped", scale.dropped());
        return map;
    }

    private static Map<String, Object> toMap(FrequencyLine line) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("columns", line.name());
        map.put("before", line.before());
        map.put("after", line.after());
        map.put("used", line.used());
        return map;
    }

    private static Map<String, Object> toMap(LearnedKernel.Step step) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("stage", step.stage());
        map.put("iteration", step.iteration());
        map.put("value", step.value());
        map.put("slope", step.slope());
        return map;
    }
}
