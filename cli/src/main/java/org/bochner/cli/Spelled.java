package org.bochner.cli;

import java.util.List;
import org.bochner.data.ColumnNames;
import org.bochner.data.DataOptions;
import org.bochner.data.SurveyedSource;
import org.bochner.kernel.Kernels;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The values of --kernel and --scale, in which channels and columns may be named.
 *
 * @param scale null if the library chooses the scaling
 */
record Spelled(String kernel, @Nullable String scale) {
    Spelled {
        scale = chosen(scale);
    }

    /** Returns the value of --scale; null if the library chooses the scaling. */
    static @Nullable String chosen(@Nullable String scale) {
        return "auto".equals(scale) ? null : scale;
    }

    /** Replaces names by the columns of the channels and of the header of the data. */
    Spelled in(SurveyedSource data) {
        return with(ColumnNames.of(data.channels(), data.encoding().columnRanges()));
    }

    /**
     * Checks both values before the data are read. Names must be among the channels, and are then left out. A scaling
     * with names is checked and left out, because without its columns it would mean another scaling.
     *
     * @param options the options for reading the data; null if there are none
     */
    Spelled before(@Nullable DataOptions options) {
        if (options == null) {
            return with(ColumnNames.none());
        }
        List<String> channels = options.channels().keySet().stream()
                .filter(name -> !name.isEmpty())
                .toList();
        return with(ColumnNames.unread(channels, channels.isEmpty()));
    }

    private Spelled with(ColumnNames names) {
        return UsageException.orUsage(() -> new Spelled(
                Kernels.recipe(kernel, names).toString(),
                scale == null
                        ? null
                        : Scalings.parse(scale, names).map(Scaling::toString).orElse(null)));
    }
}
