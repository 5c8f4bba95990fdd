package org.bochner.data.format;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DataOptions;
import org.bochner.data.Labels;
import org.bochner.data.cell.Names;
import org.bochner.data.cell.Notation;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of labels, and how their texts become targets. Threads: safe; immutable.
 *
 * @param positive the class that is told from all others; null if there is none
 * @param notations the notation of the numbers of each label; empty if all are plain
 */
public record LabelEncoding(Labels labels, @Nullable String positive, List<Notation> notations) {
    static final LabelEncoding NONE = new LabelEncoding(Labels.none(), null, List.of());
    private static final String TYPE = "labels";

    public LabelEncoding {
        notations = notations.stream().allMatch(Notation::plain) ? List.of() : List.copyOf(notations);
    }

    public static LabelEncoding none() {
        return NONE;
    }

    public static LabelEncoding numbers(List<String> names, List<Notation> notations) {
        return new LabelEncoding(new Labels.Numbers(names), null, notations);
    }

    public static LabelEncoding classes(List<String> names) {
        return new LabelEncoding(new Labels.Classes(names), null, List.of());
    }

    /** Returns the encoding of one class, index 1, against all others, index 0. */
    public static LabelEncoding against(String positive) {
        return new LabelEncoding(new Labels.Classes(List.of("not " + positive, positive)), positive, List.of());
    }

    /** Returns the notation of the numbers of label j. */
    Notation notation(int j) {
        return notations.isEmpty() ? Notation.PLAIN : notations.get(j);
    }

    /** Returns the encoding for a file whose decimal sign the user gives. */
    LabelEncoding in(DataOptions.Decimal decimal) {
        if (decimal == DataOptions.Decimal.AUTO || !(labels instanceof Labels.Numbers)) {
            return this;
        }
        IntStream all = IntStream.range(0, labels.targets());
        return new LabelEncoding(
                labels, positive, all.mapToObj(j -> notation(j).in(decimal)).toList());
    }

    /** Returns the target of a class that is not listed: 0 if one class is told from all others, else NaN. */
    double unlisted() {
        return positive == null ? Double.NaN : 0;
    }

    public State state() {
        State state = State.of(TYPE);
        if (labels instanceof Labels.Numbers numbers) {
            state.with("kind", "numbers").with("names", Names.join(numbers.names().stream()));
            String saved = Names.join(notations.stream().map(Notation::saved));
            return notations.isEmpty() ? state : state.with("notations", saved);
        }
        if (positive != null) {
            return state.with("kind", "against").with("positive", positive);
        }
        if (labels instanceof Labels.Classes classes) {
            return state.with("kind", "classes").with("names", Names.join(classes.names().stream()));
        }
        return state.with("kind", "none");
    }

    public static LabelEncoding load(State state) {
        if (!state.type().equals(TYPE)) {
            throw new BochnerException("labels: the saved form has type '" + state.type() + "'");
        }
        String kind = state.text("kind");
        return switch (kind) {
            case "none" -> NONE;
            case "against" -> against(state.text("positive"));
            case "numbers" -> numbers(names(state), notations(state));
            case "classes" -> classes(names(state));
            default -> throw new BochnerException("labels: the saved form has the unknown kind '" + kind + "'");
        };
    }

    private static List<Notation> notations(State state) {
        if (!state.has("notations")) {
            return List.of();
        }
        List<Notation> notations = Names.split(state.text("notations")).stream()
                .map(Notation::load)
                .toList();
        if (notations.size() != names(state).size()) {
            throw new BochnerException("labels: the saved form must give every label a notation");
        }
        return notations;
    }

    private static List<String> names(State state) {
        List<String> names = Names.split(state.text("names"));
        if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
            throw new BochnerException("labels: the saved form must give every name once");
        }
        return names;
    }
}
