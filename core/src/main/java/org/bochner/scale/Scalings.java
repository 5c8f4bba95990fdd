package org.bochner.scale;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.bochner.base.Spelling;

/** Reads scalings from their spellings. */
public final class Scalings {
    private static final Map<String, Function<Spelling, Scaling>> READERS = new LinkedHashMap<>();

    static {
        READERS.put("none", spelling -> alone(spelling, new None()));
        READERS.put(
                "standard",
                spelling -> new Standard(!spelling.allow("uncentred").has("uncentred")));
        READERS.put("min-max", spelling -> alone(spelling, new MinMax()));
        READERS.put("unit-l1", spelling -> alone(spelling, new UnitNorm(1)));
        READERS.put("unit-l2", spelling -> alone(spelling, new UnitNorm(2)));
        READERS.put("divide", spelling -> new Divide(spelling.allow("by").number("by")));
    }

    private Scalings() {}

    /** The names of all scalings, for help texts. */
    public static List<String> names() {
        return List.copyOf(READERS.keySet());
    }

    /** The scaling so spelled: {@code none}, {@code standard(uncentred)}, {@code divide(by=255)}, ... */
    public static Scaling parse(String text) {
        Spelling spelling = Spelling.parse("scaling", text);
        Function<Spelling, Scaling> reader = READERS.get(spelling.name());
        if (reader == null) {
            throw Spelling.unknown("scaling", spelling.name(), names());
        }
        return reader.apply(spelling);
    }

    /** The scaling, of a spelling that has no parameters. */
    private static Scaling alone(Spelling spelling, Scaling scaling) {
        spelling.allow();
        return scaling;
    }
}
