package org.bochner.scale;

import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;

/** Reads scalers from their saved form. */
public final class Scalers {
    private Scalers() {}

    /** The scaler whose {@link Scaler#state} this is. */
    public static Scaler load(State state) {
        String spelling = state.text("scaling");
        Scaling scaling;
        try {
            scaling = Scalings.parse(spelling);
        } catch (IllegalArgumentException | SpellingException e) {
            throw new BochnerException("the saved scaler is of no known kind: " + e.getMessage(), e);
        }
        return scaling.load(state);
    }
}
