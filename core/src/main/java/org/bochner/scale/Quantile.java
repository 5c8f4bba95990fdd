package org.bochner.scale;

import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.random.law.Laws;
import org.bochner.scale.fit.ColumnAccumulator;
import org.bochner.scale.fit.QuantileSketch;

/**
 * Gives every column a normal distribution: a value becomes Φ⁻¹(q), where q is the share of the rows below it plus half the
 * share of the rows that have it. Only the order of the values counts, so outliers and long tails do no harm. A constant
 * column becomes 0. Between the {@value #KNOTS} values that are kept per column, about, results are interpolated linearly;
 * values beyond the smallest and the largest one get their results, at most ±{@value #FARTHEST}. Sparse rows become dense.
 *
 * <p>Accuracy: columns with at most {@value #KNOTS} different values are exact. Otherwise q is within 1.5·π/{@value #KNOTS} of
 * its exact value in the middle of the distribution, and closer near its ends.
 */
record Quantile() implements LearnedScaling {
    static final int KNOTS = 256;

    /** Φ⁻¹(1 − 1e-7), about. */
    static final double FARTHEST = 5.2;

    @Override
    public boolean needsQuantiles() {
        return true;
    }

    @Override
    public AbstractScaler scaler(ColumnAccumulator seen, int from, int to) {
        double[][] knots = new double[to - from][];
        double[][] scores = new double[to - from][];
        IntStream.range(from, to).forEach(j -> {
            QuantileSketch.Levels kept = seen.levels(j, KNOTS);
            knots[j - from] = kept.values();
            double[] levels = kept.levels();
            scores[j - from] = IntStream.range(0, levels.length)
                    .mapToDouble(k -> Math.max(-FARTHEST, Math.min(FARTHEST, Laws.gaussianQuantile(levels[k]))))
                    .toArray();
        });
        return new QuantileScaler(this, knots, scores);
    }

    @Override
    public Scaler load(State state) {
        return QuantileScaler.load(this, state);
    }

    @Override
    public String toString() {
        return "quantile";
    }
}
