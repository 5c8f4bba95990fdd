package org.bochner.learn.solve;

import java.util.Locale;
import java.util.Map;
import org.bochner.base.Spelling;

/** The penalties of learners, as parameters. */
public enum PenaltyKind {
    /** The only strength of the square loss; the family decides which penalty it is. */
    LAMBDA,
    /** On the absolute weights. */
    L1,
    /** On half the squared weights. */
    L2,
    /** One over {@link #L2}. */
    C,
    /** On the norms of groups of weights. */
    GROUP,
    /** Not a penalty of weights: the share of the identity in the covariance of discriminant analysis, from 0 to 1. */
    SHRINKAGE;

    /** Returns the penalty with a name in spellings. */
    public static PenaltyKind parse(String text) {
        return Spelling.oneOf("penalty", text, values(), Map.of());
    }

    /** Returns a strength as spelled, or a spelled number as a strength: itself, or its inverse for C. */
    public double convert(double value) {
        return this == C ? 1 / value : value;
    }

    @Override
    public String toString() {
        return this == C ? "C" : name().toLowerCase(Locale.ROOT);
    }
}
