package org.bochner.model.train;

import java.util.stream.IntStream;
import org.bochner.data.DataIdentity;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.ModelParts;

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

    /** Leaves out the units without weights of a model; returns the given parts if all have weights. */
    public static ModelParts of(ModelParts parts) {
        Compaction left = of(parts.map(), parts.requireLinear());
        if (left.kept == left.of) {
            return parts;
        }
        TrainingRecord changed = parts.training().withPruning(left.step(parts.map()));
        // Scores did not change, and fitted probabilities stay right.
        return parts.withMap(left.map, left.linear, changed).withCalibration(parts.calibration());
    }

    /** Returns the entry of the training record. */
    TrainingRecord.PruningStep step(FeatureMap before) {
        return new TrainingRecord.PruningStep(kept, of, TrainingRecord.MapUnit.of(before), DataIdentity.UNKNOWN);
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
