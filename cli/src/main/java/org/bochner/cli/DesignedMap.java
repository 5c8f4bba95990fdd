package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/**
 * What a designed map of a model was designed for, and its error there.
 *
 * @param kernel the kernel of the map
 * @param ofRatios true if the design is a function of the logarithm of ratios, false for differences
 * @param design the saved facts of the design
 */
record DesignedMap(String kernel, boolean ofRatios, State design) {
    private static final String PART = "design";
    private static final String TYPE = PART + ".type";

    /** Returns the designed maps of a model, in the order of the features. */
    static List<DesignedMap> of(KernelModel model) {
        State state = model.map().state();
        List<DesignedMap> maps = new ArrayList<>();
        for (String key : state.texts().keySet()) {
            if (key.equals(TYPE) || key.endsWith("." + TYPE)) {
                String prefix = key.substring(0, key.length() - TYPE.length());
                String type = prefix.isEmpty() ? state.type() : state.text(prefix + "type");
                maps.add(new DesignedMap(
                        state.text(prefix + "kernel"), type.equals("spectral"), state.part(prefix + PART)));
            }
        }
        return maps;
    }

    private double[] lengths() {
        return design.array("lengths", design.count("columns"));
    }

    private boolean universal() {
        return Boolean.parseBoolean(design.text("universal"));
    }

    private boolean periodic(int column) {
        return design.integers("periodic", design.count("columns"))[column] != 0;
    }

    private double largestRatio() {
        return Math.exp(lengths()[0]);
    }

    /** Returns the range and the error, in words. */
    String line() {
        int dimension = design.count("dimension");
        String weight = design.text("weight");
        String unit = weight.equals("relative")
                ? " of the kernel"
                : weight.equals("data") ? ", weighed by the data," : ofRatios ? " of the largest value" : "";
        return Text.of(
                "%s; %s%s; %s error %s%s %s",
                kernel,
                Text.count(dimension, "feature"),
                ofRatios ? " per column" : "",
                design.text("norm"),
                ErrorText.number(design.number("error")),
                unit,
                range());
    }

    private String range() {
        if (ofRatios) {
            return universal()
                    ? "for all ratios of values"
                    : Text.of("for ratios of values up to %.4g", largestRatio());
        }
        double[] lengths = lengths();
        return IntStream.range(0, lengths.length)
                .mapToObj(l -> (periodic(l) ? "for all differences" : Text.of("for differences up to %.4g", lengths[l]))
                        + (lengths.length > 1 ? " in column " + l : ""))
                .collect(Collectors.joining(", "));
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kernel", kernel);
        map.put("dimension", design.count("dimension"));
        map.put("error", design.number("error"));
        map.put("norm", design.text("norm"));
        map.put("weight", design.text("weight"));
        map.put("universal", universal());
        map.put("largestRatio", ofRatios && !universal() ? largestRatio() : null);
        List<@Nullable Double> differences = new ArrayList<>();
        double[] lengths = lengths();
        for (int l = 0; l < lengths.length; l++) {
            differences.add(periodic(l) ? null : lengths[l]);
        }
        map.put("largestDifferences", ofRatios ? null : differences);
        return map;
    }
}
