package org.bochner.cli;

import java.util.Locale;
import org.bochner.data.Labels;
import org.bochner.model.Evaluation;

/** How evaluations are put in words. */
final class Results {
    private Results() {}

    /** One line: the error, or the root mean squared error. */
    static String headline(Evaluation evaluation) {
        if (evaluation.labels() instanceof Labels.Classes) {
            long wrong = Math.round(evaluation.error() * evaluation.rows());
            return String.format(
                    Locale.ROOT,
                    "error %.2f%% (%,d of %,d rows wrong)%s",
                    100 * evaluation.error(),
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

    /** The headline and a table with a line for each class or number. */
    static String table(Evaluation evaluation) {
        Table table = new Table();
        if (evaluation.labels() instanceof Labels.Classes) {
            table.line("class", "rows", "recall", "precision");
            for (Evaluation.ClassScore score : evaluation.classes()) {
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
        return headline(evaluation) + System.lineSeparator() + table;
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
