package org.bochner.model;

import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.stats.MappedRows;

/**
 * Scores blocks of rows by a model.
 *
 * <p>Threads: not safe; each worker has its own.
 */
abstract class BlockScorer {
    private double[] scores = {};

    /** Scores a block and keeps the scores until the next one. */
    final void score(MappedRows block) {
        scores = score(block, scores);
    }

    /** Returns the scores of the last block, rows×outputs. */
    final double[] scores() {
        return scores;
    }

    /**
     * Writes the scores of a block, rows×outputs, to an array, or to a new one if it is too short.
     *
     * @throws RowException if a value is so large that the scores are not finite
     */
    abstract double[] score(MappedRows block, double[] reused);

    /** A member of a model, with its own scaled rows and features. */
    static final class Member {
        private final MappedRows mapped;
        private final BlockScorer scorer;

        Member(KernelModel model) {
            mapped = model.mapped();
            scorer = model.scorer();
        }

        /** Returns the scores of rows, rows×outputs, which the next call overwrites. */
        double[] score(RowBlock rows) {
            scorer.score(mapped.take(rows));
            return scorer.scores();
        }
    }
}
