package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Spelling;
import org.bochner.data.Labels;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingRecord;
import org.jspecify.annotations.Nullable;

/** Prints evaluations. */
final class Results {
    /** If there are more classes than this, only the worst have a line. */
    private static final int MOST_CLASSES = 40;

    private static final int WORST_CLASSES = 20;

    /** If there are more classes than this, the most frequent confusions replace the confusion table. */
    private static final int MOST_CONFUSED_CLASSES = 20;

    private static final int MOST_PAIRS = 10;
    private static final int MOST_LETTERS = 20;

    private Results() {}

    /** Adds the measures on test rows to a JSON object; nothing without test rows. */
    static void addTo(Map<String, Object> map, @Nullable Evaluation evaluation) {
        if (evaluation != null) {
            Map<String, Object> measures = evaluation.toMap();
            map.put("testRows", measures.remove("rows"));
            measures.remove("classes");
            map.putAll(measures);
        }
    }

    /** Returns one line: the error, or the root mean squared error. */
    static String headline(Evaluation evaluation) {
        if (evaluation.labels() instanceof Labels.Classes) {
            long wrong = Math.round(evaluation.error() * evaluation.rows());
            return Text.of(
                    "error %.2f%%%s (%,d of %,d %s wrong)%s",
                    100 * evaluation.error(),
                    evaluation.top() > 1
                            ? Text.of(", top-%d %.2f%%", evaluation.top(), 100 * evaluation.topError())
                            : "",
                    wrong,
                    evaluation.rows(),
                    unit(evaluation),
                    evaluation.unseen() > 0
                            ? Text.of(", %,d of them of classes unseen in training", evaluation.unseen())
                            : "");
        }
        return Text.of(
                "rmse %.5g, mae %.5g, r2 %.4f (%,d %s)",
                evaluation.rmse(), evaluation.mae(), evaluation.r2(), evaluation.rows(), unit(evaluation));
    }

    /**
     * Returns a note if a model without class weights predicts the test rows no better than the best constant: their most
     * frequent class, or the mean of each number.
     */
    static Optional<Note> noBetterThanAConstant(@Nullable Evaluation evaluation, TrainingRecord training) {
        boolean weighted =
                training.balancedClasses() || !training.classWeights().isEmpty();
        if (evaluation == null || weighted) {
            return Optional.empty();
        }
        String advice =
                "; look for wrong labels and columns without information, or compare other kernels and scalings";
        if (!(evaluation.labels() instanceof Labels.Classes)) {
            return evaluation.r2() <= 0
                    ? Optional.of(new Note(
                            Note.Kind.CHOICE,
                            Text.of(
                                            "r2 on the test rows is %.4f: the model predicts no better than a constant",
                                            evaluation.r2())
                                    + advice))
                    : Optional.empty();
        }
        return evaluation.classes().stream()
                .max(Comparator.comparingLong(Evaluation.ClassResult::rows))
                .filter(most -> evaluation.error() * evaluation.rows() > evaluation.rows() - most.rows() - 0.5)
                .map(most -> new Note(
                        Note.Kind.CHOICE,
                        Text.of(
                                        "the error on the test rows, %.2f%%, is not below that of always predicting the class"
                                                + " %s, %.2f%%",
                                        100 * evaluation.error(),
                                        most.name(),
                                        100.0 * (evaluation.rows() - most.rows()) / evaluation.rows())
                                + advice));
    }

    private static String unit(Evaluation evaluation) {
        return evaluation.ofSets() ? "sets" : "rows";
    }

    /** Returns a sentence on the probabilities; empty if there are none. */
    static Optional<String> probabilities(Evaluation evaluation) {
        return evaluation.hasProbabilities()
                ? Optional.of(Text.of(
                        "log loss %.4f, Brier score %.4f, calibration error %.2f%%",
                        evaluation.logLoss(), evaluation.brier(), 100 * evaluation.calibrationError()))
                : Optional.empty();
    }

    /** Runs an action on a model; failures name its file. */
    static <T> T named(Object model, Supplier<T> action) {
        try {
            return action.get();
        } catch (BochnerException e) {
            throw new BochnerException(
                    model + ": " + e.problem(), e, e.remedies().toArray(Remedy[]::new));
        }
    }

