package org.bochner.map.composed;

import java.util.stream.Stream;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.Designed;

/** Finds the designed maps inside a map. */
public final class DesignedMaps {
    private DesignedMaps() {}

    /** Returns the maps with a known design that a map consists of, in the order of their features. */
    public static Stream<Designed> in(FeatureMap map) {
        if (map instanceof Designed designed) {
            return Stream.of(designed).filter(one -> one.design().isPresent());
        }
        if (map instanceof ConcatenatedMap concatenated) {
            return concatenated.parts().stream().flatMap(DesignedMaps::in);
        }
        if (map instanceof ComponentMap components) {
            return in(components.map());
        }
        if (map instanceof TwoStageMap stages) {
            return in(stages.first());
        }
        return map instanceof DelegatingMap<?> delegating ? in(delegating.map()) : Stream.empty();
    }
}
