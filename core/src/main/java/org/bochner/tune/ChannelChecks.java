package org.bochner.tune;

import java.time.LocalDate;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.data.ColumnRange;
import org.bochner.data.Labels;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.model.file.SavedRecord;
import org.bochner.tune.channels.ChannelProblem;

/** Checks of the rows of multiple kernel learning. */
final class ChannelChecks {
    private ChannelChecks() {}

    /** Fails if the labels or the columns do not fit the recipe. */
    static void before(MultipleKernels recipe, RowSource source) {
        // Fails now, not after learning, if the day of the training record is wrong.
        LocalDate unused = SavedRecord.today();
        Labels labels = source.labels();
        OutputCoding.require(source.name(), source.encoding() != null, labels);
        if (recipe.resumed != null) {
            recipe.resumed.requireTask(source);
        }
        recipe.loss().requireFits(labels);
        for (ColumnRange channel : recipe.channels()) {
            if (channel.to() > source.columns()) {
                throw DataException.in(
                        source.name(),
                        "has " + source.columns() + " columns; the channel " + channel
                                + " goes beyond them; name columns within 0:" + source.columns()
                                + ", which count from 0 and leave the last one out");
            }
        }
    }

    /** Fails if the rows outside of a fold are all of one class. */
    static void requireClasses(MultipleKernels recipe, RowSource source, ChannelProblem problem) {
        if (!(source.labels() instanceof Labels.Classes classes)) {
            return;
        }
        for (int fold = 0; fold < problem.folds(); fold++) {
            for (int c = 0; c < classes.names().size(); c++) {
                if (problem.shareWithout(fold, c) > 1 - 1e-12) {
                    throw new BochnerException(source.name() + ": without fold " + (fold + 1) + " of " + recipe.folds()
                            + ", all rows are of the class " + classes.names().get(c)
                            + ", so penalties cannot be compared; use fewer folds or another seed, or more rows of the"
                            + " other classes");
                }
            }
        }
    }
}
