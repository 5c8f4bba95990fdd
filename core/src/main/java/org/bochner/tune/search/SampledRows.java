package org.bochner.tune.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.data.sample.RowView;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/** The rows of one rung, in memory if there is room, and their folds. Threads: not safe. */
public final class SampledRows {
    private static final int BLOCK_ROWS = 1024;

    /** Testing takes less time than training, and many held-out rows tell candidates apart. */
    private static final int LEAST_TESTED = 1000;

    private final TargetSurvey survey;
    private final List<Holdout> folds;
    private final double share;
    private final Seed seed;
    private final Map<Integer, Holdout> sampled = new HashMap<>();

    /**
     * Draws a sample.
     *
     * @param count the rows of the sample
     * @param all the number of rows of the source
     */
    public SampledRows(RowSource source, long count, long all, Seed seed) {
        this.seed = seed.derive("rows of a tuning sample");
        share = (double) Math.min(count, all) / all;
        Seed ofFolds = seed.derive("folds of tuning");
        if (share < 1) {
            folds = Holdout.folds(source, Rung.FOLDS, ofFolds);
            survey = new TargetSurvey(fold(0).train());
        } else {
            survey = new TargetSurvey(source);
            folds = Holdout.folds(kept(source, survey), Rung.FOLDS, ofFolds);
        }
    }

    /** Returns rows in memory, if there is room. */
    public static RowSource inMemory(RowSource rows) {
        return kept(rows, new TargetSurvey(rows));
    }

    private static RowSource kept(RowSource rows, TargetSurvey survey) {
        if (rows instanceof Kept) {
            return rows;
        }
        return MemoryBudget.spare().holds(survey.bytes(rows.sparse())) ? new Kept(rows) : rows;
    }

    public TargetSurvey survey() {
        return survey;
    }

    /**
     * Returns the rows to train on, and those to test on. Both parts of a smaller sample are in those of a larger one, so that
     * what was learned in a fold of a smaller one may be used in the same fold of a larger one.
     */
    public Holdout fold(int fold) {
        return share < 1 ? sampled.computeIfAbsent(fold, this::sample) : folds.get(fold);
    }

    private Holdout sample(int fold) {
        return new Holdout(
                part(folds.get(fold).train(), 1), part(folds.get(fold).test(), LEAST_TESTED));
    }

    private RowSource part(RowSource rows, int least) {
        long all = RowCount.of(rows);
        int count = (int) Math.min(all, Math.max(least, Math.round(share * all)));
        RowSource part = Holdout.sample(rows, count, seed);
        return kept(part, new TargetSurvey(part));
    }

    /** Returns the losses of the constant model on a fold. */
    public Losses constant(int fold, LossCounter counter) {
        TargetSurvey training = new TargetSurvey(fold(fold).train());
        double[] scores = training.constantScores();
        double[] repeated = new double[BLOCK_ROWS * scores.length];
        Arrays.setAll(repeated, i -> scores[i % scores.length]);
        int predicted = training.labelsAreClasses() ? training.constantClass() : -1;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = fold(fold).test().open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                counter.add(block, repeated, row -> predicted);
            }
        }
        return counter.losses();
    }

    /** Rows in memory that are otherwise those of their source: columns of categories keep their meaning. */
    private static final class Kept extends RowView {
        private final RowSource original;

        Kept(RowSource original) {
            super(MemorySource.load(original));
            this.original = original;
        }

        @Override
        public @Nullable Encoding encoding() {
            return original.encoding();
        }

        @Override
        public DataIdentity identity() {
            return original.identity();
        }

        @Override
        public Labels labels() {
            return original.labels();
        }

        @Override
        public RowCursor open() {
            return source.open();
        }
    }
}
