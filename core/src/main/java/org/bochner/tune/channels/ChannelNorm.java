package org.bochner.tune.channels;

import java.util.Locale;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * The norm of the kernel weights in multiple kernel learning: {@code 1}, {@code 1.5}, {@code average}.
 *
 * <ul>
 *   <li>p = 1, block-ℓ1: {@code λ·Σⱼ|wⱼ|}, which sets the weights of useless channels to 0;
 *   <li>p > 1: {@code l2/2·Σⱼ|wⱼ|²/dⱼ} with {@code Σⱼ dⱼᵖ = 1} (Kloft et al., 2011), which keeps all channels, with larger weights for better ones;
 *   <li>average, p = ∞: {@code l2/2·Σⱼ|wⱼ|²}, equal weights.
 * </ul>
 *
 * @param p the norm, at least 1; infinite for the average
 */
public record ChannelNorm(double p) {
    /** Block-ℓ1: useless channels get the weight 0. */
    public static final ChannelNorm BLOCK_L1 = new ChannelNorm(1);

    /** All channels have the weight 1. */
    public static final ChannelNorm AVERAGE = new ChannelNorm(Double.POSITIVE_INFINITY);

    private static final String AVERAGE_NAME = "average";

    public ChannelNorm {
        if (!(p >= 1)) {
            throw new SpellingException("norm must be at least 1, or " + AVERAGE_NAME + ", got " + Spelling.print(p)
                    + "; 1 leaves channels out, 2 keeps all, " + AVERAGE_NAME + " weighs them alike");
        }
    }

    /** Parses a number of at least 1, or {@code average}. */
    public static ChannelNorm parse(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        return word.equals(AVERAGE_NAME) ? AVERAGE : new ChannelNorm(Spelling.toNumber("channels", "norm", word));
    }

    /** Returns true if channels can get the weight 0. */
    public boolean leavesOut() {
        return p == 1;
    }

    /** Returns true if all channels have the same weight. */
    public boolean averages() {
        return Double.isInfinite(p);
    }

    @Override
    public String toString() {
        return averages() ? AVERAGE_NAME : Spelling.print(p);
    }
}
