package org.bochner.model.evaluate;

/** Sums of the errors of predicted probabilities. */
public final class ProbabilityErrors {
    /** The number of bins of the predicted class's probability. */
    private static final int BINS = 15;
    /** The smallest probability in the log loss, because a single row must not dominate all others. */
    private static final double LEAST = Math.ulp(1.0);

    private final double[] binProbability = new double[BINS];
    private final long[] binCorrect = new long[BINS];
    private long rows;
    private double logarithms;
    private double squares;

    /** Adds a row of a class that the model knows. */
    public void add(ClassRanking ranking, int classes, int actual, int predicted) {
        rows++;
        logarithms -= Math.log(Math.max(LEAST, ranking.probability(actual)));
        double sum = 0;
        for (int c = 0; c < classes; c++) {
            double difference = ranking.probability(c) - (c == actual ? 1 : 0);
            sum += difference * difference;
        }
        // With two classes both terms are equal, and by convention only one counts.
        squares += classes == 2 ? sum / 2 : sum;
        double most = ranking.probability(predicted);
        int bin = Math.min(BINS - 1, (int) (most * BINS));

        binProbability[bin] += most;
        binCorrect[bin] += actual == predicted ? 1 : 0;
    }

    /** The means of the errors over the rows. */
    public record Result(double logLoss, double brier, double calibrationError) {}

    public Result result() {
        double gap = 0;
        for (int b = 0; b < BINS; b++) {
            gap += Math.abs(binCorrect[b] - binProbability[b]);
        }
        return new Result(logarithms / rows, squares / rows, gap / rows);
    }
}
