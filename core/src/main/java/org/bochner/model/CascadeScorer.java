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
 * Scores blocks of rows by a cascade. Each stage scores only the rows that no stage before it has decided. The
 * scores of a cascade are the logarithms of the probabilities of the stage that decides the row.
 *
 * <p>Threads: not safe; each worker has its own.
 */
final class CascadeScorer extends BlockScorer {
    private final CascadeParts cascade;
    private final List<KernelModel> stages;
    private final @Nullable Member[] scorers;
    /** Two builders in turns: one holds the rows of a stage while the other collects those that it leaves. */
    private final @Nullable RowBlockBuilder[] builders = new RowBlockBuilder[2];

    /** The index in the block of each row that has not been decided yet. */
    private int[] places = {};

    CascadeScorer(CascadeParts cascade, List<KernelModel> stages) {
        this.cascade = cascade;
        this.stages = stages;
        scorers = new Member[stages.size()];
    }

    @Override
    double[] score(MappedRows mapped, double[] reused) {
        RowBlock block = mapped.rows();
        int outputs = cascade.last().requireLinear().outputs();
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
            double[] ofStage;
            try {
                ofStage = scorer(s).score(rows);
            } catch (RowException e) {
                throw rows == block || e.row() < 0 ? e : e.inRow(block.firstRow() + places[(int) e.row()]);
            }
            rows = undecided(s, rows, ofStage, outputs, result);
        }
        return result;
    }

    private Member scorer(int stage) {
        Member own = scorers[stage];
        if (own == null) {
            own = new Member(stages.get(stage));
            scorers[stage] = own;
        }
        return own;
    }

    /** Writes the scores of the rows of a stage, and returns the rows that the stage does not decide. */
    private RowBlock undecided(int stage, RowBlock rows, double[] ofStage, int outputs, double[] result) {
        Calibration calibration = cascade.stages().get(stage).calibration();
        RowBlockBuilder left = builders[stage % 2];
        if (left == null) {
            left = new RowBlockBuilder();
            builders[stage % 2] = left;
        }
        left.beginLike(rows, false);
        for (int i = 0; i < rows.rows(); i++) {
            int place = places[i];
            calibration.logarithms(ofStage, i, result, place * outputs);
            if (!cascade.decides(stage, result, place, outputs)) {
                places[left.rows()] = place;
                left.addRow(rows, i);
            }
        }
        return left.build();
    }
}
