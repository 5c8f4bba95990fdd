package org.bochner.map;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;

/**
 * A fitted feature map φ with ⟨φ(x), φ(y)⟩ ≈ k(x, y) for the kernel it knows (with the inner product of its
 * {@linkplain #penalty penalty}, where that is not the plain one).
 *
 * <p>{@link #apply(double[], double[])} is the definition; the block methods are the same function, faster. A new map
 * needs only the definition; it overrides the block methods when it is worth it.
 *
 * <p>Threads: safe; maps are immutable.
 */
public interface FeatureMap {
    /** Width of the rows it takes. */
    int inputDimension();

    /** How many features it makes of a row. */
    int outputDimension();

    /** The exact kernel it approximates. */
    Kernel kernel();

    /** Maps one row, in float64. */
    void apply(double[] x, double[] out);

    /**
     * Maps a block in float32: feature j of row i goes to {@code out[offset + i * stride + j]}.
     */
    default void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkWidth(rows);
        double[] x = new double[inputDimension()];
        double[] features = new double[outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            apply(rows, i, x, features);
            for (int j = 0; j < features.length; j++) {
                out[offset + i * stride + j] = (float) features[j];
            }
        }
    }

    /** Maps a block in float64, laid out in the same way. */
    default void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkWidth(rows);
        double[] x = new double[inputDimension()];
        double[] features = new double[outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            apply(rows, i, x, features);
            System.arraycopy(features, 0, out, offset + i * stride, features.length);
        }
    }

    /** Maps row i of a block by the definition; a value it cannot take is named by its row too. */
    private void apply(RowBlock rows, int i, double[] x, double[] features) {
        rows.copyRow(i, x);
        try {
            apply(x, features);
        } catch (RowException e) {
            throw e.inRow(rows.firstRow() + i);
        }
    }

    /**
     * Whether a column that is zero adds nothing to the features, so that sparse rows have sparse features at the cost of
     * their non-zeros alone.
     */
    default boolean keepsSparsity() {
        return false;
    }

    /**
     * The features of sparse rows in compressed form, {@link #outputDimension} columns wide, with the rows' targets and
     * weights; for maps that {@linkplain #keepsSparsity keep sparsity}. The values are in a new array, which the caller may
     * change.
     */
    default SparseRows apply(SparseRows rows) {
        throw new UnsupportedOperationException(this + " makes dense features of sparse rows");
    }

    /** The numbers that learning may move, of one kind; most maps have none. */
    default MapParameters parameters(ParameterKind freedom) {
        return MapParameters.NONE;
    }

    /**
     * What |w|² is to a linear function of these features. All but a few maps have the plain one, with which
     * k(x, y) ≈ ⟨φ(x), φ(y)⟩.
     */
    default Penalty penalty() {
        return Penalty.PLAIN;
    }

    /**
     * Features that are computed together, so that one of them costs what all of them cost: the cosine and the sine of a
     * frequency.
     */
    default FeatureGroups units() {
        return FeatureGroups.each(outputDimension());
    }

    /** The features of each term of the kernel, where it is a sum of several, as that of channels is. */
    default FeatureGroups terms() {
        return FeatureGroups.all(outputDimension());
    }

    /**
     * The map that computes some of these features and no others, with the same values, so that weights learned for them
     * stay valid: smaller and faster, where features that {@linkplain #units go together} are left out together. Inner
     * products of what is left approximate the kernel no longer; {@link #kernel} is still the one the map was made for,
     * less the terms of which nothing is left.
     *
     * <p>Here it computes all and hands on those asked for; maps that can do better override it, and those whose
     * {@linkplain #penalty penalty} is not plain have to.
     *
     * @param kept the features to keep, ascending, at least one; whole units of them
     */
    default FeatureMap restrict(int... kept) {
        return SelectedFeaturesMap.of(this, kept);
    }

    /** Fails unless the rows are as wide as the map expects, and their values the numbers themselves. */
    default void checkWidth(RowBlock rows) {
        Require.sameSize(getClass().getSimpleName(), "columns", rows.columns(), inputDimension());
        Require.that(
                !(rows instanceof DenseRows dense) || dense.origin() == null,
                getClass().getSimpleName(),
                "the values of the rows are relative to an origin; scale them, or take RowBlock.plain()");
    }

    /** Its saved form; {@code FeatureMaps.load} brings it back with the same bits. */
    State state();
}
