package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.additive.AutoRecipe;
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
    private static final double MOST_APART = 100;

    private static final Scaling CLIPPED = Scalings.chain(List.of(Scalings.clip(0.01), Scalings.standard()));

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
        // A row sum over different units has no meaning: unit-l1 is tried only if columns share a unit.
        boolean oneUnit = local.sparse()
                || (alikeRanges(rows)
                        && error.applyAsDouble(candidates.get(candidates.size() - 1))
                                <= ONE_UNIT * error.applyAsDouble(candidates.get(0)));
        if (nonNegative && kernel.takesAnyUnit() && oneUnit) {
            candidates.add(besideCategories(kernel, Scalings.unitL1()));
        }
        // Two scalings for columns with outliers or long tails. Columns that share a unit, such as pixels, need none.
        if (!oneUnit && candidates.size() > 1) {
            candidates.add(besideCategories(kernel, CLIPPED));
            candidates.add(besideCategories(kernel, Scalings.quantile()));
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
    private static boolean alikeRanges(RowSample rows) {
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
