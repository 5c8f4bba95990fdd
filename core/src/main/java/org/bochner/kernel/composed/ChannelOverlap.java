package org.bochner.kernel.composed;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bochner.kernel.columns.Columns;

/**
 * The rule that the channels of a sum are disjoint or equal: several kernels of one channel are intended, a partial
 * overlap is probably a mistake. A term without columns uses all columns and may stand beside any channel.
 */
public final class ChannelOverlap {
    private ChannelOverlap() {}

    /** Returns what is wrong with the channels and how to correct it; empty if they are valid. */
    public static Optional<String> problem(List<Columns> channels) {
        List<Columns> ordered = channels.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Columns::from))
                .toList();
        // If any two overlap, two neighbours in this order do.
        for (int c = 1; c < ordered.size(); c++) {
            Columns left = ordered.get(c - 1);
            Columns right = ordered.get(c);
            if (right.from() < left.to()) {
                Columns shared = new Columns(right.from(), Math.min(left.to(), right.to()));
                return Optional.of("the channels " + left + " and " + right + " share the columns " + shared
                        + "; let one end where the other starts, or write the same columns in both");
            }
        }
        return Optional.empty();
    }
}
