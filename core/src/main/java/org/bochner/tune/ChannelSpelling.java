package org.bochner.tune;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.jspecify.annotations.Nullable;

/** Parses and checks the channels of multiple kernel learning and their kernels. */
final class ChannelSpelling {
    private ChannelSpelling() {}

    /** Returns the kernel of each channel; see {@link MultipleKernels#kernels}. */
    static List<String> kernels(List<String> texts, List<String> names) {
        @Nullable String[] kernels = new @Nullable String[names.size()];
        String common = null;
        for (String text : texts) {
            for (String part : Spelling.splitTopLevel("kernel", text, ',')) {
                int equals = nameEnd(part);
                if (equals >= 0) {
                    kernels[indexOf(part.substring(0, equals).strip(), names)] =
                            part.substring(equals + 1).strip();
                    continue;
                }
                if (common != null) {
                    throw new SpellingException("kernel: '" + common + "' and '" + part.strip()
                            + "' are both for all channels; write CHANNEL=KERNEL for those that differ");
                }
                common = part.strip();
            }
        }
        List<String> all = new ArrayList<>();
        for (int c = 0; c < kernels.length; c++) {
            String own = kernels[c] != null ? kernels[c] : common;
            if (own == null) {
                throw new SpellingException("kernel: the channel '" + names.get(c)
                        + "' has none; write one for every channel, or one without a name for all others");
            }
            all.add(own);
        }
        return all;
    }

    /** The index of the '=' after a channel's name; -1 if the text is a kernel alone, whose '=' are in parentheses. */
    private static int nameEnd(String text) {
        int equals = text.indexOf('=');
        return equals > 0 && ColumnNames.isName(text.substring(0, equals).strip()) ? equals : -1;
    }

    private static int indexOf(String name, List<String> names) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new SpellingException(
                    "kernel: " + Spelling.unknown("channel", name, names).getMessage());
        }
        return index;
    }

    /** Checks the names and columns of channels. */
    static void requireRanges(List<ColumnRange> channels) {
        Set<String> names = new LinkedHashSet<>();
        for (ColumnRange channel : channels) {
            String name = channel.name();
            if (!ColumnNames.isName(name)) {
                throw new SpellingException(
                        "channels: a name is a letter or '_', then letters, digits, '.', '_' or '-';" + " got '" + name
                                + "'");
            }
            if (!names.add(name)) {
                throw new SpellingException(
                        "channels: '" + name + "' is given twice; every channel needs its own name");
            }
            if (channel.from() >= channel.to() || channel.from() < 0) {
                throw new SpellingException("channels: " + channel
                        + " is empty; write FROM:TO with FROM < TO, where TO itself is left out");
            }
        }
    }

    /** Checks that no two channels overlap. Channels with equal columns are allowed if their kernels differ. */
    static void requireApart(List<ColumnRange> channels, List<KernelRecipe> kernels) {
        requireRanges(channels);
        for (int a = 0; a < channels.size(); a++) {
            for (int b = a + 1; b < channels.size(); b++) {
                ColumnRange one = channels.get(a);
                ColumnRange other = channels.get(b);
                boolean same = one.from() == other.from() && one.to() == other.to();
                boolean meant = same && !kernels.get(a).equals(kernels.get(b));
                if (one.from() < other.to() && other.from() < one.to() && !meant) {
                    throw new SpellingException("channels: " + one + " and " + other
                            + " overlap; let one end where the other starts, or give the same columns different"
                            + " kernels");
                }
            }
        }
    }

    /** Checks that the kernel of a channel is a single kernel of all its columns. */
    static void requireKernel(String channel, KernelRecipe kernel) {
        Kernel any = kernel.withUnitScales();
        if (any instanceof SumKernel
                || any instanceof ScaledKernel
                || any instanceof ChannelKernel
                || any instanceof ProductKernel) {
            throw new SpellingException("kernel '" + kernel + "' of channel '" + channel
                    + "': must be one kernel without a factor and without columns, because the factors are learned and the"
                    + " channels have the columns; for several kernels of the same columns, define several channels");
        }
    }
}
