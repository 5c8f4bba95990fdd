package org.bochner.map.layout;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.design.Design;
import org.bochner.design.Norm;
import org.bochner.design.Target.Axis;

/**
 * What a designed map was designed for, and its error there. A saved map holds these facts.
 *
 * @param dimension the number of features: per column for kernels of ratios, in total for others
 * @param error the weighted error
 * @param norm the norm of the error
 * @param weight how errors are weighed: {@code absolute}, {@code relative} or {@code data}
 * @param universal true if the error holds for all ratios of values
 * @param lengths the largest difference, or log-ratio, of each column of the design; half the period of a column that
 *     repeats
 * @param periodic true for each column that repeats, whose differences are all covered
 */
public record DesignFacts(
        int dimension,
        double error,
        Norm norm,
        String weight,
        boolean universal,
        List<Double> lengths,
        List<Boolean> periodic) {
    private static final String TYPE = "design";
    private static final List<String> WEIGHTS = List.of("absolute", "relative", "data");

    public DesignFacts {
        Require.atLeast(TYPE, "dimension", dimension, 1);
        Require.notNegative(TYPE, "error", error);
        Require.that(WEIGHTS.contains(weight), TYPE, "the weight must be one of " + WEIGHTS + ", got " + weight);
        lengths = List.copyOf(lengths);
        periodic = List.copyOf(periodic);
        Require.that(!lengths.isEmpty(), TYPE, "needs a column");
        Require.sameSize(TYPE, "columns", periodic.size(), lengths.size());
        lengths.forEach(length -> Require.positive(TYPE, "length", length));
    }

    /** Returns the facts of a design. */
    public static DesignFacts of(Design design, String weight, boolean universal) {
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
    public static List<DesignFacts> in(State state) {
        return state.has(TYPE + ".type") ? List.of(load(state.part(TYPE))) : List.of();
    }

    private static DesignFacts load(State state) {
        int columns = state.count("columns");
        double[] lengths = state.array("lengths", columns);
        int[] periodic = state.integers("periodic", columns);
        return new DesignFacts(
                state.count("dimension"),
                state.number("error"),
                norm(state.text("norm")),
                state.text("weight"),
                state.text("universal").equals("true"),
                Arrays.stream(lengths).boxed().toList(),
                Arrays.stream(periodic).mapToObj(p -> p != 0).toList());
    }

    private static Norm norm(String text) {
        for (Norm norm : Norm.values()) {
            if (norm.name().toLowerCase(Locale.ROOT).equals(text)) {
                return norm;
            }
        }
        throw new BochnerException(TYPE + ": the norm must be largest or mean, got '" + text + "'");
    }

    /** Adds the facts to the state of a map. */
    public State addTo(State state) {
        return state.with(
                TYPE,
                State.of(TYPE)
                        .with("dimension", dimension)
                        .with("error", error)
                        .with("norm", norm.name().toLowerCase(Locale.ROOT))
                        .with("weight", weight)
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
