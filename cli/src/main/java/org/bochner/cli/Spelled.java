package org.bochner.cli;

import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.data.Channels;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * What --kernel and --scale spell, in which channels and columns may go by their names.
 *
 * @param scale null or "auto" where the library chooses
 */
record Spelled(String kernel, @Nullable String scale) {
    /** With the columns of the channels and of the header, which the data knows. */
    Spelled in(FileSource data) {
        return UsageException.orUsage(() ->
                new Spelled(resolve("kernel", kernel, data), scale == null ? null : resolve("scaling", scale, data)));
    }

    private static String resolve(String what, String spelling, FileSource data) {
        return Channels.resolve(what, spelling, data.channels(), data.encoding().columnRanges());
    }

    /**
     * What can be checked before the data are read: the names are among the channels, and are then left out. A scaling
     * that has any is looked at term by term and left out as a whole, because without columns it would mean another.
     *
     * @param options how the data are to be read; null where there are none
     */
    Spelled before(@Nullable DataOptions options) {
        if (options == null) {
            // There is no data that could have names.
            return UsageException.orUsage(() -> new Spelled(
                    Channels.resolve("kernel", kernel, List.of()),
                    scale == null ? null : Channels.resolve("scaling", scale, List.of())));
        }
        return UsageException.orUsage(() -> {
            List<String> names = options.channels().keySet().stream()
                    .filter(name -> !name.isEmpty())
                    .toList();
            String known = Channels.withoutNames("kernel", kernel, names);
            if (scale == null || !Channels.areNamed(scale)) {
                return new Spelled(known, scale);
            }
            String unnamed = Channels.withoutNames("scaling", scale, names);
            Spelling.splitTopLevel("scaling", unnamed, '+').forEach(Scalings::parse);
            return new Spelled(known, null);
        });
    }
}
