package org.bochner.model.evaluate;

/** Sums up how far the probabilities of rows are from what came of them. */
public final class ProbabilityErrors {
    /** Bins of the most probable class's probability. */
    private static final int BINS = 15;
    /** The least probability that counts: none is so sure, and one row must not make all the others not matter. */
    private static final double LEAST = Math.ulp(1.0);

    private final long[] binRows = new long[BINS];
    private final double[] binProbability = new double[BINS];
    private final long[] binCorrect = new long[BINS];
    private long rows;
    private double logarithms;
    private double squares;

    /** Adds a row of a class that the model knows. */
    public void add(ClassRanking order, int classes, int actual, int predicted) {
        rows++;
        logarithms -= Math.log(Math.max(LEAST, order.probability(actual)));
        double sum = 0;
        for (int c = 0; c < classes; c++) {
            double difference = order.probability(c) - (c == actual ? 1 : 0);
            sum += difference * difference;
        }
        // The two terms of two classes are the same, and by custom only one of them counts.
        squares += classes == 2 ? sum / 2 : sum;
        double most = order.probability(predicted);
        int bin = Math.min(BINS - 1, (int) (most * BINS));
        binRows[bin]++;
        binProbability[bin] += most;
        binCorrect[bin] += actual == predicted ? 1 : 0;
    }

    /** The means over the rows. */
    public record Result(double logLoss, double brier, double calibrationError) {}

    public Result result() {
        double gap = 0;
        for (int b = 0; b < BINS; b++) {
            gap += Math.abs(binCorrect[b] - binProbability[b]);
        }
        return new Result(logarithms / rows, squares / rows, gap / rows);
    }
}
