package org.bochner.tune.search;

import java.util.Arrays;
import java.util.List;
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
import org.bochner.data.sample.RowView;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/** The rows of one rung, in memory if there is room, and their folds. Threads: safe; immutable. */
public final class SampledRows {
    private static final int BLOCK_ROWS = 1024;

    private final RowSource rows;
    private final TargetSurvey survey;
    private final List<Holdout> folds;

    /**
     * Draws a sample.
     *
     * @param count the rows of the sample
     * @param all the number of rows of the source
     */
    public SampledRows(RowSource source, long count, long all, Seed seed) {
        RowSource sample =
                count >= all ? source : Holdout.sample(source, (int) count, seed.derive("rows of a tuning sample"));
        survey = new TargetSurvey(sample);
        rows = MemoryBudget.spare().holds(survey.bytes(source.sparse())) ? new Kept(sample) : sample;
        folds = Holdout.folds(rows, Rung.FOLDS, seed.derive("folds of tuning"));
    }

    public RowSource rows() {
        return rows;
    }

    public TargetSurvey survey() {
        return survey;
    }

    /** Returns the rows to train on, and those to test on. */
    public Holdout fold(int fold) {
        return folds.get(fold);
    }

    /** Returns the losses of the constant model on a fold. */
    public Losses constant(int fold, LossCounter counter) {
        TargetSurvey training = new TargetSurvey(folds.get(fold).train());
        double[] scores = training.constantScores();
        double[] repeated = new double[BLOCK_ROWS * scores.length];
        Arrays.setAll(repeated, i -> scores[i % scores.length]);
        int predicted = training.labelsAreClasses() ? training.constantClass() : -1;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = folds.get(fold).test().open()) {
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
