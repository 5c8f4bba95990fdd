package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;

/** Names and values, one per line, with the values aligned. */
final class Facts {
    private final List<String[]> facts = new ArrayList<>();

    Facts add(String name, Object value) {
        facts.add(new String[] {name, value.toString()});
        return this;
    }

    /** Adds a value that {@link Text#of} formats. */
    Facts add(String name, String format, Object first, Object... others) {
        List<Object> values = new ArrayList<>(List.of(first));
        values.addAll(List.of(others));
        return add(name, Text.of(format, values.toArray()));
    }

    @Override
    public String toString() {
        int width = facts.stream().mapToInt(fact -> fact[0].length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (String[] fact : facts) {
            text.append(fact[0])
                    .append(" ".repeat(width - fact[0].length() + 2))
                    .append(fact[1]);
            text.append(System.lineSeparator());
        }
        return text.toString();
    }
}
