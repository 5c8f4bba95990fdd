package org.bochner.data.format;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.DateFeatures;
import org.bochner.data.text.TextFeatures;
import org.jspecify.annotations.Nullable;

/** The values of {@link DataOptions}, where they are described. Set only on a fresh copy, before anyone else sees it. */
public final class DataSettings implements Cloneable {
    /** The files by channel. */
    public Map<String, String> channels = Map.of();

    public DataFormat format = DataFormat.AUTO;
    public String label = "auto";
    public @Nullable String labelsFile;
    public @Nullable Boolean header;
    public @Nullable Character delimiter;
    /** The number of columns of a LIBSVM file; 0 if it comes from the data. */
    public int columns;

    /** The first index of a LIBSVM file, 0 or 1; -1 if it comes from the data. */
    public int indexBase = -1;

    public boolean missingFilled;
    public boolean missingIndicators;
    public CategoryFeatures categoryFeatures = CategoryFeatures.DEFAULT;
    public DateFeatures dateFeatures = DateFeatures.DAYS;

    public List<String> categorical = List.of();
    /** The columns of texts, and how they become columns of numbers. */
    public List<String> text = List.of();

    public TextFeatures textFeatures = TextFeatures.DEFAULT;
    public @Nullable String rowWeight;
    public Task task = Task.AUTO;
    public boolean unseenAsZeros;
    public @Nullable String positive;
    public @Nullable Charset charset;
    public DataOptions.Decimal decimal = DataOptions.Decimal.AUTO;
    public List<String> ignored = List.of();
    public @Nullable String group;
    public @Nullable String set;
    public List<String> carried = List.of();

    /** Returns a copy, which may be changed. */
    public DataSettings copy() {
        try {
            return (DataSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
