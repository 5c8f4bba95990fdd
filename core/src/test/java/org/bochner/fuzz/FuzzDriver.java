package org.bochner.fuzz;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What Jazzer calls, in a process of its own. */
public final class FuzzDriver {
    /** The system property that names the target; without it, the first byte of each input is the key of one. */
    static final String TARGET = "bochner.fuzz.target";

    private static final @Nullable FuzzTarget ONLY = only();

    private FuzzDriver() {}

    private static @Nullable FuzzTarget only() {
        String name = System.getProperty(TARGET);
        return name == null ? null : FuzzTarget.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Reads one input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (ONLY != null) {
            ONLY.read(input);
        } else if (input.length > 0) {
            for (FuzzTarget target : FuzzTarget.values()) {
                if (input[0] == target.key) {
                    target.read(Arrays.copyOfRange(input, 1, input.length));
                }
            }
        }
    }
}
