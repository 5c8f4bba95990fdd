package org.bochner.tune;

import java.util.List;
import java.util.Locale;
import org.bochner.base.Spelling;
import org.bochner.map.ParameterKind;

/** Which scales move together. */
public enum Sharing {
    /** All of a term of the kernel: one factor for the scales it started with. */
    ONE,
    /** Those of a block of columns. */
    BLOCK,
    /** None: every column has its own. */
    COLUMN,
    /** None, and no scales either: every frequency moves by itself. */
    FREQUENCY;

    /** Reads {@code one}, {@code block}, {@code column} or {@code frequency}. */
    public static Sharing parse(String text) {
        for (Sharing sharing : values()) {
            if (sharing.toString().equals(text)) {
                return sharing;
            }
        }
        throw Spelling.unknown("sharing of scales", text, List.of("one", "block", "column", "frequency"));
    }

    ParameterKind freedom() {
        return this == FREQUENCY ? ParameterKind.FREQUENCIES : ParameterKind.SCALES;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
