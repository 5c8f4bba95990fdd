package org.bochner.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowView;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/** Computes the means of the targets per category from training rows, and puts them into rows. */
final class CategoryMeans {
    private static final int BLOCK_ROWS = 1024;

    /** Fixed, so that all steps of a training compute the same means. */
    static final Seed SEED = new Seed(1).derive("category means");

    /**
     * The least share of rows with a mean from other folds. Of fewer rows, a training learns nothing of the column, so that means of
     * later rows would be values that it never saw.
     */
    private static final double LEAST_KNOWN = 0.05;

    /** The share of rows with a mean from other groups below which there is a note. */
    private static final double MOST_NOTED = 0.5;

    private static final Remedy HASH =
            Remedy.set(Setting.CATEGORY_FEATURES, CategoryFeatures.DEFAULT.toString(), "hashes categories instead");

    private CategoryMeans() {}

    /** Checks surveyed training files that are to be encoded by means. */
    static void check(Encoding encoding, String file, boolean inSets, Notes notes) {
        List<MeanColumns> columns = encoding.meanColumns();
        if (columns.isEmpty()) {
            notes.data("no column has enough categories to be encoded by means of the target");
            return;
        }
        String name = columns.get(0).name();
        if (inSets) {
            throw DataException.in(
                    file,
                    "the categories of column '" + name + "' cannot be encoded by means, because sets of rows have one"
                            + " label",
                    HASH);
        }
        if (encoding.labels().targets() == 0) {
            throw DataException.in(file, unlabelled(name), Remedy.set(Setting.LABEL, "names them"), HASH);
        }
    }

    /** Returns the failure for training rows that were read with the means of a model. */
    static BochnerException ofModel(String name) {
        return new BochnerException(
                name + ": was read with the category means of a model, in which the labels of these rows may be",
                Remedy.advice("open rows to train on with FileSource.open(DataOptions)"));
    }

    private static String unlabelled(String column) {
        return "the categories of column '" + column
                + "' are encoded by means of the target, and the rows have no labels";
    }

    /** Returns rows with means over the rows of other folds; the rows themselves if they need no means. */
    static RowSource fit(RowSource rows) {
        Encoding encoding = rows.encoding();
        if (encoding == null || !encoding.needsMeans()) {
            return rows;
        }
        List<MeanColumns> columns = encoding.meanColumns();
        if (rows.labels().targets() == 0) {
            throw new BochnerException(
                    rows.name() + ": " + unlabelled(columns.get(0).name()), HASH);
        }
        Folds folds = Folds.of(columns.get(0).recipe().folds(), SEED);
        List<TargetSums> sums = accumulate(rows, columns, folds);
        requireFolds(rows, sums.get(0).foldsWithRows(), columns.get(0).recipe());
        List<double[]> means = new ArrayList<>();
        List<double[][]> ofFolds = new ArrayList<>();
        Notes notes = new Notes();
        for (int c = 0; c < sums.size(); c++) {
            TargetSums sum = sums.get(c);
            double known = sum.knownShare();
            note(columns.get(c), known, rows.grouped(), notes);
            if (known < LEAST_KNOWN) {
                double[] zeros =
                        new double[columns.get(c).codes() * columns.get(c).count()];
                means.add(zeros);
                ofFolds.add(Collections.nCopies(folds.count(), zeros).toArray(double[][]::new));
            } else {
                means.add(sum.means());
                ofFolds.add(sum.outOfFold());
            }
        }
        return new View(rows, encoding.withMeans(means), columns, ofFolds, folds, notes.list());
    }

    /**
     * Notes that most training rows, or all of them, have categories without rows in other folds.
     *
     * @param known the share of the other rows
     */
    private static void note(MeanColumns column, double known, boolean grouped, Notes notes) {
        String subject = "column '" + column.name() + "': ";
        List<Remedy> remedies = new ArrayList<>();
        remedies.add(HASH);
        remedies.add(Remedy.set(Setting.CATEGORY_FEATURES, "one-hot", "needs no means"));
        if (grouped) {
            remedies.add(Remedy.set(Setting.GROUP, "can be left out, if later rows are of these groups"));
        }
        Remedy[] all = remedies.toArray(Remedy[]::new);
        if (known < LEAST_KNOWN) {
            notes.data(
                    subject + (known > 0 ? "hardly any" : "no") + " category has rows in several "
                            + (grouped ? "groups" : "folds")
                            + ", so nothing can be learned from its means, and they are 0",
                    all);
        } else if (grouped && known < MOST_NOTED) {
            notes.data(
                    String.format(
                            Locale.ROOT,
                            "%sthe categories of %.0f%% of the rows have no rows in other groups, and the value 0 in training;"
                                    + " later rows of these categories get means",
                            subject,
                            100 * (1 - known)),
                    all);
        }
    }

