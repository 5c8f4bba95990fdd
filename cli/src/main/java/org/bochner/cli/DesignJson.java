package org.bochner.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.map.DesignRival;
import org.jspecify.annotations.Nullable;

/** Makes the JSON object of the design command. */
final class DesignJson {
    private DesignJson() {}

    static Map<String, @Nullable Object> of(DesignFindings findings) {
        Design design = findings.design();
        DesignProblem problem = findings.problem();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("kernel", problem.kernel().toString());
        map.put("data", findings.where().orElse(null));
        map.put("columns", design.columns());
        map.put("domain", domain(problem));
        map.put("universal", problem.universal());
        map.put("dimension", design.dimension());
        map.put("error", design.error());
        map.put("errorAtHighest", orNull(findings.atHighest(design.error())));
        map.put("bound", design.certificate() > 0 ? design.certificate() : null);
        map.put("norm", Text.word(design.plan().norm()));
        map.put("weight", problem.relative() ? "relative" : "absolute");
        map.put("form", Text.word(findings.design().form()));
        map.put("search", Text.word(design.plan().search()));
        map.put("gridPoints", design.gridPoints());
        map.put(
                "frequencies",
                terms(design).mapToObj(j -> list(design.frequency(j))).toList());
        map.put("weights", terms(design).mapToObj(design::spectralWeight).toList());
        map.put("features", terms(design).mapToObj(design::dimension).toList());
        map.put("map", findings.map().orElse(null));
        map.put(
                "comparison",
                findings.rivals().stream().map(rival -> rival(findings, rival)).toList());
        map.put("seconds", findings.seconds());
        map.put("notes", SettingFlags.texts(findings.notes()));
        return map;
    }

    /** Returns one interval of two numbers per column; null for a column with a period, and for every ratio. */
    private static List<@Nullable Object> domain(DesignProblem problem) {
        List<@Nullable Object> domain = new ArrayList<>();
        problem.ranges()
                .forEach(values -> domain.add(values.map(interval -> List.of(interval.low(), interval.high()))
                        .orElse(null)));
        return domain;
    }

    private static IntStream terms(Design design) {
        return IntStream.range(0, design.count());
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static Map<String, @Nullable Object> rival(DesignFindings findings, DesignRival rival) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("map", rival.map());
        map.put("features", rival.features());
        map.put("error", rival.error());
        map.put("errorAtHighest", orNull(findings.atHighest(rival.error())));
        map.put("times", rival.error() / findings.design().error());
        return map;
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
