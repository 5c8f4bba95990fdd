package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;

/** A map of some consecutive columns of wider rows: the map of a channel. */
public final class ColumnRangeMap implements FeatureMap {
    public static final String TYPE = "columns";

    private final FeatureMap map;
    private final int from;
    private final int to;
    private final int columns;
    private final Kernel kernel;

    /**
     * Lets a map see the columns from (inclusive) to (exclusive).
     *
     * @param columns width of the rows it takes
     */
    public ColumnRangeMap(FeatureMap map, int from, int to, int columns) {
        Require.that(
                0 <= from && from < to && to <= columns,
                TYPE,
                "[" + from + ":" + to + "] must lie within the " + columns + " columns");
        Require.sameSize(TYPE, "columns of the map", map.inputDimension(), to - from);
        this.map = map;
        this.from = from;
        this.to = to;
        this.columns = columns;
        this.kernel = ChannelKernel.of(map.kernel(), from, to);
    }

    public static ColumnRangeMap load(State state, MapLoader... own) {
        return new ColumnRangeMap(
                FeatureMaps.loadPart(state, "map", own),
                state.count("from"),
                state.count("to"),
                state.count("columns"));
    }

    /** The map of the columns. */
    public FeatureMap map() {
        return map;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return map.outputDimension();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, columns);
        try {
            map.apply(Arrays.copyOfRange(x, from, to), out);
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkWidth(rows);
        try {
            map.apply(rows.columns(from, to), out, offset, stride);
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkWidth(rows);
        try {
            map.apply(rows.columns(from, to), out, offset, stride);
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    public boolean keepsSparsity() {
        return map.keepsSparsity();
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        checkWidth(rows);
        try {
            return map.apply(rows.columns(from, to));
        } catch (RowException e) {
            throw e.behind(from);
        }
    }

    @Override
    public Penalty penalty() {
        return map.penalty();
    }

    @Override
    public MapParameters parameters(ParameterKind freedom) {
        MapParameters own = map.parameters(freedom);
        return DelegatedParameters.of(own, moved -> new ColumnRangeMap(moved, from, to, columns))
                .withGradient(() -> new ColumnRangeGradient(from, to, own.gradient()))
                .behind(from);
    }

    @Override
    public FeatureGroups units() {
        return map.units();
    }

    @Override
    public FeatureGroups terms() {
        return map.terms();
    }

    @Override
    public ColumnRangeMap restrict(int... kept) {
        return new ColumnRangeMap(map.restrict(kept), from, to, columns);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("from", from)
                .with("to", to)
                .with("columns", columns)
                .with("map", map.state());
    }

    @Override
    public String toString() {
        return "ColumnRangeMap[" + map + "[" + from + ":" + to + "]]";
    }
}
