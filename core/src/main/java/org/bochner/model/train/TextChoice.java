package org.bochner.model.train;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.data.ColumnRange;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The default kernel of data with texts: chi2 of the share of each n-gram in its text. Columns beside the texts get the
 * linear kernel and a variance of 1. Both keep rows sparse. A Fourier map would not, and each of its frequencies would have
 * as many numbers as the texts have columns.
 */
final class TextChoice {
    private TextChoice() {}

    /** Returns the choice; null if the rows have no texts, or if the user gives the kernel, the map or the features. */
    static ScaleChoice.@Nullable Choice of(TrainingSettings settings, RowSource source) {
        Encoding encoding = source.encoding();
        List<ColumnRange> texts = encoding == null ? List.of() : encoding.textRanges();
        if (texts.isEmpty()
                || !source.sparse()
                || !settings.kernelIsOpen
                || settings.features.isPresent()
                || !(settings.map instanceof AutoRecipe)) {
            return null;
        }
        Map<ColumnRange, Scaling> scalings = new LinkedHashMap<>();
        List<Kernel> terms = new ArrayList<>();
        int next = 0;
        for (ColumnRange text : texts) {
            addOthers(next, text.from(), scalings, terms);
            scalings.put(text, Scalings.unitL1());
            terms.add(Kernels.channel(Kernels.chi2(), text.from(), text.to()));
            next = text.to();
        }
        addOthers(next, source.columns(), scalings, terms);
        boolean alone = terms.size() == 1;
        Kernel kernel = alone ? Kernels.chi2() : Kernels.sum(terms.toArray(Kernel[]::new));
        Scaling given = settings.scaling;
        Scaling scaling = given != null ? given : alone ? Scalings.unitL1() : Scalings.byRange(scalings);
        String others = texts.size() == terms.size() ? "" : "; other columns get a linear kernel";
        return new ScaleChoice.Choice(
                KernelRecipe.of(kernel), scaling, new double[0], "because texts are counts of n-grams" + others);
    }

    /** Adds a linear kernel of the columns between texts. */
    private static void addOthers(int from, int to, Map<ColumnRange, Scaling> scalings, List<Kernel> terms) {
        if (from < to) {
            scalings.put(new ColumnRange("", from, to), Scalings.uncentred());
            terms.add(Kernels.channel(Kernels.linear(), from, to));
        }
    }
}
