package org.bochner.map.landmark;

import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.tree.TreeForm;
import org.bochner.kernel.tree.TreeKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.composed.TermRecipe;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * The recipe {@code none}, for exact machines: they learn from the kernel values between all rows. The map of the
 * trained model compares a row with training rows; it exists only after the training.
 *
 * <p>{@code none(threshold=1e-6)} leaves out smaller kernel values, and {@code none(products=tree, tolerance=1e-8)}
 * stores none.
 *
 * @param form how kernel values are left out or approximated; null if all are stored
 */
public record NoMap(@Nullable TreeForm form) implements TermRecipe {
    public static final String NAME = "none";

    private static final String TREE = "tree";
    private static final String DENSE = "dense";
    private static final double USUAL_TOLERANCE = 1e-8;

    /** Reads a spelling. */
    public static NoMap parse(Spelling spelling) {
        spelling.allow("threshold", "products", "tolerance");
        String products = spelling.text("products");
        if (products != null && !products.equals(TREE) && !products.equals(DENSE)) {
            throw Spelling.unknown(NAME + " products", products, List.of(DENSE, TREE));
        }
        boolean tree = TREE.equals(products);
        if (spelling.has("threshold") && products != null) {
            throw new SpellingException(NAME + ": give threshold or products, not both");
        }
        if (spelling.has("tolerance") && !tree) {
            throw new SpellingException(NAME + ": tolerance is for products=tree");
        }
        if (spelling.has("threshold")) {
            return new NoMap(new TreeForm(TreeForm.Kind.THRESHOLD, spelling.number("threshold")));
        }
        return new NoMap(
                tree ? new TreeForm(TreeForm.Kind.PRODUCTS, spelling.number("tolerance", USUAL_TOLERANCE)) : null);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Throws if kernel values are to be left out or approximated, and the kernel does not decrease with the distance. */
    public void requireKernel(Kernel kernel, int columns) {
        if (form != null && !TreeKernel.takes(kernel, columns)) {
            throw new SpellingException(
                    "the map " + this + " needs a kernel that decreases with the distance in every column, such as"
                            + " gaussian, laplacian or matern, got " + kernel,
                    Remedy.set(Setting.MAP, NAME, "takes every kernel"),
                    Remedy.set(Setting.MAP, LandmarkRecipe.NAME, "takes every kernel and more rows"));
        }
    }

    @Override
    public boolean makesFeatures() {
        return false;
    }

    /**
     * Fails if a recipe leaves out or approximates kernel values.
     *
     * @param owner what needs all of them, such as "kernel learning"
     */
    public static void requireAllValues(MapRecipe map, String owner) {
        if (map instanceof NoMap none && none.form() != null) {
            throw new SpellingException(
                    owner + " needs all kernel values between the rows, not the map " + map,
                    Remedy.set(Setting.MAP, new NoMap(null), "has them"));
        }
    }

    @Override
    public boolean takesFeatures(Kernel leaf) {
        return false;
    }

    @Override
    public MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Notes notes) {
        return this;
    }

    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes) {
        throw noFeatures();
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        throw noFeatures();
    }

    static BochnerException noFeatures() {
        return new BochnerException(
                "map 'none' has no features: it is for training exact machines",
                Remedy.set(Setting.MAP, "landmarks", "has kernel values as features"));
    }

    @Override
    public String toString() {
        if (form == null) {
            return NAME;
        }
        String level = form.kind().parameter() + "=" + Spelling.print(form.level());
        return form.kind() == TreeForm.Kind.THRESHOLD
                ? TermRecipe.spell(NAME, level)
                : TermRecipe.spell(NAME, "products=" + TREE, form.level() == USUAL_TOLERANCE ? "" : level);
    }
}
