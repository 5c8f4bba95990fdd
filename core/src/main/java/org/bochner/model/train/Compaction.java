package org.bochner.model.train;

import java.util.stream.IntStream;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.FeatureGroups;

/**
 * A map and linear functions without the {@linkplain FeatureMap#units units} whose weights are all exactly zero.
 *
 * @param map the map of the units that are left
 * @param linear the linear functions of their features
 * @param kept the number of units left
 * @param of the number of units before
 */
public record Compaction(FeatureMap map, LinearModel linear, int kept, int of) {
    /** Leaves out the units without weights; if all are without, the first stays. */
    public static Compaction of(FeatureMap map, LinearModel linear) {
        FeatureGroups units = FeatureGroups.unitsOf(map);
        int[] used = used(units, linear);
        if (used.length == units.count()) {
            return new Compaction(map, linear, units.count(), units.count());
        }
        // A map has at least one feature, even if the model is constant.
        int[] left = used.length == 0 ? new int[] {0} : used;
        int[] features = units.featuresOf(left);
        return new Compaction(map.restrict(features), linear.restrict(features), left.length, units.count());
    }

    /** Returns the number of units with a weight that is not zero. */
    public static int unitsUsed(FeatureMap map, LinearModel linear) {
        return used(FeatureGroups.unitsOf(map), linear).length;
    }

    private static int[] used(FeatureGroups units, LinearModel linear) {
        return IntStream.range(0, linear.features())
                .filter(j -> IntStream.range(0, linear.outputs()).anyMatch(o -> linear.weight(j, o) != 0))
                .map(units::of)
                .distinct()
                .sorted()
                .toArray();
    }
}
