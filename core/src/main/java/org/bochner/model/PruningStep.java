package org.bochner.model;

import java.util.Locale;
import org.bochner.data.DataIdentity;

/**
 * One reduction of a model's map.
 *
 * @param kept how many units of the map were kept
 * @param of how many units the map had before
 * @param unit what the units are
 * @param data the rows that the weights were learned again from; {@link DataIdentity#UNKNOWN} where units without weights
 *     were left out and the other weights did not change
 */
public record PruningStep(int kept, int of, Unit unit, DataIdentity data) {
    /** The features of a map that are computed together, and are kept or left out together. */
    public enum Unit {
        /** The features of one column of the rows. */
        COLUMNS,
        /** Single features. */
        FEATURES,
        /** The cosine and the sine of a frequency. */
        PROJECTIONS;

        /** The word for people: {@code projections}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
