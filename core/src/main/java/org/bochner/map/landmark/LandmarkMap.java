package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * Compares a row with landmarks h₁, …, h_D: k(x, y) ≈ kₓᵀK⁻¹k_y, where kₓ holds the kernel values k(x, hᵢ) and K the
 * values between the landmarks (the Nyström approximation). It is exact if x or y is a landmark. It replaces each
 * point of the kernel's feature space by its orthogonal projection on the span of the landmarks, so k(x, x) is never
 * overestimated.
 *
 * <p>Cost: D kernel values per row; D² more per row for the whitened form. The factor of K takes D³/3 operations and
 * 8·D² bytes; a map that only makes features of the other forms, as in a trained model, does without it.
 *
 * <p>Threads: safe; immutable.
 *
 * <p>Reference: Williams and Seeger, Using the Nyström method to speed up kernel machines, 2001.
 */
public final class LandmarkMap extends LandmarkFeatures {
    public static final String TYPE = "landmarks";

    /** Rows of K that are computed together. */
    private static final int STRIP = 256;

    private final LandmarkForm form;
    private final CrossKernel cross;
    private final LandmarkFactor factor;

    /**
     * Creates a map.
     *
     * @param landmarks plain rows, without duplicates, which are not copied
     */
    public LandmarkMap(Kernel kernel, RowBlock landmarks, LandmarkForm form) {
        this(kernel, landmarks, form, Workers.all());
    }

    /**
     * Creates a map.
     *
     * @param landmarks plain rows, without duplicates, which are not copied
     * @param workers the threads that factor K
     */
    LandmarkMap(Kernel kernel, RowBlock landmarks, LandmarkForm form, Workers workers) {
        super(kernel, landmarks);
        this.form = form;
        cross = CrossKernel.of(kernel, landmarks);
        factor = new LandmarkFactor(
                landmarks.rows(),
                () -> LandmarkRows.kernelMatrix(cross, landmarks, STRIP, workers),
                LandmarkFactor.ROUNDING,
                "give landmarks that differ from each other",
                workers);
    }

    /** Creates a map of another form. */
    private LandmarkMap(LandmarkMap of, LandmarkForm form) {
        super(of.kernel(), of.landmarks());
        this.form = form;
        cross = of.cross;
        factor = of.factor;
    }

    /** Loads a map from its saved form. */
    public static LandmarkMap load(State state) {
        RowBlock rows = rows(state);
        return new LandmarkMap(kernel(state, rows), rows, MapTypes.constant(state, "form", LandmarkForm.values()));
    }

    /** Loads the kernel for loaded landmarks. */
    static Kernel kernel(State state, RowBlock rows) {
        Kernel kernel = MapTypes.kernel(state, Kernel.class);
        Require.that(
                kernel.minimumColumns() <= rows.columns(),
                TYPE,
                kernel + " needs " + kernel.minimumColumns() + " columns");
        return kernel;
    }

    /** Loads the landmarks. */
    static RowBlock rows(State state) {
        int columns = state.count("columns");
        int count = state.count("landmarks");
        Require.that(
                columns >= 1 && count >= 1,
                TYPE,
                "the saved form has " + count + " landmarks of " + columns + " columns");
        if (!state.has("starts")) {
            int size = MapMemory.length(TYPE, "the landmarks", (long) count * columns);
            return DenseRows.of(count, columns, floats(state.array("values", size)));
        }
        int[] starts = state.integers("starts", count + 1);
        Require.that(starts[0] == 0, TYPE, "the first landmark must start at entry 0");
        for (int i = 0; i < count; i++) {
            Require.that(starts[i] <= starts[i + 1], TYPE, "the starts of the landmarks must not descend");
        }
        int[] indices = state.integers("indices", starts[count]);
        for (int i = 0; i < count; i++) {
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                Require.that(
                        indices[e] < columns && indices[e] >= 0 && (e == starts[i] || indices[e] > indices[e - 1]),
                        TYPE,
                        "the columns of a landmark must ascend within 0:" + columns);
            }
        }
        return SparseRows.of(count, columns, starts, indices, floats(state.array("values", starts[count])));
    }

    private static float[] floats(double[] values) {
        float[] floats = Vectors.rounded(values);
        for (float value : floats) {
            Require.that(Float.isFinite(value), TYPE, "the values of the landmarks must be finite");
        }
        return floats;
    }

    private static double[] doubles(float[] values) {
        double[] doubles = new double[values.length];
        Arrays.setAll(doubles, i -> values[i]);
        return doubles;
    }

    /** Returns the map with the same landmarks and another form. */
    public LandmarkMap withForm(LandmarkForm other) {
        return other == form ? this : new LandmarkMap(this, other);
    }

    /** Returns the map of some landmarks, with the same form. */
    public LandmarkMap withLandmarks(int... kept) {
        return new LandmarkMap(kernel(), LandmarkRows.select(landmarks(), kept), form);
    }

    /** Returns the form of the features. */
    public LandmarkForm form() {
        return form;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        // With the row as origin, values keep the precision of float64.
        cross.values(DenseRows.of(x, x), out, 0, outputDimension());
        if (form == LandmarkForm.WHITENED) {
            factor.whiten(Matrix.of(out, 1, outputDimension()));
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        cross.values(rows, out, offset, stride);
        if (form == LandmarkForm.WHITENED) {
            factor.whiten(Matrix.of(out, offset, rows.rows(), outputDimension(), stride));
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        if (form != LandmarkForm.WHITENED) {
            cross.values(rows, out, offset, stride);
            return;
        }
        int features = outputDimension();
        double[] exact = new double[Math.multiplyExact(rows.rows(), features)];
        apply(rows, exact, 0, features);
        for (int i = 0; i < rows.rows(); i++) {
            Vectors.round(exact, i * features, out, offset + i * stride, features);
        }
    }

    @Override
    LandmarkFactor factor() {
        return factor;
    }

    @Override
    public boolean hasPlainPenalty() {
        return form != LandmarkForm.KERNEL;
    }

    @Override
    public void whitenWeights(double[] weights, int at, int stride) {
        if (form == LandmarkForm.KERNEL) {
            factor.whitenWeights(weights, at, stride);
        }
    }

    /** Returns the map of some landmarks; of the whitened form, some features of all landmarks. */
    @Override
    public FeatureMap restrict(int... kept) {
        if (form == LandmarkForm.WHITENED) {
            return super.restrict(kept);
        }
        FeatureGroups.unitsOf(this).groupsOf(kept);
        return kept.length == outputDimension() ? this : withLandmarks(kept);
    }

    @Override
    public State state() {
        return state(kernel(), landmarks(), form);
    }

    static State state(Kernel kernel, RowBlock landmarks, LandmarkForm form) {
        State state = State.of(TYPE)
                .with("kernel", kernel.toString())
                .with("form", form.name())
                .with("columns", landmarks.columns())
                .with("landmarks", landmarks.rows());
        if (landmarks instanceof SparseRows sparse) {
            return state.with("starts", sparse.starts())
                    .with("indices", sparse.indices())
                    .with("values", doubles(sparse.values()));
        }
        return state.with("values", doubles(((DenseRows) landmarks).values()), landmarks.rows(), landmarks.columns());
    }

    @Override
    public String toString() {
        return "LandmarkMap[" + kernel() + ", " + inputDimension() + " columns, " + outputDimension() + " landmarks]";
    }
}
