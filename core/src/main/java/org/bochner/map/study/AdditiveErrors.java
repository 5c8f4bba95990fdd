package org.bochner.map.study;

import java.util.Locale;
import java.util.Optional;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.RowSample.ValueRange;
import org.bochner.map.additive.AdditiveMap;

/**
 * How far additive maps of a kernel are from it, as a share: the RMS error over that of the kernel on pairs of sampled rows;
 * where there are none, the largest error of a column over the largest value. One large value among many small ones would
 * hide what a map loses on those, so rows count before ranges.
 */
public final class AdditiveErrors {
    private final Optional<PairErrors> pairs;
    private final ValueRange range;

    public AdditiveErrors(AdditiveKernel kernel, RowSample rows) {
        pairs = rows.rows() < 2
                ? Optional.empty()
                : Optional.of(new PairErrors(kernel, rows)).filter(PairErrors::comparable);
        range = rows.range().known() ? rows.range() : ColumnError.TYPICAL;
    }

    /** The share for a map of rows of the same width. */
    public double of(AdditiveMap map) {
        return pairs.isPresent() ? pairs.get().relative(map) : ColumnError.largest(map, range);
    }

    /** How many numbers a column a map may make for its errors to be measured in little memory. */
    public int widest() {
        return pairs.map(PairErrors::widest).orElse(Integer.MAX_VALUE);
    }

    /** Between what bounds the values lie. */
    public ValueRange range() {
        return range;
    }

    /** A share so measured, in words. */
    public String describe(double share) {
        return pairs.isPresent()
                ? String.format(Locale.ROOT, "%.2g of the kernel (RMS, pairs of sampled rows)", share)
                : String.format(
                        Locale.ROOT,
                        "%.2g of the largest value (all pairs from %.2g to %.4g)",
                        share,
                        range.smallest(),
                        range.largest());
    }
}
