package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;

/**
 * An additive map of some columns, anywhere in wider rows: what is left of one that was {@linkplain FeatureMap#restrict
 * restricted}. Values of the other columns are neither mapped nor checked.
 *
 * <p>Threads: safe; immutable.
 */
public final class SelectedColumnsMap implements FeatureMap {
    public static final String TYPE = "picked";

    private final AdditiveMap map;
    private final int[] picked;
    private final int columns;

    /** Takes over the columns that the map sees of the rows; ascending. */
    public SelectedColumnsMap(AdditiveMap map, int[] picked, int columns) {
        Require.sameSize(TYPE, "columns of the map", map.inputDimension(), picked.length);
        for (int l = 0; l < picked.length; l++) {
            Require.that(
                    picked[l] >= (l == 0 ? 0 : picked[l - 1] + 1) && picked[l] < columns,
                    TYPE,
                    "columns must ascend from 0 to " + (columns - 1) + ", got " + picked[l]);
        }
        this.map = map;
        this.picked = picked;
        this.columns = columns;
    }

    public static SelectedColumnsMap load(State state) {
        if (FeatureMaps.loadPart(state, "map") instanceof AdditiveMap map) {
            return new SelectedColumnsMap(map, state.integers("picked", map.inputDimension()), state.count("columns"));
        }
        throw new BochnerException(TYPE + ": the saved form holds no additive map");
    }

    /** The map of the columns. */
    public AdditiveMap map() {
        return map;
    }

    /** The columns it sees, ascending; a new array. */
    public int[] picked() {
        return picked.clone();
    }

    @Override
    public int inputDimension() {
        return columns;
    }

    @Override
    public int outputDimension() {
        return map.outputDimension();
    }

    /** That of all columns, for which it was made. */
    @Override
    public Kernel kernel() {
        return map.kernel();
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, columns);
        double[] seen = new double[picked.length];
        for (int l = 0; l < picked.length; l++) {
            seen[l] = x[picked[l]];
        }
        try {
            map.apply(seen, out);
        } catch (RowException e) {
            throw e.among(picked);
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkWidth(rows);
        try {
            map.apply(pick(rows), out, offset, stride);
        } catch (RowException e) {
            throw e.among(picked);
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkWidth(rows);
        try {
            map.apply(pick(rows), out, offset, stride);
        } catch (RowException e) {
            throw e.among(picked);
        }
    }

    @Override
    public boolean keepsSparsity() {
        return true;
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        checkWidth(rows);
        try {
            return map.apply(pick(rows, picked));
        } catch (RowException e) {
            throw e.among(picked);
        }
    }

    private RowBlock pick(RowBlock rows) {
        if (rows instanceof SparseRows sparse) {
            return pick(sparse, picked);
        }
        DenseRows dense = (DenseRows) rows;
        float[] values = new float[rows.rows() * picked.length];
        for (int i = 0; i < rows.rows(); i++) {
            int from = dense.offset() + i * dense.stride();
            for (int l = 0; l < picked.length; l++) {
                values[i * picked.length + l] = dense.values()[from + picked[l]];
            }
        }
        return DenseRows.like(rows, picked.length, values);
    }

    /** Some columns, ascending, of sparse rows, in arrays of their own. */
    public static SparseRows pick(SparseRows rows, int[] picked) {
        int[] place = new int[rows.columns()];
        Arrays.fill(place, -1);
        for (int l = 0; l < picked.length; l++) {
            place[picked[l]] = l;
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
        return SparseRows.like(rows, picked.length, starts, indices, values);
    }

    @Override
    public Penalty penalty() {
        return map.penalty();
    }

    @Override
    public FeatureGroups units() {
        return map.units();
    }

    @Override
    public SelectedColumnsMap restrict(int... kept) {
        int[] left = units().groupsOf(kept);
        return new SelectedColumnsMap(
                map.ofColumns(left), Arrays.stream(left).map(l -> picked[l]).toArray(), columns);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("columns", columns).with("picked", picked).with("map", map.state());
    }

    @Override
    public String toString() {
        return "SelectedColumnsMap[" + picked.length + " of " + columns + " columns, " + map + "]";
    }
}
