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

/**
 * The kernel values with all training rows of an exact machine that was trained with a tree: those below the threshold
 * are 0, or sums of them are computed to the tolerance. A prediction needs no features; {@link #sums} finds the near rows.
 *
 * <p>Threads: safe; immutable.
 */
public final class TreeLandmarkMap implements FeatureMap {
    public static final String TYPE = "tree-landmarks";

    private final Kernel kernel;
    private final RowBlock landmarks;
    private final TreeForm form;
    private final TreeKernel tree;

    /**
     * Creates a map.
     *
     * @param landmarks plain rows, which are not copied
     * @throws BochnerException if the kernel does not decrease with the distance
     */
    public TreeLandmarkMap(Kernel kernel, RowBlock landmarks, TreeForm form) {
        this.kernel = kernel;
        this.landmarks = landmarks;
        this.form = form;
        tree = TreeKernel.of(kernel, form, landmarks);
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
    public int inputDimension() {
        return landmarks.columns();
    }

    @Override
    public int outputDimension() {
        return landmarks.rows();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        Require.sameSize(TYPE, "columns", x.length, inputDimension());
        tree.values(x, out, 0);
    }

    @Override
    public int dataRows() {
        return landmarks.rows();
    }

    @Override
    public FeatureMap restrict(int... kept) {
        FeatureGroups.unitsOf(this).groupsOf(kept);
        return kept.length == outputDimension()
                ? this
                : new TreeLandmarkMap(kernel(), LandmarkRows.select(landmarks, kept), form);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kind", form.kind().toString())
                .with("level", form.level())
                .with("rows", LandmarkMap.state(kernel, landmarks, LandmarkForm.RAW));
    }

    @Override
    public String toString() {
        return "TreeLandmarkMap[" + kernel() + ", " + inputDimension() + " columns, " + outputDimension()
                + " landmarks, " + form.kind().parameter() + " " + form.level() + "]";
    }
}
