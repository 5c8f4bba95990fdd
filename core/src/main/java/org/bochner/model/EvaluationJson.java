package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bochner.base.text.JsonFields;
import org.bochner.data.Labels;

/** The measures of an evaluation as plain values for JSON. */
final class EvaluationJson {
    private EvaluationJson() {}

    /** Returns the measures; see {@link Evaluation#toMap}. */
    static Map<String, Object> measures(Evaluation of) {
        Map<String, Object> map = JsonFields.of("rows", of.rows());
        if (of.labels() instanceof Labels.Classes classes) {
            map.putAll(JsonFields.of("error", of.error(), "accuracy", of.accuracy(), "unseenClassRows", of.unseen()));
            if (of.top() > 1) {
                map.putAll(JsonFields.of("topK", of.top(), "topError", of.topError()));
            }
            if (of.hasProbabilities()) {
                map.putAll(JsonFields.of(
                        "logLoss", of.logLoss(), "brier", of.brier(), "calibrationError", of.calibrationError()));
            }
            of.uncalibrated().ifPresent(plain -> {
                Map<String, Object> effect = JsonFields.of("calibrated", ranking(of), "uncalibrated", ranking(plain));
                if (of.rankingTop() > 1) {
                    effect.put("topK", of.rankingTop());
                }
                map.put("calibrationEffect", effect);
            });
            addCoverage(of, map);
            double[] unknown = new double[classes.names().size()];
            map.put(
                    "classes",
                    of.classes(unknown).stream().map(EvaluationJson::line).toList());
            return map;
        }
        map.putAll(JsonFields.of("rmse", of.rmse(), "mae", of.mae(), "r2", of.r2()));
        if (of.numbers().size() > 1) {
            map.put("outputs", of.numbers().stream().map(EvaluationJson::errors).toList());
        }
        addCoverage(of, map);
        return map;
    }

    private static void addCoverage(Evaluation of, Map<String, Object> map) {
        if (of.coverages().isEmpty()) {
            return;
        }
        boolean sets = of.labels() instanceof Labels.Classes;
        List<Map<String, Object>> lines = new ArrayList<>();
        for (Evaluation.Coverage coverage : of.coverages()) {
            Map<String, Object> line =
                    of.numbers().size() > 1 ? JsonFields.of("name", coverage.output()) : JsonFields.of();
            line.putAll(JsonFields.of(
                    "level",
                    coverage.level(),
                    "coverage",
                    coverage.coverage(),
                    sets ? "meanSize" : "meanWidth",
                    coverage.size()));
            lines.add(line);
        }
        map.put(sets ? "sets" : "intervals", lines);
    }

    /** Returns further measures; see {@link Evaluation#details}. */
    static Map<String, Object> details(Evaluation of) {
        if (of.labels() instanceof Labels.Numbers) {
            return JsonFields.of(
                    "residuals",
                    of.numbers().stream().map(EvaluationJson::residuals).toList());
        }
        List<Map<String, Object>> lines = of.classes().stream()
                .map(score -> {
                    Map<String, Object> line = line(score);
                    line.putAll(JsonFields.of("f1", score.f1(), "auc", score.auc()));
                    return line;
                })
                .toList();
        List<Map<String, Object>> pairs = new ArrayList<>();
        of.confusions()
                .forEach((actual, counts) -> counts.forEach((predicted, rows) ->
                        pairs.add(JsonFields.of("actual", actual, "predicted", predicted, "rows", rows))));
        return JsonFields.of(
                "classes", lines,
                "auc", of.auc(),
                "macroRecall", of.macroRecall(),
                "macroPrecision", of.macroPrecision(),
                "macroF1", of.macroF1(),
                "confusion", pairs);
    }

    private static Map<String, Object> ranking(Evaluation of) {
        Map<String, Object> map = JsonFields.of("error", of.error());
        if (of.rankingTop() > 1) {
            map.put("topError", of.topError(of.rankingTop()));
        }
        map.put("meanRank", of.meanRank());
        return map;
    }

    private static Map<String, Object> line(Evaluation.ClassResult score) {
        return JsonFields.of(
                "class", score.name(),
                "rows", score.rows(),
                "recall", score.recall(),
                "precision", score.precision());
    }

    private static Map<String, Object> errors(Evaluation.NumberResult result) {
        return JsonFields.of("name", result.name(), "rmse", result.rmse(), "mae", result.mae(), "r2", result.r2());
    }

    private static Map<String, Object> residuals(Evaluation.NumberResult result) {
        return JsonFields.of(
                "name", result.name(),
                "mean", result.mean(),
                "standardDeviation", result.standardDeviation(),
                "q05", result.q05(),
                "q25", result.q25(),
                "median", result.median(),
                "q75", result.q75(),
                "q95", result.q95(),
                "maxAbsolute", result.maxAbsolute(),
                "mape", result.mape());
    }
}
