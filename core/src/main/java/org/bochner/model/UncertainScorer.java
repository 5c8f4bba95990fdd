package org.bochner.model;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/** Scores blocks of rows and computes the deviations of their intervals. Threads: not safe; each worker has its own. */
final class UncertainScorer {
    /** The number of rows whose features are copied together. */
    private static final int PART_ROWS = 64;

    private final BlockScorer scorer;
    private final @Nullable Uncertainty uncertainty;
    private double[] features = {};
    private double[] deviations = {};

    /** Creates a scorer; without an uncertainty, all deviations are 1. */
    UncertainScorer(BlockScorer scorer, @Nullable Uncertainty uncertainty) {
        this.scorer = scorer;
        this.uncertainty = uncertainty;
    }

    /** Receives a block of rows, their scores and their deviations, all reused after it returns. */
    interface Sink {
        /** Takes a block; {@code deviations} has one number per row. */
        void accept(RowBlock rows, double[] scores, double[] deviations);
    }

    /** Scores a block and keeps the results until the next one. */
    void score(MappedRows block) {
        scorer.score(block);
        int rows = block.rows().rows();
        if (deviations.length < rows) {
            deviations = ones(rows);
        }
        if (uncertainty != null && uncertainty.hasDeviations()) {
            if (features.length == 0) {
                features = new double[Math.multiplyExact(PART_ROWS, uncertainty.features())];
            }
            for (int from = 0; from < rows; from += PART_ROWS) {
                int to = Math.min(rows, from + PART_ROWS);
                block.copyFeatures(from, to, features);
                uncertainty.deviations(features, to - from, deviations, from);
            }
        }
    }

    /** Returns the scores of the last block, rows×outputs. */
    double[] scores() {
        return scorer.scores();
    }

    /** Returns the deviations of the last block. */
    double[] deviations() {
        return deviations;
    }

    /** Returns the deviations of rows whose intervals all have one width. */
    static double[] ones(int rows) {
        double[] ones = new double[rows];
        Arrays.fill(ones, 1);
        return ones;
    }
}
