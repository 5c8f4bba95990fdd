package org.bochner.map.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.design.Design;
import org.bochner.design.Norm;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * The range, error weight and error of a designed map. A saved map holds them.
 *
 * @param dimension the number of features: per column for kernels of ratios, in total for others
 * @param error the weighted error
 * @param norm the norm of the error
 * @param weight how errors are weighed
 * @param universal true if the error holds for all ratios of values
 * @param lengths the largest difference, or log-ratio, of each column of the design; half the period of a column that
 *     repeats
 * @param periodic true for each column that repeats, whose differences are all covered
 */
public record DesignFacts(
        int dimension,
        double error,
        Norm norm,
        ErrorWeight weight,
        boolean universal,
        List<Double> lengths,
        List<Boolean> periodic) {
    private static final String TYPE = "design";

    public DesignFacts {
        Require.atLeast(TYPE, "dimension", dimension, 1);
        Require.notNegative(TYPE, "error", error);
        lengths = List.copyOf(lengths);
        periodic = List.copyOf(periodic);
        Require.that(!lengths.isEmpty(), TYPE, "needs a column");
        Require.sameSize(TYPE, "columns", periodic.size(), lengths.size());
        lengths.forEach(length -> Require.positive(TYPE, "length", length));
    }

    /** Returns the facts of a design. */
    public static DesignFacts of(Design design, ErrorWeight weight, boolean universal) {
        List<Axis> axes = design.target().axes();
        return new DesignFacts(
                design.dimension(),
                design.error(),
                design.plan().norm(),
                weight,
                universal,
                design.lengths(),
                axes.stream().map(Axis::periodic).toList());
    }

    /** Returns the facts that {@link #addTo} added to a state. */
    public static Optional<DesignFacts> in(State state) {
        return state.has(TYPE + ".type") ? Optional.of(load(state.part(TYPE))) : Optional.empty();
    }

    private static DesignFacts load(State state) {
        int columns = state.count("columns");
        double[] lengths = state.array("lengths", columns);
        int[] periodic = state.integers("periodic", columns);
        return new DesignFacts(
                state.count("dimension"),
                state.number("error"),
                constant(state, "norm", Norm.values()),
                constant(state, "weight", ErrorWeight.values()),
                state.text("universal").equals("true"),
                Arrays.stream(lengths).boxed().toList(),
                Arrays.stream(periodic).mapToObj(p -> p != 0).toList());
    }

    private static <E extends Enum<E>> E constant(State state, String key, E[] values) {
        for (E value : values) {
            if (word(value).equals(state.text(key))) {
                return value;
            }
        }
        List<String> words = Arrays.stream(values).map(DesignFacts::word).toList();
        throw new BochnerException(
                TYPE + ": the " + key + " must be one of " + words + ", got '" + state.text(key) + "'");
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private double largestRatio() {
        return Math.exp(lengths.get(0));
    }

    /** Returns the facts of a map of a kernel in words. */
    public String text(Kernel kernel) {
        boolean ofRatios = kernel instanceof HomogeneousKernel;
        String unit =
                switch (weight) {
                    case RELATIVE -> " of the kernel";
                    case DATA -> ", weighed by the data,";
                    case ABSOLUTE -> ofRatios ? " of the largest value" : "";
                };
        return String.format(
                Locale.ROOT,
                "%s; %,d feature%s%s; %s error %s%s %s",
                kernel,
                dimension,
                dimension == 1 ? "" : "s",
                ofRatios ? " per column" : "",
                word(norm),
                error == 0 ? "0" : String.format(Locale.ROOT, "%.4g", error),
                unit,
                ofRatios ? ratios() : differences());
    }

    private String ratios() {
        return universal
                ? "for all ratios of values"
                : String.format(Locale.ROOT, "for ratios of values up to %.4g", largestRatio());
    }

    private String differences() {
        return IntStream.range(0, lengths.size())
                .mapToObj(l -> (periodic.get(l)
                                ? "for all differences"
                                : String.format(Locale.ROOT, "for differences up to %.4g", lengths.get(l)))
                        + (lengths.size() > 1 ? " in column " + l : ""))
                .collect(Collectors.joining(", "));
    }

    /** Returns the facts of a map of a kernel as a JSON object. */
    public Map<String, Object> toJson(Kernel kernel) {
        boolean ofRatios = kernel instanceof HomogeneousKernel;
        List<@Nullable Double> differences = new ArrayList<>();
        for (int l = 0; l < lengths.size(); l++) {
            differences.add(periodic.get(l) ? null : lengths.get(l));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kernel", kernel.toString());
        json.put("dimension", dimension);
        json.put("error", error);
        json.put("norm", word(norm));
        json.put("weight", word(weight));
        json.put("universal", universal);
        json.put("largestRatio", ofRatios && !universal ? largestRatio() : null);
        json.put("largestDifferences", ofRatios ? null : differences);
        return json;
    }

    /** Adds the facts to the state of a map. */
    public State addTo(State state) {
        return state.with(
                TYPE,
                State.of(TYPE)
                        .with("dimension", dimension)
                        .with("error", error)
                        .with("norm", word(norm))
                        .with("weight", word(weight))
                        .with("universal", Boolean.toString(universal))
                        .with("columns", lengths.size())
                        .with(
                                "lengths",
                                lengths.stream().mapToDouble(length -> length).toArray())
                        .with(
                                "periodic",
                                periodic.stream().mapToInt(p -> p ? 1 : 0).toArray()));
    }
}
