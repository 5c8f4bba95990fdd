package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;

/** Names and what they are, a line each, aligned: how results are printed for people. */
final class Facts {
    private final List<String[]> facts = new ArrayList<>();

    Facts add(String name, Object value) {
        facts.add(new String[] {name, value.toString()});
        return this;
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
