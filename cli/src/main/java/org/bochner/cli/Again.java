package org.bochner.cli;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** Builds a command line that repeats a part of a run. */
final class Again {
    private final StringBuilder command;

    /**
     * Starts a command.
     *
     * @param data DATA as it was typed; null for none
     */
    Again(String verb, @Nullable String data) {
        command = new StringBuilder("bochner " + verb);
        if (data != null) {
            flag("", data);
        }
    }

    /** Adds a flag with its value; an empty value is left out. */
    Again flag(String flag, Object value) {
        String text = value.toString();
        command.append(flag.isEmpty() ? "" : " " + flag).append(text.isEmpty() ? "" : " " + Text.quoted(text));
        return this;
    }

    /** Adds the flags of the run as they were typed, except some. */
    Again given(Collection<OptionSpec> matched, Set<String> without) {
        // Repeated flags are listed once per repetition, each time with all values.
        for (OptionSpec option : new LinkedHashSet<>(matched)) {
            if (!without.contains(option.longestName())) {
                for (String value : option.stringValues()) {
                    flag(option.longestName(), option.arity().max() == 0 ? "" : value);
                }
            }
        }
        return this;
    }

    @Override
    public String toString() {
        return command.toString();
    }
}
