package org.bochner.kernel;

import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Spelling;
import org.bochner.kernel.columns.ByColumn;
import org.jspecify.annotations.Nullable;

/**
 * The scale of a kernel, given up to a factor: {@code ~[0:2=1, 2:5=3]}.
 *
 * @param key the parameter of the family
 * @param ratios the scale for the factor 1
 */
record RelativeScale(String key, ByColumn ratios) {
    private static final String MARK = "~";

    /** Reads the relative scale of a spelling; null if the spelling has none. */
    static @Nullable RelativeScale of(KernelFamily family, Spelling spelling) {
        String key = family.scale().orElse(null);
        String text = key == null ? null : spelling.text(key);
        return key == null || text == null || !text.startsWith(MARK)
                ? null
                : new RelativeScale(key, ByColumn.parse(family.name(), key, text.substring(MARK.length())));
    }

    /** Returns a spelling whose scale, which it has, becomes a relative one. */
    static Spelling open(Spelling spelling, String key) {
        return spelling.with(key, MARK + spelling.textOf(key));
    }

    /** Returns the spelling with the scale for a factor. */
    Spelling complete(Spelling spelling, DoubleUnaryOperator times) {
        return spelling.with(key, ratios.map(times).toString());
    }
}
