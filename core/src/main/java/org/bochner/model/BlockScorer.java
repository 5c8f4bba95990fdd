package org.bochner.model;

import java.util.List;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.model.file.AverageParts;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.TreeParts;
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

    /** Returns a scorer of a model that is made of others. */
    static BlockScorer of(CombinedParts combined, List<KernelModel> members) {
        if (combined instanceof CascadeParts cascade) {
            return new CascadeScorer(cascade, members);
        }
        if (combined instanceof AverageParts average) {
            return new AverageScorer(average, members);
        }
        return new TreeScorer((TreeParts) combined, members);
    }

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