    /** Says that levels of intervals or sets are too high for the errors that a model knows. */
    static void warn(KernelModel model, List<Double> levels, Talk talk) {
        for (double level : levels) {
            if (level > model.highestLevel()) {
                talk.say(Text.of(
                        "note: --intervals %s: %s, because the model knows the errors of only %s; the highest possible level"
                                + " is %s",
                        Spelling.print(level),
                        model.labels() instanceof Labels.Classes ? "sets have all classes" : "intervals are infinite",
                        Text.count(model.uncertaintyRows(), model.ofSets() ? "set" : "row"),
                        Spelling.roundedDown(model.highestLevel(), 4)));
            }
        }
    }

    /** Says that a model that was made from another one lacks its uncertainty. */
    static void sayDropped(KernelModel original, String made, Talk talk) {
        original.uncertainty()
                .ifPresent(recipe -> talk.say("note: the " + made + " model has no uncertainty, because " + recipe
                        + " belongs to the scores of the original model"));
    }

    /** Adds one line per level on the coverage of intervals or sets; none if it was not measured. */
    static void addCoverage(Facts facts, Evaluation evaluation) {
        for (Evaluation.Coverage coverage : evaluation.coverages()) {
            facts.add(
                    level(coverage) + (sets(evaluation) ? " sets" : " intervals"),
                    "%scoverage %.1f%%, mean %s %.4g",
                    evaluation.numbers().size() > 1 ? shortened(coverage.output()) + ": " : "",
                    100 * coverage.coverage(),
                    sets(evaluation) ? "size" : "width",
                    coverage.size());
        }
    }

    private static boolean sets(Evaluation evaluation) {
        return evaluation.labels() instanceof Labels.Classes;
    }

    private static String level(Evaluation.Coverage coverage) {
        return Text.of("%.6g", 100 * coverage.level()).replaceAll("\\.?0*$", "") + "%";
    }

    /** Returns a table of the coverage of intervals or sets, with an empty line before it; empty if it was not measured. */
    private static String coverage(Evaluation evaluation) {
        if (evaluation.coverages().isEmpty()) {
            return "";
        }
        boolean several = evaluation.numbers().size() > 1;
        List<String> head = new ArrayList<>(several ? List.of("output") : List.of());
        head.addAll(List.of("level", "coverage", sets(evaluation) ? "mean size" : "mean width"));
        Table table = new Table();
        table.line(head.toArray(String[]::new));
        for (Evaluation.Coverage coverage : evaluation.coverages()) {
            List<String> line = new ArrayList<>(several ? List.of(shortened(coverage.output())) : List.of());
            line.addAll(List.of(level(coverage), percent(coverage.coverage()), number(coverage.size())));
            table.line(line.toArray(String[]::new));
        }
        return System.lineSeparator() + table;
    }

    /** Adds a line on the ranking of the classes with the calibration and one without it; none if their order is kept. */
    static void addCalibrationEffect(Facts facts, Evaluation evaluation) {
        evaluation
                .uncalibrated()
                .ifPresent(plain -> facts.add("calibrated", ranking(evaluation)).add("uncalibrated", ranking(plain)));
    }

    private static String ranking(Evaluation evaluation) {
        int top = evaluation.rankingTop();
        return Text.of("error %.2f%%, ", 100 * evaluation.error())
                + (top > 1 ? Text.of("top-%d error %.2f%%, ", top, 100 * evaluation.topError(top)) : "")
                + Text.of("mean rank of the class %.3f", evaluation.meanRank());
    }

