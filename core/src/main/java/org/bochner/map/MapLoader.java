package org.bochner.map;

import java.util.function.Function;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.map.composed.MapTypes;

/**
 * Loads feature maps of your own: pass it to {@code KernelModel.load} for models that contain such a map.
 *
 * <pre>{@code
 * KernelModel model = KernelModel.load(path, new MapLoader("bumps", state -> new Bumps(state.number("scale"))));
 * }</pre>
 *
 * <p>The file is not trusted: a loader must check the saved values, and fail with an {@link IllegalArgumentException}
 * or a {@link org.bochner.base.BochnerException}.
 *
 * @param type the {@linkplain State#type type} of the map's {@link FeatureMap#state}; not one of the library's own
 * @param load makes the map from its saved form
 */
public record MapLoader(String type, Function<State, FeatureMap> load) {
    public MapLoader {
        Require.that(!type.isBlank(), "MapLoader", "the type must not be blank");
        Require.that(
                !MapTypes.isOwnType(type),
                "MapLoader: the library has a map of type '" + type + "'; give your map another type");
    }
}
