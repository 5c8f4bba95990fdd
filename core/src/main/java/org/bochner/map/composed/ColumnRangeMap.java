package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapLoader;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.RowGradients;
import org.jspecify.annotations.Nullable;

/** A map of consecutive columns of wider rows: the map of a channel. */
public final class ColumnRangeMap extends ColumnsMap<FeatureMap> implements RowGradients.Source {
    public static final String TYPE = "columns";

    private final int from;
    private final int to;
    private final Kernel kernel;

    /**
     * Lets a map see the columns from (inclusive) to (exclusive).
     *
     * @param columns number of columns of the wider rows
     */
    public ColumnRangeMap(FeatureMap map, int from, int to, int columns) {
        super(map, columns);
        Require.that(
                0 <= from && from < to && to <= columns,
                TYPE + ": [" + from + ":" + to + "] must lie within the " + columns + " columns");
        Require.sameSize(TYPE, "columns of the map", map.inputDimension(), to - from);
        this.from = from;
        this.to = to;
        this.kernel = ChannelKernel.of(map.kernel(), from, to);
    }

    public static ColumnRangeMap load(State state, MapLoader... own) {
        return new ColumnRangeMap(
                MapTypes.loadPart(state, "map", own), state.count("from"), state.count("to"), state.count("columns"));
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    double[] select(double[] x) {
        return Arrays.copyOfRange(x, from, to);
    }

    @Override
    RowBlock select(RowBlock rows) {
        return rows.columns(from, to);
    }

    @Override
    RowException relocate(RowException failure) {
        return failure.behind(from);
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        MapParameters own = map().parameters(kind);
        return new DelegatedParameters(
                own,
                moved -> new ColumnRangeMap(moved, from, to, columns),
                () -> new Gradient(own.gradient()),
                scope -> new MapParameters.Scope(scope.term(), scope.from() + from, scope.to() + from));
    }

    private final class Gradient extends DelegatingGradient<MapGradient> {
        Gradient(MapGradient inner) {
            super(inner);
        }

        @Override
        public void add(double[] x, double[] cotangent) {
            inner.add(select(x), cotangent);
        }

        @Override
        public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
            inner.add(select(rows), features, cotangents, offset, stride);
        }

        @Override
        public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
            inner.add(select(rows), features, cotangents, offset, stride);
        }
    }

    @Override
    public @Nullable RowGradients gradients(double[] weights, int outputs) {
        RowGradients inner = RowGradients.of(map(), weights, outputs);
        if (inner == null) {
            return null;
        }
        return new RowGradients() {
            @Override
            public void take(RowBlock rows) {
                inner.take(select(rows));
            }

            @Override
            public void add(int output, double[] out, int offset, int stride) {
                inner.add(output, out, offset + from, stride);
            }
        };
    }

    @Override
    public ColumnRangeMap restrict(int... kept) {
        return new ColumnRangeMap(map().restrict(kept), from, to, columns);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("from", from)
                .with("to", to)
                .with("columns", columns)
                .with("map", map().state());
    }

    @Override
    public String toString() {
        return "ColumnRangeMap[" + map() + "[" + from + ":" + to + "]]";
    }
}
