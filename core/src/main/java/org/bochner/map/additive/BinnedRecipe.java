package org.bochner.map.additive;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.Interval;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.additive.Intersection;
import org.bochner.map.composed.TermRecipe;

/**
 * Bins for the intersection kernel: {@code unary(bins=25)}, {@code piecewise(bins=25)}, or {@code piecewise(bins=25,
 * sparse)}, which has two features per value and no plain penalty. Bins divide the values from 0 to {@code range}. By
 * default the range of a column ends at its largest value in the data, or at 1 where there are no data.
 *
 * <p>Accuracy, as a share of the range, for 5, 10, 20 and 50 bins: unary 0.1, 0.05, 0.025, 0.01; piecewise 0.05, 0.025,
 * 0.0125, 0.005. Each column has its own range, because a common range leaves most values of uneven histograms in the
 * first bin: with 25 bins, the RMS error of Σ min was 0.129 with a common range and 0.0039 with one per column on
 * scene15 (59 columns, unit sums), 0.0152 and 0.0023 on 20newsgroups, 0.00070 and 0.00055 on optdigits.
 */
public record BinnedRecipe(BinCode code, int bins, OptionalDouble range) implements AdditiveRecipe {
    public static final String UNARY = "unary";
    public static final String PIECEWISE = "piecewise";

    /** The fewest bins with which {@code piecewise} has an error of at most a hundredth of the range. */
    private static final int DEFAULT_BINS = 25;

    public BinnedRecipe {
        Require.atLeast(name(code), "bins", bins, 1);
        range.ifPresent(b -> Require.positive(name(code), "range", b));
    }

    public BinnedRecipe(BinCode code, int bins) {
        this(code, bins, OptionalDouble.empty());
    }

    public static BinnedRecipe parseUnary(Spelling spelling) {
        return parse(BinCode.UNARY, spelling.allow("bins", "range"));
    }

    public static BinnedRecipe parsePiecewise(Spelling spelling) {
        spelling.allow("bins", "sparse", "range");
        return parse(spelling.has("sparse") ? BinCode.SPARSE : BinCode.PIECEWISE, spelling);
    }

    private static BinnedRecipe parse(BinCode code, Spelling spelling) {
        return new BinnedRecipe(code, spelling.integer("bins", DEFAULT_BINS), TermRecipe.number(spelling, "range"));
    }

    private static String name(BinCode code) {
        return code == BinCode.UNARY ? UNARY : PIECEWISE;
    }

    @Override
    public BinnedMap additive(AdditiveKernel kernel, RowSample rows, Notes notes) {
        if (!(kernel instanceof Intersection intersection)) {
            throw new SpellingException("map '" + this + "' is for intersection, not for " + kernel + "; take "
                    + (kernel instanceof SeparableKernel ? "exact" : "auto or sampled"));
        }
        notes.choice(this + " divides values from 0 to " + end(rows) + " into " + bins
                + " bins; larger values share one extra feature");
        return new BinnedMap(intersection, code, bins, ranges(rows));
    }

    private String end(RowSample rows) {
        Interval seen = rows.range();
        if (range.isPresent()) {
            String beyond = String.format(Locale.ROOT, " (the data goes up to %.4g)", seen.high());
            return Spelling.print(range.getAsDouble()) + (seen.high() > range.getAsDouble() ? beyond : "");
        }
        return seen.hasPositive()
                ? String.format(Locale.ROOT, "the largest of their column, %.4g at most,", seen.high())
                : "1, for want of data,";
    }

    /** Returns the ends of the bins of every column; columns without values have the largest of all. */
    private double[] ranges(RowSample rows) {
        double[] ranges = new double[rows.columns()];
        double absent = range.orElse(rows.range().hasPositive() ? rows.range().high() : 1);
        for (int l = 0; l < ranges.length; l++) {
            Interval seen = rows.range(l, l + 1);
            ranges[l] = range.isEmpty() && seen.hasPositive() ? seen.high() : absent;
        }
        return ranges;
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return range.isEmpty();
    }

    @Override
    public Optional<Size> size() {
        List<Integer> usual = List.of(2, 4, 8, 16, 32, 64);
        return Optional.of(new Size("bins", count -> count - 1, usual, other -> new BinnedRecipe(code, other, range)));
    }

    @Override
    public String toString() {
        return TermRecipe.spell(
                name(code),
                "bins=" + bins,
                code == BinCode.SPARSE ? "sparse" : "",
                TermRecipe.parameter("range", range));
    }
}
