package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.data.ColumnRange;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;

/**
 * The default kernel of random binning maps for data with categories: a product of laplacian for the columns of numbers and of
 * one gaussian per category, whose one-hot encoded columns are not scaled.
 */
public final class GridKernel {
    private GridKernel() {}

    /** Returns settings with the kernel for the categories of the rows, if the map is binning and the kernel is open. */
    static TrainingSettings complete(TrainingSettings settings, RowSource source) {
        Encoding encoding = source.encoding();
        Scaling given = settings.scaling;
        if (!(settings.map instanceof BinningRecipe)
                || !settings.kernelIsOpen
                || encoding == null
                || (given != null && given.mixesColumns())) {
            return settings;
        }
        List<ColumnRange> categories = encoding.categoryRanges().stream()
                // One column that is always 1 says nothing.
                .filter(range -> range.to() - range.from() > 1)
                .toList();
        int columns = encoding.columns();
        List<String> factors = new ArrayList<>();
        int next = 0;
        for (ColumnRange category : categories) {
            addNumbers(next, category.from(), factors);
            factors.add("gaussian[" + category.from() + ":" + category.to() + "]");
            next = category.to();
        }
        addNumbers(next, columns, factors);
        if (categories.isEmpty()) {
            return settings;
        }
        TrainingSettings own = settings.copy();
        if (factors.size() == 1) {
            // The Laplacian kernel of zeros and ones is that of the category.
            own.scaling = given == null ? Scalings.none() : given;
            return own;
        }
        own.kernel = Kernels.recipe(String.join(" * ", factors));
        if (given != null) {
            own.scaling = besideCategories(given, own, own.kernel, source.localRows());
        }
        return own;
    }

    private static void addNumbers(int from, int to, List<String> factors) {
        if (from < to) {
            factors.add("laplacian[" + from + ":" + to + "]");
        }
    }

    /** Returns a scaling that leaves out the columns of categories, which must stay 0 and 1 for random grids. */
    public static Scaling besideCategories(
            Scaling scaling, TrainingSettings settings, KernelRecipe kernel, RowSource source) {
        List<ColumnRange> categories = settings.map instanceof BinningRecipe
                ? BinningRecipe.flags(kernel.withUnitScales(), source.columns()).stream()
                        .sorted(Comparator.comparingInt(ColumnRange::from))
                        .toList()
                : List.of();
        return besides(categories, scaling, source.columns());
    }

    /** Returns the columns of one-hot encoded categories, in ascending order; empty for rows without an encoding. */
    static List<ColumnRange> categories(RowSource source) {
        Encoding encoding = source.encoding();
        return encoding == null ? List.of() : encoding.categoryRanges();
    }

    /** Returns a scaling that leaves out the columns of one-hot encoded categories. */
    static Scaling ofNumbers(Scaling scaling, RowSource source) {
        return besides(categories(source), scaling, source.columns());
    }

    private static Scaling besides(List<ColumnRange> categories, Scaling scaling, int columns) {
        if (categories.isEmpty() || scaling.equals(Scalings.none()) || scaling.hasRanges()) {
            return scaling;
        }
        Map<ColumnRange, Scaling> scalings = new LinkedHashMap<>();
        int next = 0;
        for (ColumnRange category : categories) {
            put(next, category.from(), scaling, scalings);
            next = Math.max(next, category.to());
        }
        put(next, columns, scaling, scalings);
        return scalings.isEmpty() ? Scalings.none() : Scalings.byRange(scalings);
    }

    private static void put(int from, int to, Scaling scaling, Map<ColumnRange, Scaling> scalings) {
        if (from < to) {
            scalings.put(new ColumnRange("", from, to), scaling);
        }
    }
}
