package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.ScoreAxes;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.numeric.Workers;

/**
 * Shifts the scores of many classes to one level: after the shift, the r-th highest score over the rows is equal for
 * all classes. A class learned against a thousand others may have high or low scores on all rows; only the order of
 * the rows is reliable.
 *
 * <p>The shifts, whose mean is 0, are added to the intercepts and cost nothing in prediction. Classes should have
 * about equal numbers of rows, and r should be a good part of that number: by default 0.4 of the mean, like the 500
 * of 1261 in the experiment that introduced the rule.
 *
 * <p>Memory: 8·r bytes per class. Cost: that of scoring the rows.
 */
public final class ScoreLevels {
    private static final double DEFAULT_SHARE = 0.4;

    private final int rank;
    private final List<Highest> classes = new ArrayList<>();
    private long rows;

    private ScoreLevels(int outputs, int rank) {
        this.rank = rank;
        for (int o = 0; o < outputs; o++) {
            classes.add(new Highest(rank));
        }
    }

    /**
     * Returns the model with its scores shifted to one level.
     *
     * @param rank r; 0 for 0.4 times the mean number of rows per class
     */
    static KernelModel level(KernelModel model, RowSource source, int rank, Workers workers, Progress progress) {
        ModelAccess.parts(model).requireOneStage("quantile");
        LinearModel linear = ModelAccess.parts(model).requireLinear();
        int chosen = rank == 0 ? defaultRank(source, linear.outputs()) : rank;
        requireMemory(linear.outputs(), chosen);
        ScoreLevels levels = new ScoreLevels(linear.outputs(), chosen);
        model.score(source, workers, progress, levels::add);
        double[] intercepts = levels.shifted(linear, source.name());
        LinearModel shifted = linear.withCalibrated(intercepts);
        ScoreAxes axes = ModelAccess.parts(model).axes();
        // Probabilities of a loss do not hold for shifted scores.
        return ModelAccess.model(ModelAccess.parts(model)
                .withMap(model.map(), shifted, model.training())
                .withAxes(axes == null ? null : axes.shifted(difference(intercepts, linear)))
                .withCalibration(null));
    }

    private static double[] difference(double[] intercepts, LinearModel before) {
        double[] difference = intercepts.clone();
        Arrays.setAll(difference, o -> intercepts[o] - before.intercept(o));
        return difference;
    }

    private static int defaultRank(RowSource source, int outputs) {
        long rank = Math.round(DEFAULT_SHARE * RowCount.of(source) / outputs);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, rank));
    }

    private static void requireMemory(int outputs, int rank) {
        String scores = "quantile: the " + rank + " highest scores of " + outputs + " classes";
        MemoryBudget.kept().require(8.0 * outputs * rank, scores, "use a smaller rank");
    }

    private void add(RowBlock block, double[] scores) {
        int outputs = classes.size();
        for (int i = 0; i < block.rows(); i++) {
            if (block.rowWeight(i) > 0) {
                rows++;
                for (int o = 0; o < outputs; o++) {
                    classes.get(o).add(scores[i * outputs + o]);
                }
            }
        }
    }

    private double[] shifted(LinearModel linear, String name) {
        if (rows < rank) {
            throw new BochnerException(
                    "quantile: rank " + rank + " is above the number of rows of " + name + ", " + rows);
        }
        double mean = classes.stream().mapToDouble(Highest::least).average().orElseThrow();
        double[] intercepts = new double[classes.size()];
        for (int o = 0; o < intercepts.length; o++) {
            intercepts[o] = linear.intercept(o) + mean - classes.get(o).least();
        }
        return intercepts;
    }

    /** The highest numbers of a sequence, in a heap whose root is the smallest of them. */
    private static final class Highest {
        private final double[] heap;
        private int size;

        Highest(int count) {
            heap = new double[Require.atLeast("quantile", "rank", count, 1)];
        }

        double least() {
            return heap[0];
        }

        void add(double value) {
            if (size == heap.length) {
                if (value > heap[0]) {
                    sink(value);
                }
                return;
            }
            heap[size++] = value;
            if (size == heap.length) {
                // An ascending array is a heap.
                Arrays.sort(heap);
            }
        }

        /** Replaces the root by a value. */
        private void sink(double value) {
            int at = 0;
            for (int child = 1; child < heap.length; child = 2 * at + 1) {
                if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                    child++;
                }
                if (heap[child] >= value) {
                    break;
                }
                heap[at] = heap[child];
                at = child;
            }
            heap[at] = value;
        }
    }
}
