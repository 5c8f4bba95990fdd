package org.bochner.map.landmark;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.tree.TreeForm;
import org.bochner.kernel.tree.TreeKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;

/**
 * The kernel values with all training rows of an exact machine that was trained with a tree: those below the threshold
 * are 0, or sums of them are computed to the tolerance. A prediction needs no features; {@link #sums} finds the near rows.
 * The penalty of weights α is αᵀKα with these kernel values K between the training rows.
 *
 * <p>Threads: safe; immutable.
 */
public final class TreeLandmarkMap extends LandmarkFeatures {
    public static final String TYPE = "tree-landmarks";

    /** Rows of K that are computed together. */
    private static final int STRIP = 64;

    /**
     * Values left out can make K indefinite. A number s that is added to its diagonal changes the scores of the training
     * rows by a share of at most s/λ.
     */
    private static final double SHIFT_END = 1e-2;

    private final TreeForm form;
    private final TreeKernel tree;
    private final LandmarkFactor factor;

    /**
     * Creates a map.
     *
     * @param landmarks plain rows, which are not copied
     * @throws BochnerException if the kernel does not decrease with the distance
     */
    public TreeLandmarkMap(Kernel kernel, RowBlock landmarks, TreeForm form) {
        super(kernel, landmarks);
        this.form = form;
        tree = TreeKernel.of(kernel, form, landmarks);
        factor = new LandmarkFactor(
                landmarks.rows(),
                this::kernelMatrix,
                SHIFT_END,
                "train with a smaller " + form.kind().parameter() + " of the map none",
                Workers.all());
    }

    /** Loads a map from its saved form. */
    public static TreeLandmarkMap load(State state) {
        TreeForm.Kind kind = MapTypes.constant(state, "kind", TreeForm.Kind.values());
        State saved = state.part("rows");
        Require.that(saved.type().equals(LandmarkMap.TYPE), TYPE, "the rows must be saved as " + LandmarkMap.TYPE);
        RowBlock rows = LandmarkMap.rows(saved);
        return new TreeLandmarkMap(LandmarkMap.kernel(saved, rows), rows, new TreeForm(kind, state.number("level")));
    }

    /** Returns the kernel values with the training rows. */
    public TreeKernel tree() {
        return tree;
    }

    /** Returns the linear functions of the features with weights, features×count, row-major. */
    public TreeSums sums(double[] weights, int count) {
        return new TreeSums(tree, weights, count);
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        tree.values(x, out, 0);
    }

    @Override
    LandmarkFactor factor() {
        return factor;
    }

    @Override
    public boolean hasPlainPenalty() {
        return false;
    }

    private double[] kernelMatrix() {
        int size = outputDimension();
        double[] values = LandmarkRows.matrix(size);
        Strips.each(Workers.all(), size, STRIP, (from, to) -> {
            double[] x = new double[inputDimension()];
            for (int i = from; i < to; i++) {
                landmarks().copyRow(i, x);
                tree.values(x, values, i * size);
            }
        });
        return values;
    }

    @Override
    public FeatureMap restrict(int... kept) {
        FeatureGroups.unitsOf(this).groupsOf(kept);
        return kept.length == outputDimension()
                ? this
                : new TreeLandmarkMap(kernel(), LandmarkRows.select(landmarks(), kept), form);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kind", form.kind().toString())
                .with("level", form.level())
                .with("rows", LandmarkMap.state(kernel(), landmarks(), LandmarkForm.RAW));
    }

    @Override
    public String toString() {
        return "TreeLandmarkMap[" + kernel() + ", " + inputDimension() + " columns, " + outputDimension()
                + " landmarks, " + form.kind().parameter() + " " + form.level() + "]";
    }
}
