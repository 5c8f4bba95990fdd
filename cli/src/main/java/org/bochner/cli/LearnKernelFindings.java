package org.bochner.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.base.Note;
import org.bochner.data.FileSource;
import org.bochner.data.Labels;
import org.bochner.learn.Learner;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.tune.Criterion;
import org.bochner.tune.LearnedKernel;
import org.bochner.tune.LearnedScale;
import org.bochner.tune.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * What the learn-kernel command found.
 *
 * @param source the data
 * @param learned what the library found
 * @param sharing which scales moved together
 * @param criterion what they were judged by
 * @param learner the learner, with the penalty it took
 * @param lines the scales by influence; empty where frequencies were learned
 * @param again the flags with which train gives the same model; null where no kernel is the learned one
 * @param heldOut whether the test rows are held out from the data
 * @param evaluation of the model; null without test rows
 * @param startEvaluation of the model with the kernel it started from; null without test rows, or if there was no time
 * @param resumed the model it went on from; null for none
 * @param model where the model was saved; null where it was not
 */
record LearnKernelFindings(
        FileSource source,
        LearnedKernel learned,
        Sharing sharing,
        Criterion criterion,
        Learner learner,
        List<ScaleLine> lines,
        @Nullable String again,
        boolean heldOut,
        @Nullable Evaluation evaluation,
        @Nullable Evaluation startEvaluation,
        @Nullable Path resumed,
        @Nullable Path model) {
    /** Of more scales or columns than this, only the first have a line. */
    private static final int MOST_LINES = 20;

    /** Columns with less than this part of the strongest influence hardly count. */
    private static final double FAINT = 1e-3;

    LearnKernelFindings {
        lines = List.copyOf(lines);
    }

    /** A column of the data in the frequencies: the medians of their sizes. */
    record FrequencyLine(String name, double before, double after) {
        double factor() {
            return after / before;
        }
    }

    private KernelModel trained() {
        return learned.trained().model();
    }

    /** The columns of which the kernel no longer knows. */
    List<String> dropped() {
        return lines.stream()
                .filter(line -> line.scale().dropped())
                .map(ScaleLine::name)
                .toList();
    }

    /** What became of the frequencies, those first that grew most; empty where scales were learned. */
    List<FrequencyLine> frequencies() {
        if (sharing != Sharing.FREQUENCY) {
            return List.of();
        }
        FrequencySet before = new FrequencySet(learned.started());
        FrequencySet after = new FrequencySet(trained().map());
        List<String> names = source.columnNames();
        List<FrequencyLine> found = new ArrayList<>();
        for (int j = 0; j < names.size(); j++) {
            double[] along = before.along(j);
            if (along.length > 0) {
                found.add(new FrequencyLine(
                        names.get(j), FrequencySet.median(along), FrequencySet.median(after.along(j))));
            }
        }
        found.sort((a, b) -> Double.compare(b.factor(), a.factor()));
        return found;
    }

    /** The columns in a table, then facts, and last how to train with the kernel. */
    String text() {
        return table() + System.lineSeparator() + facts();
    }

    private String table() {
        if (sharing == Sharing.FREQUENCY) {
            return frequencyTable();
        }
        Table table = new Table().line("columns", "length-scale", "learned", "change", "influence", "rank");
        for (ScaleLine line : lines.subList(0, Math.min(MOST_LINES, lines.size()))) {
            LearnedScale scale = line.scale();
            table.line(
                    line.name(),
                    number(1 / scale.before()),
                    scale.dropped() ? "dropped" : number(1 / scale.after()),
                    scale.dropped() ? "" : "x" + number(scale.before() / scale.after()),
                    number(line.influence()),
                    Integer.toString(line.rank()));
        }
        return table
                + rest(lines.size())
                + "The influence of a column is the spread of its scaled values over its length-scale."
                + System.lineSeparator()
                + faint()
                + (dropped().isEmpty()
                        ? ""
                        : String.format(
                                        Locale.ROOT,
                                        "dropped (%,d): ",
                                        dropped().size())
                                + String.join(", ", dropped())
                                + System.lineSeparator());
    }

    /** What is said of columns that are there still, and make no difference. */
    private String faint() {
        double least = FAINT * lines.get(0).influence();
        long count = lines.stream()
                .filter(line -> !line.scale().dropped() && line.influence() < least)
                .count();
        return count == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of them %s less than a thousandth of the strongest influence; --scale-l1 0.001 may drop"
                                + " such.%n",
                        count,
                        count == 1 ? "has" : "have");
    }

    private String frequencyTable() {
        List<FrequencyLine> frequencies = frequencies();
        Table table = new Table().line("columns", "frequency", "learned", "change");
        for (FrequencyLine line : frequencies.subList(0, Math.min(MOST_LINES, frequencies.size()))) {
            table.line(line.name(), number(line.before()), number(line.after()), "x" + number(line.factor()));
        }
        double[] before = new FrequencySet(learned.started()).lengths();
        double[] after = new FrequencySet(trained().map()).lengths();
        table.line(
                "length",
                number(FrequencySet.median(before)),
                number(FrequencySet.median(after)),
                "x" + number(FrequencySet.median(after) / FrequencySet.median(before)));
        return table
                + rest(frequencies.size())
                + String.format(
                        Locale.ROOT, "These are medians, without signs, of the %,d frequencies.%n", before.length);
    }

    private static String rest(int all) {
        return all <= MOST_LINES
                ? ""
                : String.format(Locale.ROOT, "%,d more of less influence; --json has all.%n", all - MOST_LINES);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private String facts() {
        Facts facts = new Facts()
                .add(
                        "rows",
                        String.format(
                                Locale.ROOT, "%,d", learned.trained().report().rows()))
                .add("started", learned.started().kernel())
                .add(
                        "map",
                        learned.trained().report().map() + ", "
                                + trained().map().outputDimension() + " features")
                .add("scaling", trained().scaler())
                .add("learner", learner)
                .add(
                        "objective",
                        String.format(
                                Locale.ROOT,
                                "%s: %.5g -> %.5g of that without features, lambda %.4g",
                                criterion,
                                learned.before(),
                                learned.after(),
                                learned.lambda()))
                .add(
                        "search",
                        String.format(
                                Locale.ROOT,
                                "%,d evaluation%s on all rows, %.2f s: %s",
                                learned.evaluations(),
                                learned.evaluations() == 1 ? "" : "s",
                                learned.seconds(),
                                learned.end().reason()));
        if (evaluation != null) {
            facts.add(heldOut ? "holdout" : "test", Results.headline(evaluation));
        }
        if (startEvaluation != null) {
            facts.add("before", Results.headline(startEvaluation) + " with the kernel it started from");
        }
        if (model != null) {
            facts.add("model", model);
        }
        facts.add("again", again == null ? "the model has the frequencies; no kernel's spelling holds them" : again);
        return facts.toString();
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("data", source.name());
        map.put("rows", learned.trained().report().rows());
        map.put("columns", source.columns());
        map.put("task", source.labels() instanceof Labels.Classes ? "classify" : "regress");
        map.put("kernel", learned.kernel().toString());
        map.put("startKernel", learned.started().kernel().toString());
        map.put("map", learned.trained().report().map().toString());
        map.put("features", trained().map().outputDimension());
        map.put("scaling", trained().scaler().scaling().toString());
        map.put("learner", learner.toString());
        map.put("per", sharing.toString());
        map.put("objective", criterion.toString());
        map.put("before", learned.before());
        map.put("after", learned.after());
        map.put("lambda", learned.lambda());
        map.put("evaluations", learned.evaluations());
        map.put("seconds", learned.seconds());
        map.put("end", learned.end().reason());
        map.put("scales", lines.stream().map(LearnKernelFindings::toMap).toList());
        map.put("dropped", dropped());
        map.put(
                "frequencies",
                frequencies().stream().map(LearnKernelFindings::toMap).toList());
        if (evaluation != null) {
            boolean classes = source.labels() instanceof Labels.Classes;
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
        map.put("again", again);
        map.put("resumed", resumed == null ? null : resumed.toString());
        map.put("model", model == null ? null : model.toString());
        map.put("peakMemoryBytes", Memory.peakBytes());
        map.put("notes", SettingFlags.texts(TrainCommand.notes(source, notes())));
        return map;
    }

    /** What was chosen on the way. */
    List<Note> notes() {
        return Stream.concat(learned.notes().stream(), learned.trained().report().notes().stream())
                .toList();
    }

    private static Map<String, Object> toMap(ScaleLine line) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("columns", line.name());
        map.put("term", line.scale().term());
        map.put("from", line.scale().from());
        map.put("to", line.scale().to());
        map.put("before", line.scale().before());
        map.put("after", line.scale().after());
        map.put("influence", line.influence());
        map.put("rank", line.rank());
        map.put("dropped", line.scale().dropped());
        return map;
    }

    private static Map<String, Object> toMap(FrequencyLine line) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("columns", line.name());
        map.put("before", line.before());
        map.put("after", line.after());
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
