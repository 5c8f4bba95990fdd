package org.bochner.data.format;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.cell.CategoryFeatures;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a category that is encoded by the means of the targets: one per number to predict, one for two classes, else
 * one per class. The value is the smoothed mean over the rows of the category, minus the mean over all rows.
 *
 * <p>The means are computed from training rows, after files were surveyed. Until then, every column holds the code of the
 * category: 1 for the first one, one more than the number of categories for a missing one, and 0 for a category that the
 * training data did not have, whose value is always 0.
 *
 * <p>Threads: safe; immutable.
 */
public final class TargetMeans {
    /** The code of a category that the training data did not have. */
    static final int UNSEEN = 0;

    private final CategoryFeatures.Means recipe;
    private final List<String> targets;
    private final double @Nullable [] values;

    private TargetMeans(CategoryFeatures.Means recipe, List<String> targets, double @Nullable [] values) {
        this.recipe = recipe;
        this.targets = List.copyOf(targets);
        this.values = values;
    }

    /** Creates columns without means for targets that are not known yet. */
    static TargetMeans of(CategoryFeatures.Means recipe) {
        return new TargetMeans(recipe, List.of(), null);
    }

    /** Returns the names of the numbers or classes whose means are columns; of two classes only the second. */
    private static List<String> targets(Labels labels) {
        List<String> names = labels.names();
        return labels instanceof Labels.Classes && names.size() == 2 ? names.subList(1, 2) : names;
    }

    /** Returns columns for the targets, without means. */
    TargetMeans withTargets(Labels labels) {
        return new TargetMeans(recipe, targets(labels), null);
    }

    /** Returns the columns with the means of all codes but 0, code by code. The array is not copied. */
    TargetMeans withValues(double[] means) {
        return new TargetMeans(recipe, targets, means);
    }

    /** Loads columns with means. */
    static TargetMeans load(String recipe, List<String> targets, double[] means) {
        CategoryFeatures parsed = CategoryFeatures.parse(recipe);
        boolean finite = Arrays.stream(means).allMatch(mean -> Math.abs(mean) <= Float.MAX_VALUE);
        if (!finite || !(parsed instanceof CategoryFeatures.Means known)) {
            throw new BochnerException(
                    "columns: the saved form is inconsistent: these are no category means: " + recipe);
        }
        return new TargetMeans(known, targets, means);
    }

    /** Returns the number of codes with a mean: those of the categories, and that of a missing one. */
    public static int codes(int categories) {
        return categories + 1;
    }

    public CategoryFeatures.Means recipe() {
        return recipe;
    }

    List<String> targets() {
        return targets;
    }

    /** Returns the means, code by code from code 1; null if they are not computed yet. The array is shared. */
    double @Nullable [] values() {
        return values;
    }

    /** Returns the means, code by code from code 1, of columns that have them. The array is shared. */
    public double[] requireValues() {
        return Objects.requireNonNull(values, "means");
    }

    /** Returns the number of columns. */
    public int columns() {
        return Math.max(1, targets.size());
    }

    /** Sets the columns of a code to its means, or to the code if the means are not computed yet. */
    void encode(int code, ColumnEncoding.Sink sink) {
        for (int column = 0; column < columns(); column++) {
            sink.set(column, values == null ? code : code == UNSEEN ? 0 : values[(code - 1) * targets.size() + column]);
        }
    }
}
