package org.bochner.model;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.model.file.TreeParts;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/** Scores blocks of rows by a tree of machines. Each machine scores only the rows that have a share in its leaf. */
final class TreeScorer extends BlockScorer {
    private final SplitTree tree;
    private final int outputs;
    private final List<KernelModel> models;
    private final @Nullable Member[] leaves;
    private final RowBlockBuilder builder = new RowBlockBuilder();
    private final double[] ofRow;
    /** The share of each row of the block in each leaf, leaves×rows. */
    private double[] shares = {};
    /** The index in the block of each row of a leaf. */
    private int[] places = {};

    TreeScorer(TreeParts parts, List<KernelModel> models) {
        tree = parts.tree();
        outputs = parts.main().requireLinear().outputs();
        this.models = models;
        leaves = new Member[models.size()];
        ofRow = new double[models.size()];
    }

    @Override
    double[] score(MappedRows mapped, double[] reused) {
        RowBlock block = mapped.rows();
        int rows = block.rows();
        int count = rows * outputs;
        double[] result = reused.length < count ? new double[count] : reused;
        Arrays.fill(result, 0, count, 0);
        if (places.length < rows) {
            places = new int[rows];
            shares = new double[rows * ofRow.length];
        }
        for (int i = 0; i < rows; i++) {
            tree.shares(block, i, ofRow);
            for (int l = 0; l < ofRow.length; l++) {
                shares[l * rows + i] = ofRow[l];
            }
        }
        for (int l = 0; l < ofRow.length; l++) {
            RowBlock own = rowsOf(l, block);
            if (own.rows() > 0) {
                add(l, own, block, result);
            }
        }
        return result;
    }

    /** Returns the rows with a share in a leaf; the block itself if all have one. */
    private RowBlock rowsOf(int leaf, RowBlock block) {
        int count = 0;
        for (int i = 0; i < block.rows(); i++) {
            if (shares[leaf * block.rows() + i] > 0) {
                places[count++] = i;
            }
        }
        if (count == block.rows()) {
            return block;
        }
        builder.beginLike(block, false);
        for (int k = 0; k < count; k++) {
            builder.addRow(block, places[k]);
        }
        return builder.build();
    }

    private void add(int leaf, RowBlock own, RowBlock block, double[] result) {
        Member member = leaves[leaf];
        if (member == null) {
            member = new Member(models.get(leaf));
            leaves[leaf] = member;
        }
        double[] scores;
        try {
            scores = member.score(own);
        } catch (RowException e) {
            throw own == block || e.row() < 0 ? e : e.inRow(block.firstRow() + places[(int) e.row()]);
        }
        for (int k = 0; k < own.rows(); k++) {
            double share = shares[leaf * block.rows() + places[k]];
            for (int o = 0; o < outputs; o++) {
                result[places[k] * outputs + o] += share * scores[k * outputs + o];
            }
        }
    }
}
