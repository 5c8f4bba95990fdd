package org.bochner.map.curve;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Spelling;

/** How the curve of a column is stored. */
public enum CurveForm {
    /** Straight lines between knots. */
    LINEAR,
    /** The value of the nearest knot. */
    CONSTANT,
    /** The straight pieces of the curve itself, found by binary search. */
    EXACT;

    /** Returns the names of all forms. */
    public static List<String> names() {
        return Arrays.stream(values()).map(CurveForm::toString).toList();
    }

    /** Returns the form with a name. */
    public static CurveForm parse(String name) {
        return Arrays.stream(values())
                .filter(form -> form.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> Spelling.unknown("form", name, names()));
    }

    /** Returns the name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
