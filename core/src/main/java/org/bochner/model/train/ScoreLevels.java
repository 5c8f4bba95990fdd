package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.linear.LinearModel;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;

/**
 * The rule that brings the scores of many classes to one level: those of every class are shifted so that the r-th
 * highest over the rows is the same for all. A class learned against a thousand others may score high, or low, on all
 * rows; which rows it scores highest is what it knows.
 *
 * <p>The shifts are part of the intercepts afterwards, so that prediction costs nothing more; their mean is 0. Every
 * class should have about as many rows, of which r is to be a good part: by default 0.4 of the mean, as 500 of 1261
 * in the experiment that the rule is from.
 *
 * <p>Memory: r numbers a class, 8 bytes each. Cost: that of scoring the rows.
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
     * The model with its scores brought to one level.
     *
     * @param rank r; 0 for 0.4 times the rows a class
     */
    static KernelModel level(KernelModel model, RowSource source, int rank, Workers workers, Progress progress) {
        LinearModel linear = ModelAccess.parts(model).linear();
        int chosen = rank == 0 ? defaultRank(source, linear.outputs()) : rank;
        requireMemory(linear.outputs(), chosen);
        ScoreLevels levels = new ScoreLevels(linear.outputs(), chosen);
        model.score(source, workers, progress, levels::add);
        LinearModel shifted = linear.withIntercepts(levels.shifted(linear, source.name()));
        return ModelAccess.model(
                ModelParts.of(model.transformer(), shifted, source, model.precision(), model.training()));
    }

    private static int defaultRank(RowSource source, int outputs) {
        long rank = Math.round(DEFAULT_SHARE * DualPass.count(source) / outputs);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, rank));
    }

    private static void requireMemory(int outputs, int rank) {
        MemoryBudget.kept()
                .require(
                        8.0 * outputs * rank,
                        "quantile: the " + rank + " highest scores of " + outputs + " classes",
                        "use a smaller rank");
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

    /** The highest of some numbers: a heap whose root is the least of them. */
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

        /** Puts a value in the place of the root. */
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
