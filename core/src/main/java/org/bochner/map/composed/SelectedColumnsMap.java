package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.layout.FeatureGroups;

/**
 * An additive map of some columns, anywhere in wider rows: the result of {@link AdditiveMap#restrict}. Values of the
 * other columns are neither mapped nor checked. The kernel is that of all columns.
 *
 * <p>Threads: safe; immutable.
 */
public final class SelectedColumnsMap extends ColumnsMap<AdditiveMap> {
    public static final String TYPE = "picked";

    private final int[] selected;

    /** Takes over the columns that the map sees of the rows; ascending. */
    public SelectedColumnsMap(AdditiveMap map, int[] selected, int columns) {
        super(map, columns);
        Require.sameSize(TYPE, "columns of the map", map.inputDimension(), selected.length);
        this.selected = Require.ascending(TYPE, "columns", selected, columns - 1);
    }

    public static SelectedColumnsMap load(State state) {
        if (MapTypes.loadPart(state, "map") instanceof AdditiveMap map) {
            return new SelectedColumnsMap(map, state.integers("picked", map.inputDimension()), state.count("columns"));
        }
        throw new BochnerException(TYPE + ": the saved form holds no additive map");
    }

    /** Returns the columns that the map sees; a new array. */
    public int[] selected() {
        return selected.clone();
    }

    @Override
    double[] select(double[] x) {
        return Arrays.stream(selected).mapToDouble(l -> x[l]).toArray();
    }

    @Override
    RowBlock select(RowBlock rows) {
        if (rows instanceof SparseRows sparse) {
            return select(sparse, selected);
        }
        DenseRows dense = (DenseRows) rows;
        float[] values = new float[rows.rows() * selected.length];
        for (int i = 0; i < rows.rows(); i++) {
            int from = dense.offset() + i * dense.stride();
            for (int l = 0; l < selected.length; l++) {
                values[i * selected.length + l] = dense.values()[from + selected[l]];
            }
        }
        return DenseRows.like(rows, selected.length, values);
    }

    /** Returns some columns, ascending, of sparse rows, in new arrays. */
    static SparseRows select(SparseRows rows, int[] selected) {
        int[] place = new int[rows.columns()];
        Arrays.fill(place, -1);
        for (int l = 0; l < selected.length; l++) {
            place[selected[l]] = l;
        }
        int[] starts = new int[rows.rows() + 1];
        int[] indices = new int[rows.entries()];
        float[] values = new float[rows.entries()];
        int next = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
                int l = place[rows.indices()[e]];
                if (l >= 0) {
                    indices[next] = l;
                    values[next++] = rows.values()[e];
                }
            }
            starts[i + 1] = next;
        }
        return SparseRows.like(rows, selected.length, starts, indices, values);
    }

    @Override
    RowException relocate(RowException failure) {
        return failure.among(selected);
    }

    @Override
    public SelectedColumnsMap restrict(int... kept) {
        int[] left = FeatureGroups.unitsOf(this).groupsOf(kept);
        return new SelectedColumnsMap(
                map().ofColumns(left), Arrays.stream(left).map(l -> selected[l]).toArray(), columns);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("columns", columns).with("picked", selected).with("map", map().state());
    }

    @Override
    public String toString() {
        return "SelectedColumnsMap[" + selected.length + " of " + columns + " columns, " + map() + "]";
    }
}
