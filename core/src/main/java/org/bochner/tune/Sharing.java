package org.bochner.tune;

import java.util.Map;
import org.bochner.base.Spelling;
import org.bochner.map.ParameterKind;

/** The parameters of a kernel that kernel learning moves, and which of them share a value. */
public enum Sharing {
    /** One factor per term of the kernel, for all of its scales. */
    ONE("one"),
    /** One scale per range of columns. */
    RANGE("block"),
    /** One scale per column. */
    COLUMN("column"),
    /** No scales: each frequency of the map moves on its own. */
    FREQUENCY("frequency");

    private final String spelling;

    Sharing(String spelling) {
        this.spelling = spelling;
    }

    /** Parses {@code one}, {@code block}, {@code column} or {@code frequency}. */
    public static Sharing parse(String text) {
        return Spelling.oneOf("sharing of scales", text, values(), Map.of());
    }

    ParameterKind kind() {
        return this == FREQUENCY ? ParameterKind.FREQUENCIES : ParameterKind.SCALES;
    }

    /** Returns the spelling. */
    @Override
    public String toString() {
        return spelling;
    }
}
