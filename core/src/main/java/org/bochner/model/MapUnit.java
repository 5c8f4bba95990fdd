package org.bochner.model;

import java.util.Locale;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.FeatureGroups;

/** The kinds of {@linkplain FeatureMap#units units} of maps. */
public enum MapUnit {
    /** The features of one column. */
    COLUMNS,
    /** Single features. */
    FEATURES,
    /** A cosine and a sine each. */
    PROJECTIONS;

    /** Returns the kind of a map's units. */
    public static MapUnit of(FeatureMap map) {
        if (map.keepsSparsity()) {
            return COLUMNS;
        }
        FeatureGroups units = FeatureGroups.unitsOf(map);
        return units.count() == units.features() ? FEATURES : PROJECTIONS;
    }

    /** Returns the name in lower case, in the plural: {@code projections}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
