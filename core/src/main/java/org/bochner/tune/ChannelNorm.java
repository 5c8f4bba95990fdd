package org.bochner.tune;

import java.util.Locale;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * How channels are weighed against each other, by a norm of the channels' weights: {@code 1}, {@code 1.5}, {@code average}.
 *
 * <ul>
 *   <li>p = 1, block-ℓ1: {@code λ·Σⱼ|wⱼ|}, which leaves channels out;
 *   <li>p > 1: {@code l2/2·Σⱼ|wⱼ|²/dⱼ} with {@code Σⱼ dⱼᵖ = 1} (Kloft et al., 2011), which keeps all, the better ones more;
 *   <li>average, p = ∞: {@code l2/2·Σⱼ|wⱼ|²}, all channels alike.
 * </ul>
 *
 * @param p the norm, at least 1; infinite for the average
 */
public record ChannelNorm(double p) {
    /** Block-ℓ1: channels that are of no use get no weight. */
    public static final ChannelNorm BLOCK_L1 = new ChannelNorm(1);

    /** All channels weigh the same. */
    public static final ChannelNorm AVERAGE = new ChannelNorm(Double.POSITIVE_INFINITY);

    private static final String AVERAGE_NAME = "average";

    public ChannelNorm {
        if (!(p >= 1)) {
            throw new SpellingException("norm must be at least 1, or " + AVERAGE_NAME + ", got " + Spelling.print(p)
                    + "; 1 leaves channels out, 2 keeps all, " + AVERAGE_NAME + " weighs them alike");
        }
    }

    /** Reads {@code 1}, another number above it, or {@code average}. */
    public static ChannelNorm parse(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        return word.equals(AVERAGE_NAME) ? AVERAGE : new ChannelNorm(Spelling.toNumber("channels", "norm", word));
    }

    /** Whether channels can be left out. */
    public boolean leavesOut() {
        return p == 1;
    }

    /** Whether all channels weigh the same. */
    public boolean averages() {
        return Double.isInfinite(p);
    }

    @Override
    public String toString() {
        return averages() ? AVERAGE_NAME : Spelling.print(p);
    }
}
