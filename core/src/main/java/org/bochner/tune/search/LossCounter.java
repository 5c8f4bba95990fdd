package org.bochner.tune.search;

import java.util.function.IntUnaryOperator;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.random.Seed;

/** Sums the losses of held-out rows over blocks. Threads: not safe. */
public final class LossCounter {
    private final Measure measure;
    private final OutputCoding coding;
    private final double[] factors;
    private final Seed blocks;
    private final double[] sums = new double[Losses.BLOCKS];
    private final double[] squares = new double[Losses.BLOCKS];
    private final double[] rows = new double[Losses.BLOCKS];

    /**
     * Creates a counter.
     *
     * @param classCounts the rows of each class in the sample, for errors that weight all classes equally; empty for numbers
     * @param seed the seed of the blocks
     */
    public LossCounter(Measure measure, Labels labels, long[] classCounts, Seed seed) {
        this.measure = measure;
        coding = OutputCoding.of(labels);
        blocks = seed.derive("blocks");
        factors = new double[classCounts.length];
        double all = 0;
        int present = 0;
        for (long count : classCounts) {
            all += count;
            present += count > 0 ? 1 : 0;
        }
        for (int c = 0; c < factors.length; c++) {
            factors[c] = measure == Measure.BALANCED_ERROR && classCounts[c] > 0 ? all / (present * classCounts[c]) : 1;
        }
    }

    /**
     * Adds a block of rows.
     *
     * @param scores the scores of the rows, rows×outputs
     * @param classOf returns the index of the predicted class of a row of the block
     */
    public void add(RowBlock block, double[] scores, IntUnaryOperator classOf) {
        int outputs = coding.count();
        for (int i = 0; i < block.rows(); i++) {
            int b = (int) Long.remainderUnsigned(blocks.derive(block.group(i)).value(), Losses.BLOCKS);
            double squared = 0;
            double absolute = 0;
            for (int o = 0; o < outputs; o++) {
                double error = scores[i * outputs + o] - coding.target(block, i, o);
                squared += error * error / outputs;
                absolute += Math.abs(error) / outputs;
            }
            rows[b]++;
            squares[b] += squared;
            sums[b] += switch (measure) {
                case RMSE -> squared;
                case MAE -> absolute;
                case ERROR, BALANCED_ERROR -> wrong(block.target(i, 0), classOf.applyAsInt(i));
            };
        }
    }

    private double wrong(double target, int predicted) {
        return (int) target == predicted ? 0 : factors[(int) target];
    }

    /** Returns the losses of the rows so far. */
    public Losses losses() {
        return new Losses(sums, squares, rows);
    }
}
