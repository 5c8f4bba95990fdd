package org.bochner.map.study;

import java.util.ArrayList;
import java.util.List;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.layout.FeatureGroups;

/**
 * A term of a map: the factor of its kernel, the columns from (inclusive) to (exclusive) that it sees, the index of its
 * first feature, and the map of those columns, which is no concatenation.
 */
public record MapTerm(double factor, int from, int to, int at, FeatureMap map) {
    /** Returns the terms of a map, in the order of the terms of its kernel. */
    public static List<MapTerm> of(FeatureMap map) {
        List<FeatureMap> parts = map instanceof ConcatenatedMap sum ? sum.parts() : List.of(map);
        List<MapTerm> terms = new ArrayList<>();
        int[] starts = FeatureGroups.starts(parts);
        for (int t = 0; t < parts.size(); t++) {
            terms.add(of(parts.get(t), 1, 0, map.inputDimension(), starts[t]));
        }
        return terms;
    }

    private static MapTerm of(FeatureMap map, double factor, int from, int to, int at) {
        if (map instanceof ScaledMap scaled) {
            return of(scaled.map(), factor * scaled.factor(), from, to, at);
        }
        if (map instanceof ColumnRangeMap columns) {
            return of(columns.map(), factor, columns.from(), columns.to(), at);
        }
        return new MapTerm(factor, from, to, at, map);
    }

    /** Returns the index after the last feature. */
    public int end() {
        return at + map.outputDimension();
    }
}
