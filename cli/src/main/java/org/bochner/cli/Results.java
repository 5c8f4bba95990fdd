package org.bochner.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bochner.data.Labels;
import org.bochner.model.Evaluation;

/** How evaluations are put in words. */
final class Results {
    /** Of more classes than this, only the worst have a line. */
    private static final int MOST_CLASSES = 40;

    private static final int WORST_CLASSES = 20;

    private Results() {}

    /** One line: the error, or the root mean squared error. */
    static String headline(Evaluation evaluation) {
        if (evaluation.labels() instanceof Labels.Classes) {
            long wrong = Math.round(evaluation.error() * evaluation.rows());
            return String.format(
                    Locale.ROOT,
                    "error %.2f%%%s (%,d of %,d rows wrong)%s",
                    100 * evaluation.error(),
                    evaluation.top() > 1
                            ? String.format(
                                    Locale.ROOT, ", top-%d %.2f%%", evaluation.top(), 100 * evaluation.topError())
                            : "",
                    wrong,
                    evaluation.rows(),
                    evaluation.unseen() > 0
                            ? String.format(
                                    Locale.ROOT, ", %,d of them of classes unseen in training", evaluation.unseen())
                            : "");
        }
        return String.format(
                Locale.ROOT,
                "rmse %.5g, mae %.5g, r2 %.4f (%,d rows)",
                evaluation.rmse(),
                evaluation.mae(),
                evaluation.r2(),
                evaluation.rows());
    }

    /** What is said of probabilities; nothing where there are none. */
    static Optional<String> probabilities(Evaluation evaluation) {
        return evaluation
                .probabilities()
                .map(errors -> String.format(
                        Locale.ROOT,
                        "log loss %.4f, Brier score %.4f, calibration error %.2f%%",
                        errors.logLoss(),
                        errors.brier(),
                        100 * errors.calibrationError()));
    }

    /** The headline and a table with a line for each class or number; of many classes, for the worst. */
    static String table(Evaluation evaluation) {
        Table table = new Table();
        List<Evaluation.ClassScore> classes = evaluation.classes();
        String rest = "";
        if (evaluation.labels() instanceof Labels.Classes) {
            if (classes.size() > MOST_CLASSES) {
                rest = String.format(
                        Locale.ROOT,
                        "These are the %d of %,d classes with the least recall; --json has all.%n",
                        WORST_CLASSES,
                        classes.size());
                // Those without rows, whose recall is NaN, come last.
                classes = classes.stream()
                        .sorted(Comparator.comparingDouble(Evaluation.ClassScore::recall)
                                .thenComparing(Comparator.comparingLong(Evaluation.ClassScore::rows)
                                        .reversed()))
                        .limit(WORST_CLASSES)
                        .toList();
            }
            table.line("class", "rows", "recall", "precision");
            for (Evaluation.ClassScore score : classes) {
                table.line(
                        score.name(),
                        String.format(Locale.ROOT, "%,d", score.rows()),
                        percent(score.recall()),
                        percent(score.precision()));
            }
        } else if (evaluation.numbers().size() > 1) {
            table.line("output", "rmse", "mae", "r2");
            for (Evaluation.NumberScore score : evaluation.numbers()) {
                table.line(
                        score.name(),
                        String.format(Locale.ROOT, "%.5g", score.rmse()),
                        String.format(Locale.ROOT, "%.5g", score.mae()),
                        String.format(Locale.ROOT, "%.4f", score.r2()));
            }
        }
        return headline(evaluation)
                + System.lineSeparator()
                + probabilities(evaluation)
                        .map(line -> line + System.lineSeparator())
                        .orElse("")
                + table
                + rest;
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
