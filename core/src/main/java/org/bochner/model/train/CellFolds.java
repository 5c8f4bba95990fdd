package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.learn.solve.CellRidge;
import org.bochner.random.Seed;
import org.bochner.stats.CellRows;
import org.jspecify.annotations.Nullable;

/** The folds of a cross-validation on the cells of random grids. Folds without rows, which few groups leave, are left out. */
final class CellFolds {
    private final RowSource source;
    private final List<Holdout> folds;

    /** Divides rows into a number of folds, or fewer; throws if all rows are in one. */
    CellFolds(RowSource source, int most, Seed seed) {
        this.source = source;
        folds = Holdout.foldsWithRows(source, most, seed);
        require(folds.size());
    }

    /** Reads the cells of rows. */
    @FunctionalInterface
    interface Reader {
        /**
         * Reads rows.
         *
         * @param before rows that were read before, to which the rows are joined; null if these are the first ones
         */
        CellRows read(RowSource rows, @Nullable CellRows before);
    }

    /** Returns the number of folds. */
    int count() {
        return folds.size();
    }

    /** Reads the rows of all folds; throws if the rows with a weight above 0 are in one. */
    List<CellRidge.Split> read(Reader reader) {
        List<CellRows> parts = new ArrayList<>();
        for (Holdout fold : folds) {
            parts.add(reader.read(fold.test(), parts.isEmpty() ? null : parts.get(0)));
        }
        require(parts.stream().filter(part -> part.totalRowWeight() > 0).count());
        return CellRidge.Split.of(parts);
    }

    private void require(long filled) {
        if (filled >= 2) {
            return;
        }
        Remedy penalty = Remedy.set(Setting.LEARNER, "ridge(lambda=1)", "gives a penalty");
        Remedy[] remedies = source.grouped()
                ? new Remedy[] {penalty, Remedy.set(Setting.SEED, "may divide the groups")}
                : new Remedy[] {penalty};
        throw new BochnerException(
                source.name() + ": " + (source.grouped() ? "the rows of all groups" : "all rows")
                        + " with a weight above 0 are in one fold, and a penalty is chosen by cross-validation with at least two",
                remedies);
    }
}
