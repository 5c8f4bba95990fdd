package org.bochner.learn.discriminant;

import java.util.Arrays;
import java.util.Locale;
import org.bochner.base.Spelling;

/** The prior probabilities of the classes in discriminant analysis. */
public enum Priors {
    /** The share of each class in the total row weight. */
    COUNTS,
    /** One over the number of classes. */
    EQUAL;

    /** Returns the priors with a name in spellings. */
    public static Priors parse(String text) {
        return Arrays.stream(values())
                .filter(priors -> priors.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> Spelling.unknown(
                        "priors",
                        text,
                        Arrays.stream(values()).map(Priors::toString).toList()));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
