package org.bochner.model;

import java.util.Objects;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.tree.KernelSums;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.curve.CurveMap;
import org.bochner.map.landmark.TreeLandmarkMap;
import org.bochner.map.landmark.TreeSums;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scalings;
import org.bochner.stats.FiniteFeatures;
import org.bochner.stats.MappedRows;
import org.jspecify.annotations.Nullable;

/** Computes the linear functions of one map, for a model that is not made of others. Threads: safe; immutable. */
final class StageScorer {
    private final ModelParts parts;
    /** The functions without intercepts, for maps whose functions need no features; null for other maps. */
    private final @Nullable TreeSums sums;
    /** The functions without intercepts, if the features are the outputs; null for other maps. */
    private final @Nullable CurveMap curves;

    StageScorer(ModelParts parts) {
        this.parts = parts;
        LinearModel linear = parts.linear();
        // The score of a set needs the means of features.
        sums = linear != null && !parts.ofSets() && parts.map() instanceof TreeLandmarkMap near
                ? near.sums(linear.weights(), linear.outputs())
                : null;
        curves = linear != null && !parts.ofSets() && parts.map() instanceof CurveMap map && linear.isIdentity()
                ? map
                : null;
    }

    /** Returns true if {@link #scoreOrNan} can be used: for curves of one output and rows that are not scaled. */
    boolean scoresRows() {
        return curves != null
                && curves.hasOneValue()
                && parts.transformer().scaler().scaling().equals(Scalings.none());
    }

    /** Returns the score of one row, without copies of the row; not finite if the row must be checked. */
    double scoreOrNan(double[] row) {
        return Objects.requireNonNull(curves).valueOrNan(row)
                + parts.requireLinear().intercept(0);
    }

    /** Prepares functions without features; otherwise the first row does it on one thread. */
    void prepare(Workers workers) {
        if (sums != null) {
            sums.prepare(workers);
        }
    }

    /** Returns a scorer of blocks; each worker needs its own. */
    BlockScorer scorer() {
        return new BlockScorer() {
            @Override
            double[] score(MappedRows block, double[] reused) {
                return StageScorer.this.score(block, reused);
            }
        };
    }

    /**
     * Writes the scores of a block of rows, rows×outputs, to an array, or to a new one if it is too short.
     *
     * @throws RowException if a value is so large that the scores are not finite
     */
    double[] score(MappedRows block, double[] reused) {
        LinearModel linear = parts.requireLinear();
        int count = block.rows().rows() * linear.outputs();
        double[] scores = reused.length < count ? new double[count] : reused;
        SparseRows sparse = sums == null && curves == null ? block.entries() : null;
        if (sums != null) {
            score(block, sums, linear, scores);
        } else if (curves != null) {
            score(block, curves, linear, scores);
        } else if (sparse != null) {
            linear.apply(sparse, scores);
        } else {
            linear.apply(block.features(), scores);
        }
        for (int i = 0; i < count; i++) {
            if (!(Math.abs(scores[i]) < Double.POSITIVE_INFINITY)) {
                int row = i / linear.outputs();
                RowException problem =
                        FiniteFeatures.problem(block.scaled(), block.rows().firstLocalRow(row));
                throw problem.inRow(block.rows().firstRow() + row);
            }
        }
        return scores;
    }

    /** Scores rows by functions that are features themselves. */
    private static void score(MappedRows block, CurveMap functions, LinearModel linear, double[] scores) {
        RowBlock rows = block.scale();
        int outputs = linear.outputs();
        functions.apply(rows, scores, 0, outputs);
        for (int i = 0; i < rows.rows(); i++) {
            for (int o = 0; o < outputs; o++) {
                scores[i * outputs + o] += linear.intercept(o);
            }
        }
    }

    /** Scores rows by functions that need no features. */
    private void score(MappedRows block, KernelSums functions, LinearModel linear, double[] scores) {
        RowBlock rows = block.scale();
        int outputs = linear.outputs();
        double[] row = new double[rows.columns()];
        FiniteFeatures.requireMappable(rows);
        for (int i = 0; i < rows.rows(); i++) {
            rows.copyRow(i, row);
            try {
                functions.at(row, scores, i * outputs);
            } catch (RowException e) {
                throw e.inRow(rows.firstRow() + i);
            }
            for (int o = 0; o < outputs; o++) {
                scores[i * outputs + o] += linear.intercept(o);
            }
        }
    }
}
