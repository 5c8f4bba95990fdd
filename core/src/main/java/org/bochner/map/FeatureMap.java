package org.bochner.map;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.State;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.numeric.optimise.Vectors;

/**
 * A fitted feature map φ with ⟨φ(x), φ(y)⟩ ≈ k(x, y).
 *
 * <p>{@link #apply(double[], double[])} defines the map; the block methods compute the same function faster. A map of
 * your own needs only the definition, the two dimensions, the kernel and the saved form. Override the block methods
 * when speed matters.
 *
 * <p>Threads: safe; maps are immutable.
 */
public interface FeatureMap {
    /** Returns the number of columns of the rows that the map takes. */
    int inputDimension();

    /** Returns the number of features that the map makes of a row. */
    int outputDimension();

    /** Returns the exact kernel that the map approximates. */
    Kernel kernel();

    /** Maps one row in float64. */
    void apply(double[] x, double[] out);

    /** Maps a block in float32: feature j of row i goes to {@code out[offset + i * stride + j]}. */
    default void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        double[] x = new double[inputDimension()];
        double[] features = new double[outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            apply(rows, i, x, features);
            Vectors.round(features, 0, out, offset + i * stride, features.length);
        }
    }

    /** Maps a block in float64: feature j of row i goes to {@code out[offset + i * stride + j]}. */
    default void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        double[] x = new double[inputDimension()];
        double[] features = new double[outputDimension()];
        for (int i = 0; i < rows.rows(); i++) {
            apply(rows, i, x, features);
            System.arraycopy(features, 0, out, offset + i * stride, features.length);
        }
    }

    /** Maps row i of a block by the definition; failures name the row. */
    private void apply(RowBlock rows, int i, double[] x, double[] features) {
        rows.copyRow(i, x);
        try {
            apply(x, features);
        } catch (RowException e) {
            throw e.inRow(rows.firstRow() + i);
        }
    }

    /** Returns true if zeros have no features, so that sparse rows have sparse features. */
    default boolean keepsSparsity() {
        return false;
    }

    /**
     * Returns the features of sparse rows in compressed form, with the targets and weights of the rows; only for maps
     * that {@linkplain #keepsSparsity keep sparsity}. The values are in a new array, which the caller may change.
     */
    default SparseRows apply(SparseRows rows) {
        throw new UnsupportedOperationException(this + " makes dense features of sparse rows");
    }

    /** Returns true if the features of every row are sparse, even those of dense rows; see {@link #applySparse}. */
    default boolean makesSparse() {
        return false;
    }

    /**
     * Returns the features of dense or sparse rows in compressed form, with the targets and weights of the rows; only for
     * maps that {@linkplain #makesSparse make sparse features}. The values are in a new array, which the caller may change.
     */
    default SparseRows applySparse(RowBlock rows) {
        throw new UnsupportedOperationException(this + " makes dense features");
    }

    /** Returns the parameters that kernel learning may change, of one kind. Most maps have none. */
    default MapParameters parameters(ParameterKind kind) {
        return MapParameters.NONE;
    }

    /**
     * Returns true if the features have the inner products of the kernel, so that the penalty of a linear function with
     * weights w is |w|².
     *
     * <p>Other maps write their features in another basis, for example to have few non-zeros:
     * k(x, y) ≈ φ(x)ᵀP⁻¹φ(y) with P = RᵀR. The penalty is then wᵀPw. Such maps implement {@link #whiten},
     * {@link #unwhiten} and {@link #whitenWeights}.
     */
    default boolean hasPlainPenalty() {
        return true;
    }

    /**
     * Returns the number of rows of the data that the map contains, such as landmarks and support vectors; 0 for most
     * maps. Centres of clusters count as rows.
     */
    default int dataRows() {
        return 0;
    }

    /**
     * Returns true if whitening magnifies the rounding of the features so much that sums of their products must be
     * computed in float64.
     */
    default boolean amplifiesRounding() {
        return false;
    }

    /** z ← R⁻ᵀz, in place, for the features of a row that start at an index. */
    default void whiten(double[] features, int at) {}

    /** z ← R⁻ᵀz, in place, for the features of several rows, one after the other, that start at an index. */
    default void whiten(double[] features, int at, int rows) {
        for (int i = 0; i < rows; i++) {
            whiten(features, at + i * outputDimension());
        }
    }

    /** w ← R⁻¹w, in place, for weights at the indices at, at + stride, … */
    default void unwhiten(double[] weights, int at, int stride) {}

    /**
     * w ← Rw, in place, for weights at the indices at, at + stride, …: the inverse of {@link #unwhiten}, with which
     * training starts from the weights of a model.
     *
     * @throws BochnerException by default, if the map does not have the plain penalty
     */
    default void whitenWeights(double[] weights, int at, int stride) {
        if (!hasPlainPenalty()) {
            throw new BochnerException(
                    "training cannot start from weights of " + this + ", which has a penalty of its own",
                    Remedy.set(Setting.START, "must be left out"));
        }
    }

    /**
     * Returns the unit of each feature, counted from 0; a new array. Features of a unit are computed together, so one
     * of them costs as much as all: the cosine and the sine of a frequency, for example. By default each feature is a
     * unit.
     */
    default int[] units() {
        return IntStream.range(0, outputDimension()).toArray();
    }

    /** Returns the number of units. */
    default int unitCount() {
        return 1 + Arrays.stream(units()).max().orElse(-1);
    }

    /** Returns the term of the kernel that each feature belongs to, counted from 0; a new array. */
    default int[] terms() {
        return new int[outputDimension()];
    }

    /**
     * Returns the map that computes only some of the features, with the same values, so that weights learned for them
     * stay valid. Inner products of these features no longer approximate the kernel. {@link #kernel} is still the
     * kernel that the map was made for, without the terms that have no features left.
     *
     * <p>By default the map computes all features and passes on the kept ones. Maps that can do better override this
     * method, and maps without a {@linkplain #hasPlainPenalty plain penalty} must override it.
     *
     * @param kept the features to keep, ascending: at least one, and whole {@linkplain #units units}
     */
    default FeatureMap restrict(int... kept) {
        return SelectedFeaturesMap.of(this, kept);
    }

    /** Fails unless the rows have the columns that the map expects, and their values are not relative to an origin. */
    default void checkColumns(RowBlock rows) {
        Require.sameSize(getClass().getSimpleName(), "columns", rows.columns(), inputDimension());
        Require.that(
                !(rows instanceof DenseRows dense) || dense.origin() == null,
                getClass().getSimpleName()
                        + ": the values of the rows are relative to an origin; scale them, or take RowBlock.plain()");
    }

    /** Returns the saved form; {@link FeatureMaps#load} makes the map again, with the same bits. */
    State state();
}
