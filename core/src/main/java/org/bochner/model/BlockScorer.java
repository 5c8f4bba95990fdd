package org.bochner.model;

import java.util.List;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.file.CascadeParts;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/**
 * Scores blocks of rows by a model. Each stage of a cascade scores only the rows that no stage before it has decided. The
 * scores of a cascade are the logarithms of the probabilities of the stage that decides the row.
 *
 * <p>Threads: not safe; each worker has its own.
 */
final class BlockScorer {
    private final @Nullable CascadeParts cascade;
    private final List<StageScorer> stages;
    private final @Nullable MappedRows[] mapped;
    /** Two builders in turns: one holds the rows of a stage while the other collects those that it leaves. */
    private final @Nullable RowBlockBuilder[] builders = new RowBlockBuilder[2];

    private double[] scores = {};
    private double[] ofStage = {};
    /** The index in the block of each row that has not been decided yet. */
    private int[] places = {};

    BlockScorer(@Nullable CascadeParts cascade, List<StageScorer> stages) {
        this.cascade = cascade;
        this.stages = stages;
        mapped = new MappedRows[stages.size()];
    }

    /** Scores a block and keeps the scores until the next one. */
    void score(MappedRows block) {
        scores = score(block, scores);
    }

    /** Returns the scores of the last block, rows×outputs. */
    double[] scores() {
        return scores;
    }

    /** Writes the scores of a block, rows×outputs, to an array, or to a new one if it is too short. */
    double[] score(MappedRows block, double[] reused) {
        return cascade == null ? stages.get(0).score(block, reused) : score(cascade, block.rows(), reused);
    }

    private double[] score(CascadeParts parts, RowBlock block, double[] reused) {
        int outputs = parts.last().requireLinear().outputs();
        int count = block.rows() * outputs;
        double[] result = reused.length < count ? new double[count] : reused;
        if (places.length < block.rows()) {
            places = new int[block.rows()];
        }
        for (int i = 0; i < block.rows(); i++) {
            places[i] = i;
        }
        RowBlock rows = block;
        for (int s = 0; s < stages.size() && rows.rows() > 0; s++) {
            try {
                ofStage = stages.get(s).score(mapped(s).take(rows), ofStage);
            } catch (RowException e) {
                throw rows == block || e.row() < 0 ? e : e.inRow(block.firstRow() + places[(int) e.row()]);
            }
            rows = undecided(parts, s, rows, outputs, result);
        }
        return result;
    }

    private MappedRows mapped(int stage) {
        MappedRows own = mapped[stage];
        if (own == null) {
            own = stages.get(stage).mapped();
            mapped[stage] = own;
        }
        return own;
    }

    /** Writes the scores of the rows of a stage, and returns the rows that the stage does not decide. */
    private RowBlock undecided(CascadeParts parts, int stage, RowBlock rows, int outputs, double[] result) {
        Calibration calibration = parts.stages().get(stage).calibration();
        RowBlockBuilder left = builders[stage % 2];
        if (left == null) {
            left = new RowBlockBuilder();
            builders[stage % 2] = left;
        }
        left.beginLike(rows, false);
        for (int i = 0; i < rows.rows(); i++) {
            int place = places[i];
            calibration.logarithms(ofStage, i, result, place * outputs);
            if (!parts.decides(stage, result, place, outputs)) {
                places[left.rows()] = place;
                left.addRow(rows, i);
            }
        }
        return left.build();
    }
}