    /** Returns the headline and a table with one line per class or number; only the worst of many classes. */
    static String table(Evaluation evaluation) {
        Table table = new Table();
        List<Evaluation.ClassResult> classes = evaluation.classes();
        String rest = "";
        if (evaluation.labels() instanceof Labels.Classes) {
            if (classes.size() > MOST_CLASSES) {
                rest = Text.of(
                        "These are the %d of %,d classes with the least recall; --json has all.%n",
                        WORST_CLASSES, classes.size());
                // Classes without rows, whose recall is NaN, come last.
                classes = classes.stream()
                        .sorted(Comparator.comparingDouble(Evaluation.ClassResult::recall)
                                .thenComparing(Comparator.comparingLong(Evaluation.ClassResult::rows)
                                        .reversed()))
                        .limit(WORST_CLASSES)
                        .toList();
            }
            table.line("class", unit(evaluation), "recall", "precision", "F1", "AUC");
            for (Evaluation.ClassResult score : classes) {
                table.line(
                        Spelling.line(score.name()),
                        Text.of("%,d", score.rows()),
                        percent(score.recall()),
                        percent(score.precision()),
                        percent(score.f1()),
                        fraction(score.auc()));
            }
            rest += macro(evaluation) + System.lineSeparator() + confusion(evaluation);
        } else {
            rest = residuals(evaluation);
        }
        if (evaluation.numbers().size() > 1) {
            table.line("output", "rmse", "mae", "r2");
            for (Evaluation.NumberResult score : evaluation.numbers()) {
                table.line(
                        score.name(),
                        Text.of("%.5g", score.rmse()),
                        Text.of("%.5g", score.mae()),
                        Text.of("%.4f", score.r2()));
            }
        }
        Facts effect = new Facts();
        addCalibrationEffect(effect, evaluation);
        return headline(evaluation)
                + System.lineSeparator()
                + probabilities(evaluation)
                        .map(line -> line + System.lineSeparator())
                        .orElse("")
                + effect
                + table
                + rest
                + coverage(evaluation);
    }

    private static String macro(Evaluation evaluation) {
        return Text.of(
                "mean over classes: recall %s, precision %s, F1 %s, AUC %s%n",
                percent(evaluation.macroRecall()),
                percent(evaluation.macroPrecision()),
                percent(evaluation.macroF1()),
                fraction(evaluation.auc()));
    }

    /** Returns the confusion table, or the most frequent confusions if there are many classes. */
    private static String confusion(Evaluation evaluation) {
        List<String> names =
                evaluation.labels().names().stream().map(Results::shortened).toList();
        Table table = new Table();
        if (names.size() <= MOST_CONFUSED_CLASSES) {
            String[] head = new String[names.size() + 1];
            head[0] = "actual \\ predicted";
            for (int p = 0; p < names.size(); p++) {
                head[p + 1] = names.get(p);
            }
            table.line(head);
            for (int a = 0; a < names.size(); a++) {
                String[] line = new String[names.size() + 1];
                line[0] = names.get(a);
                for (int p = 0; p < names.size(); p++) {
                    line[p + 1] = Text.of("%,d", evaluation.confusion(a, p));
                }
                table.line(line);
            }
            return table.toString();
        }
        List<Confused> pairs = new ArrayList<>();
        evaluation
                .confusions()
                .forEach((actual, counts) -> counts.forEach((predicted, rows) -> {
                    if (!actual.equals(predicted)) {
                        pairs.add(new Confused(actual, predicted, rows));
                    }
                }));
        if (pairs.isEmpty()) {
            return "";
        }
        pairs.sort(Comparator.comparingLong(Confused::rows).reversed());
        table.line("most confused: actual", "predicted", "rows");
        for (Confused pair : pairs.subList(0, Math.min(MOST_PAIRS, pairs.size()))) {
            table.line(shortened(pair.actual), shortened(pair.predicted), Text.of("%,d", pair.rows));
        }
        return table.toString();
    }

    private record Confused(String actual, String predicted, long rows) {}

    private static String shortened(String name) {
        String line = Spelling.line(name);
        return line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS - 3) + "...";
    }

    private static String residuals(Evaluation evaluation) {
        Table table = new Table();
        table.line("residuals", "mean", "sd", "5%", "25%", "50%", "75%", "95%", "largest", "mape");
        for (Evaluation.NumberResult r : evaluation.numbers()) {
            table.line(
                    shortened(r.name()),
                    number(r.mean()),
                    number(r.standardDeviation()),
                    number(r.q05()),
                    number(r.q25()),
                    number(r.median()),
                    number(r.q75()),
                    number(r.q95()),
                    number(r.maxAbsolute()),
                    percent(r.mape()));
        }
        return System.lineSeparator() + table;
    }

    private static String number(double value) {
        return Text.of("%.4g", value);
    }

    private static String fraction(double value) {
        return Double.isNaN(value) ? "-" : Text.of("%.4f", value);
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : Text.of("%.1f%%", 100 * share);
    }
}
