package org.bochner.map;

/** Reads map recipes from their spellings, and fitted maps from their saved form. */
public final class FeatureMaps {
    private FeatureMaps() {}
}
