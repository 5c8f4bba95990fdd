package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The kernels and scalings that are compared for rows. A given scaling is the only one; a kernel whose scales were learned is
 * compared with the initial one.
 *
 * @param source the rows, or sets of them
 */
record ScalingCandidates(ScaleSample sample, RowSource source, ScaleChoice.@Nullable Initial initial) {
    /**
     * Columns are taken to share a unit if the error without scaling is within this factor of the standardised error.
     */
    private static final double ONE_UNIT = 1.1;

    /**
     * Columns are taken to have different units if one column's largest value exceeds the median column's by this
     * factor.
     */
    static final double MOST_APART = 100;

    /** With up to this many columns, further scalings are tried even if the columns share a unit: they cost little. */
    private static final int FEW_COLUMNS = 100;

    /** Scalings for columns with long tails or outliers. */
    private static final List<Scaling> OF_TAILS = List.of(
            Scalings.chain(List.of(Scalings.log1p(), Scalings.standard())),
            Scalings.chain(List.of(Scalings.clip(0.01), Scalings.standard())),
            Scalings.quantile());

    /**
     * Returns the candidates; ties go to the first.
     *
     * @param error returns the error of a candidate at its measured scales
     */
    List<ScaleCandidate> list(ToDoubleFunction<ScaleCandidate> error) {
        TrainingSettings settings = sample.settings();
        KernelRecipe kernel = settings.kernel;
        Scaling given = settings.scaling;
        if (given != null) {
            ScaleCandidate own = candidate(kernel, given);
            return initial == null ? List.of(own) : List.of(own, besideCategories(initial.kernel(), initial.scaling()));
        }
        RowSource local = source.localRows();
        RowSample rows = RowSample.of(sample.rows().localRows(), sample.seed());
        boolean nonNegative = rows.nonNegative();
        List<ScaleCandidate> candidates = new ArrayList<>();
        for (Scaling scaling : scalings()) {
            candidates.add(besideCategories(kernel, scaling));
        }
        boolean tables = !local.sparse() && candidates.size() > 1;
        // The scalings for random grids leave out categories anyway.
        boolean grids = settings.map instanceof BinningRecipe;
        boolean categories = !grids && !GridKernel.categories(local).isEmpty();
        // A row sum over different units has no meaning: unit-l1 is tried only if columns share a unit.
        boolean oneUnit = local.sparse()
                || (!categories
                        && alikeRanges(rows)
                        && error.applyAsDouble(candidates.get(candidates.size() - 1))
                                <= ONE_UNIT * error.applyAsDouble(candidates.get(0)));
        if (grids && tables && alikeRanges(rows)) {
            // Standardised 0/1 columns outweigh all others if few rows have them, and grids show it only with many
            // rows.
            Collections.swap(candidates, 0, 1);
        }
        if (nonNegative && kernel.takesAnyUnit() && oneUnit) {
            candidates.add(besideCategories(kernel, Scalings.unitL1()));
        }
        // Standardised columns of rare categories outweigh all others, and clipped ones are constant.
        List<Scaling> others = new ArrayList<>(categories ? List.of(Scalings.standard()) : List.of());
        // Each scaling costs random grids several fits.
        others.addAll(!oneUnit || (!grids && local.columns() <= FEW_COLUMNS) ? OF_TAILS : List.of());
        for (Scaling scaling : tables ? others : List.<Scaling>of()) {
            candidates.add(
                    categories
                            ? candidate(kernel, GridKernel.ofNumbers(scaling, local))
                            : besideCategories(kernel, scaling));
        }
        // The kernel of counts takes no negative values, so all rows are checked. Its map determines the number of
        // features, so the user must have set neither features nor map.
        if (settings.kernelIsOpen
                && settings.features.isEmpty()
                && settings.map instanceof AutoRecipe
                && local.sparse()
                && nonNegative
                && RowSample.of(local, sample.seed()).nonNegative()) {
            candidates.add(candidate(KernelRecipe.of(Kernels.chi2()), Scalings.unitL1()));
        }
        return candidates;
    }

    private ScaleCandidate besideCategories(KernelRecipe kernel, Scaling scaling) {
        return candidate(kernel, GridKernel.besideCategories(scaling, sample.settings(), kernel, source.localRows()));
    }

    private ScaleCandidate candidate(KernelRecipe kernel, Scaling scaling) {
        Comparison comparison = Comparison.of(sample.settings(), source, kernel.withUnitScales());
        return new ScaleCandidate(sample, kernel, scaling, comparison);
    }

    /** Returns true if no column's largest value is far above that of most columns. */
    static boolean alikeRanges(RowSample rows) {
        double[] highest = IntStream.range(0, rows.columns())
                .mapToDouble(column ->
                        rows.interval(column).map(RowSample.Interval::high).orElse(0.0))
                .sorted()
                .toArray();
        return highest[highest.length - 1] <= MOST_APART * highest[highest.length / 2];
    }

    /** Returns the scalings that do not mix columns; ties go to the first. */
    private List<Scaling> scalings() {
        KernelRecipe kernel = sample.settings().kernel;
        if (!kernel.takesAnyValue() || !kernel.takesAnyUnit()) {
            return List.of(Scalings.none());
        }
        return source.localRows().sparse()
                ? List.of(Scalings.none(), Scalings.unitL2())
                : List.of(Scalings.standard(), Scalings.none());
    }
}
