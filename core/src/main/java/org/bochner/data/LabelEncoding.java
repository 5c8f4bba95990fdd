package org.bochner.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/** What labels mean, and how their texts become targets. Immutable. */
final class LabelEncoding {
    static final LabelEncoding NONE = new LabelEncoding(new Labels.None(), null);
    private static final String TYPE = "labels";

    private final Labels labels;
    private final @Nullable String positive;
    private final Map<String, Integer> index = new HashMap<>();

    private LabelEncoding(Labels labels, @Nullable String positive) {
        this.labels = labels;
        this.positive = positive;
        if (labels instanceof Labels.Classes classes) {
            for (int i = 0; i < classes.names().size(); i++) {
                index.put(classes.names().get(i), i);
            }
        }
    }

    static LabelEncoding numbers(List<String> names) {
        return new LabelEncoding(new Labels.Numbers(names), null);
    }

    static LabelEncoding classes(List<String> names) {
        return new LabelEncoding(new Labels.Classes(names), null);
    }

    /** One class, index 1, against all others, index 0. */
    static LabelEncoding against(String positive) {
        return new LabelEncoding(OneAgainstRest.labels(positive), positive);
    }

    Labels labels() {
        return labels;
    }

    /** The target of a class in its canonical spelling; NaN where it is not known. */
    double target(String name) {
        if (positive != null) {
            return name.equals(positive) ? 1 : 0;
        }
        Integer number = index.get(name);
        return number == null ? Double.NaN : number;
    }

    State state() {
        State state = State.of(TYPE);
        if (labels instanceof Labels.Numbers numbers) {
            return state.with("kind", "numbers").with("names", Names.join(numbers.names()));
        }
        if (positive != null) {
            return state.with("kind", "against").with("positive", positive);
        }
        if (labels instanceof Labels.Classes classes) {
            return state.with("kind", "classes").with("names", Names.join(classes.names()));
        }
        return state.with("kind", "none");
    }

    static LabelEncoding load(State state) {
        if (!state.type().equals(TYPE)) {
            throw new BochnerException("labels: the saved form has type '" + state.type() + "'");
        }
        String kind = state.text("kind");
        return switch (kind) {
            case "none" -> NONE;
            case "against" -> against(state.text("positive"));
            case "numbers" -> numbers(names(state));
            case "classes" -> classes(names(state));
            default -> throw new BochnerException("labels: the saved form has the unknown kind '" + kind + "'");
        };
    }

    private static List<String> names(State state) {
        List<String> names = Names.split(state.text("names"));
        if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
            throw new BochnerException("labels: the saved form must give every name once");
        }
        return names;
    }
}
