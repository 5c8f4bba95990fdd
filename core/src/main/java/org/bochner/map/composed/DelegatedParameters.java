package org.bochner.map.composed;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;

/**
 * The parameters of a map that is computed by another map, whose parameters they are.
 *
 * @param own the parameters of the other map
 * @param wrap makes the map of the other map
 * @param gradients makes the gradient of the map
 * @param scopes changes the scope of a parameter of the other map
 */
public record DelegatedParameters(
        MapParameters own,
        UnaryOperator<FeatureMap> wrap,
        Supplier<MapGradient> gradients,
        UnaryOperator<MapParameters.Scope> scopes)
        implements MapParameters {
    @Override
    public int count() {
        return own.count();
    }

    @Override
    public double[] values() {
        return own.values();
    }

    @Override
    public Scope scope(int parameter) {
        return scopes.apply(own.scope(parameter));
    }

    @Override
    public FeatureMap with(double... values) {
        return wrap.apply(own.with(values));
    }

    @Override
    public MapGradient gradient() {
        return own.count() == 0 ? own.gradient() : gradients.get();
    }
}
