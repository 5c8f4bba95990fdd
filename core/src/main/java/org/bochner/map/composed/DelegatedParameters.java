package org.bochner.map.composed;

import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.jspecify.annotations.Nullable;

/** The parameters of a map that is made of another one's, and has the same. */
public final class DelegatedParameters implements MapParameters {
    private final MapParameters own;
    private final Function<FeatureMap, FeatureMap> maker;
    private final @Nullable Supplier<MapGradient> gradient;
    private final UnaryOperator<Scope> scope;

    private DelegatedParameters(
            MapParameters own,
            Function<FeatureMap, FeatureMap> maker,
            @Nullable Supplier<MapGradient> gradient,
            UnaryOperator<Scope> scope) {
        this.own = own;
        this.maker = maker;
        this.gradient = gradient;
        this.scope = scope;
    }

    /** The other map's parameters, where the function makes the map of what the other becomes. */
    public static DelegatedParameters of(MapParameters own, Function<FeatureMap, FeatureMap> maker) {
        return new DelegatedParameters(own, maker, null, UnaryOperator.identity());
    }

    public DelegatedParameters withGradient(Supplier<MapGradient> supplier) {
        return new DelegatedParameters(own, maker, supplier, scope);
    }

    /** All of them act on the same. */
    public DelegatedParameters withScope(Scope all) {
        return new DelegatedParameters(own, maker, gradient, one -> all);
    }

    /** With so many columns before those that the other map sees. */
    public DelegatedParameters behind(int columns) {
        return new DelegatedParameters(
                own, maker, gradient, one -> new Scope(one.term(), one.from() + columns, one.to() + columns));
    }

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
        return scope.apply(own.scope(parameter));
    }

    @Override
    public FeatureMap with(double... values) {
        return maker.apply(own.with(values));
    }

    @Override
    public MapGradient gradient() {
        return gradient == null || own.count() == 0 ? own.gradient() : gradient.get();
    }
}