    /**
     * Throws if the rows of all groups are in one fold: the training would see no means, and the model would have some. Rows
     * without groups are in one fold only if they are too few to learn from.
     */
    private static void requireFolds(RowSource rows, int filled, CategoryFeatures.Means recipe) {
        if (filled != 1 || !rows.grouped()) {
            return;
        }
        int more = Math.min(CategoryFeatures.Means.MOST_FOLDS, 4 * recipe.folds());
        throw new BochnerException(
                rows.name() + ": the rows of all groups are in one fold, so no row has a mean from other groups",
                Remedy.set(Setting.CATEGORY_FEATURES, recipe.withFolds(more).toString(), "may divide them"),
                HASH,
                Remedy.set(Setting.CATEGORY_FEATURES, "one-hot", "needs no means"));
    }

    private static List<TargetSums> accumulate(RowSource rows, List<MeanColumns> columns, Folds folds) {
        double bytes = columns.stream()
                .mapToDouble(column -> TargetSums.bytesNeeded(column, folds.count()))
                .sum();
        MemoryBudget.whole()
                .require(
                        bytes,
                        "means of the targets for the categories of " + columns.size() + " columns",
                        "encode fewer columns by means, or hash them");
        List<TargetSums> sums = columns.stream()
                .map(column -> new TargetSums(column, folds.count(), rows.labels()))
                .toList();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    int fold = folds.fold(block, i);
                    for (TargetSums sum : sums) {
                        sum.add(block, i, fold);
                    }
                }
            }
        }
        return sums;
    }

    /** Returns rows with the means of an encoding; the rows themselves if they need none, or the encoding has none for them. */
    static RowSource apply(RowSource rows, @Nullable Encoding model) {
        Encoding encoding = rows.encoding();
        if (encoding == null || !encoding.needsMeans() || model == null || model.needsMeans()) {
            return rows;
        }
        String difference = encoding.differenceFrom(model, false);
        if (difference != null) {
            throw new BochnerException(
                    rows.name() + ": was read without the encoding of the model: " + difference,
                    Remedy.advice("open the file with model.open(DataOptions.of(...))"));
        }
        List<double[][]> means =
                model.means().stream().map(one -> new double[][] {one}).toList();
        return new View(rows, model, encoding.meanColumns(), means, null, List.of());
    }

    /** Rows whose codes of categories are replaced by means. */
    private static final class View extends RowView {
        private final Encoding encoding;
        private final List<MeanColumns> columns;
        private final List<double[][]> means;
        private final @Nullable Folds folds;
        private final List<Note> notes;

        /**
         * Creates a view.
         *
         * @param means the means of each of the columns, per fold
         * @param folds the folds of the rows; null if all rows have the means of fold 0
         */
        View(
                RowSource rows,
                Encoding encoding,
                List<MeanColumns> columns,
                List<double[][]> means,
                @Nullable Folds folds,
                List<Note> notes) {
            super(rows);
            this.encoding = encoding;
            this.columns = columns;
            this.means = means;
            this.folds = folds;
            this.notes = notes;
        }

        @Override
        public List<Note> trainingNotes() {
            return notes;
        }

        @Override
        public Encoding encoding() {
            return encoding;
        }

        @Override
        public void requireTrainable() {
            if (folds == null) {
                throw ofModel(name());
            }
        }

        @Override
        public DataIdentity identity() {
            return source.identity();
        }

        @Override
        public RowCursor open() {
            return new Reading(source.open()) {
                @Override
                public boolean next(RowBlockBuilder into, int maxRows) {
                    boolean some = cursor.next(into, maxRows);
                    // The builder belongs to this call, so its values may be changed in place.
                    RowBlock block = into.build();
                    for (int i = 0; i < block.rows(); i++) {
                        int fold = folds == null ? 0 : folds.fold(block, i);
                        for (int c = 0; c < columns.size(); c++) {
                            columns.get(c).replace(block, i, means.get(c)[fold]);
                        }
                    }
                    into.dropZeros();
                    return some;
                }
            };
        }
    }
}
