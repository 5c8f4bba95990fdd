package org.bochner.map.landmark;

import java.util.Arrays;
import java.util.Locale;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Moves landmarks to where they explain most of the kernel: stochastic gradient steps that decrease the sum of the
 * residuals k(x, x) − |φ(x)|² of sampled rows (CKSVD).
 *
 * <p>Each step takes the gradient of a random part of the rows. The steps are those of Adam, with columns in units of
 * their standard deviations, and their length decreases linearly to 0. The residual of a fixed part of the rows is
 * measured ten times, and the landmarks with the least residual are kept; the start is one of them.
 *
 * <p>Kernels of histograms and of logarithms have domains. Their landmarks stay in the range of each column's values.
 *
 * <p>Cost of a step for b = max(256, 2·D) rows of d columns: 2·b·D·d, 3·b·D² and D³/3 operations. The landmarks are
 * dense.
 *
 * <p>Reference: Bo and Sminchisescu, Efficient match kernels between sets of features for visual recognition, 2009.
 */
final class LearnedLandmarks {
    /** The length of the first step of each value, in standard deviations of its column. From 0.03 to 0.3 it matters little. */
    private static final double RATE = 0.1;

    /** The decay of the means of gradients and of squared gradients, which are Adam's usual ones. */
    private static final double MEAN_DECAY = 0.9;

    private static final double SQUARE_DECAY = 0.999;

    private static final int LEAST_BATCH = 256;

    /** How often the residual is measured, and on how many rows at most. */
    private static final int MEASUREMENTS = 10;

    private static final int MOST_MEASURED = 10_000;

    /** Shares of k(x, x) below this one are rounding errors of the residual. */
    private static final double ROUNDING = 1e-12;

    /** Rows whose features are computed together. */
    private static final int STRIP = 256;

    private final Kernel kernel;
    private final RowBlock rows;
    private final RowBlock measured;
    private final double total;
    private final Workers workers;
    private final int columns;
    private final int batch;
    private final double[] deviations;
    private final double[] lowest;
    private final double[] highest;

    private LearnedLandmarks(Kernel kernel, RowBlock rows, int count, Workers workers) {
        this.kernel = kernel;
        this.rows = rows;
        this.workers = workers;
        columns = rows.columns();
        batch = batch(rows.rows(), count);
        measured = rows.rows() <= MOST_MEASURED
                ? rows
                : LandmarkRows.select(rows, Draws.spread(rows.rows(), MOST_MEASURED));
        total = Arrays.stream(LandmarkRows.diagonal(kernel, measured)).sum();
        deviations = new double[columns];
        lowest = new double[columns];
        highest = new double[columns];
        measureColumns();
    }

    private static int batch(int rows, int count) {
        return (int) Math.min(rows, Math.max(LEAST_BATCH, 2L * count));
    }

    /** Returns the bytes of learning landmarks of some columns, without those of the finished map. */
    static double bytes(int columns, int count, int threads) {
        int rows = batch(Integer.MAX_VALUE, count);
        // The landmarks, their gradient, its two means and the best landmarks; the rows of a step.
        return 8.0 * columns * (4.5 * count + rows) + LandmarkResidual.bytes(rows, count, columns, threads);
    }

    /**
     * Learns landmarks.
     *
     * @param start the first landmarks, which are returned if no step decreases the residual, or if k(x, x) is 0 for all
     *     rows
     * @param steps the number of steps
     * @param notes receives the residuals of the start and of the result
     */
    static RowBlock learn(
            Kernel kernel, RowBlock rows, RowBlock start, int steps, Seed seed, Notes notes, Workers workers) {
        if (steps == 0 || start.rows() == 0) {
            return start;
        }
        MapMemory.check(
                LandmarkMap.TYPE,
                "learning " + start.rows() + " landmarks of " + rows.columns() + " columns",
                bytes(rows.columns(), start.rows(), workers.threads()));
        LearnedLandmarks learned = new LearnedLandmarks(kernel, rows, start.rows(), workers);
        return learned.total > 0 ? learned.run(start, steps, seed.stream(), notes) : start;
    }

    private RowBlock run(RowBlock start, int steps, RandomStream stream, Notes notes) {
        int count = start.rows();
        LandmarkResidual residual = new LandmarkResidual(kernel, columns, workers);
        double[] h = new double[Math.multiplyExact(count, columns)];
        read(start, h);
        double[] gradient = new double[h.length];
        double[] mean = new double[h.length];
        double[] square = new double[h.length];
        double[] x = new double[Math.multiplyExact(batch, columns)];
        RowBlock best = start;
        double first = residual(start);
        double least = first;
        long skipped = 0;
        int measurements = Math.min(MEASUREMENTS, steps);
        for (int step = 1, part = 1; step <= steps; step++) {
            read(LandmarkRows.select(rows, Draws.uniform(rows.rows(), batch, stream)), x);
            residual.gradient(x, batch, h, count, gradient);
            skipped += move(h, gradient, mean, square, step, RATE * (1 - (step - 1.0) / steps));
            if (step == (long) part * steps / measurements) {
                part++;
                RowBlock moved = DenseRows.of(count, columns, Vectors.rounded(h));
                double now = residual(moved);
                if (now < least) {
                    least = now;
                    best = moved;
                }
            }
        }
        note(notes, count, steps, skipped, first / total, least / total);
        return best;
    }

    /** Notes the unexplained shares of k(x, x) before and after, and the derivatives that were skipped. */
    private void note(Notes notes, int count, int steps, long skipped, double first, double least) {
        long derivatives = (long) steps * count * columns;
        if (skipped == derivatives) {
            notes.choice(
                    String.format(
                            Locale.ROOT,
                            "%,d landmarks were not learned: all derivatives of the residual overflowed in %,d steps",
                            count,
                            steps),
                    Remedy.advice("scale the rows"));
            return;
        }
        String moved = reason(count, steps, first, least);
        if (skipped == 0) {
            notes.choice(moved);
        } else {
            notes.choice(
                    moved
                            + String.format(
                                    Locale.ROOT,
                                    "; %,d of %,d derivatives overflowed and were skipped",
                                    skipped,
                                    derivatives),
                    Remedy.advice("scale the rows"));
        }
    }

    /** Describes the result by the shares of k(x, x) that the first and the best landmarks do not explain. */
    static String reason(int count, int steps, double first, double least) {
        String landmarks = count == 1 ? "landmark was" : "landmarks were";
        String start = String.format(Locale.ROOT, "%,d %s learned in %,d steps: ", count, landmarks, steps);
        return start
                + (first < ROUNDING
                        ? "the first choice already explains k(x, x) up to rounding"
                        : String.format(
                                Locale.ROOT, "the unexplained share of k(x, x) fell from %.3g to %.3g", first, least));
    }

    /** Moves the landmarks by a step of Adam; returns the number of derivatives that overflow. */
    private int move(double[] h, double[] gradient, double[] mean, double[] square, int step, double rate) {
        double meanShare = 1 - Math.pow(MEAN_DECAY, step);
        double squareShare = 1 - Math.pow(SQUARE_DECAY, step);
        int skipped = 0;
        for (int at = 0; at < h.length; at++) {
            int column = at % columns;
            double slope = gradient[at] * deviations[column];
            // A value whose derivative or its square overflows stays where it is; else its mean square would stay
            // infinite.
            if (!Double.isFinite(slope * slope)) {
                skipped++;
                continue;
            }
            mean[at] = MEAN_DECAY * mean[at] + (1 - MEAN_DECAY) * slope;
            square[at] = SQUARE_DECAY * square[at] + (1 - SQUARE_DECAY) * slope * slope;
            double size = Math.sqrt(square[at] / squareShare);
            if (size > 0) {
                h[at] -= rate * deviations[column] * mean[at] / meanShare / size;
                h[at] = Math.max(lowest[column], Math.min(highest[column], h[at]));
            }
        }
        return skipped;
    }

    /** Returns the sum of the residuals of the measured rows. */
    private double residual(RowBlock landmarks) {
        LandmarkMap map = new LandmarkMap(kernel, landmarks, LandmarkForm.WHITENED, workers);
        int count = landmarks.rows();
        double[] explained = new double[measured.rows()];
        Strips.each(workers, measured.rows(), STRIP, (from, to) -> {
            double[] features = new double[Math.multiplyExact(to - from, count)];
            map.apply(LandmarkRows.range(measured, from, to), features, 0, count);
            for (int i = from; i < to; i++) {
                int at = (i - from) * count;
                explained[i] = Vectors.dot(features, at, features, at, count);
            }
        });
        return total - Arrays.stream(explained).sum();
    }

    /** Measures the deviation of each column, and the range in which its values stay. */
    private void measureColumns() {
        double[] sums = new double[columns];
        Arrays.fill(lowest, Double.POSITIVE_INFINITY);
        Arrays.fill(highest, Double.NEGATIVE_INFINITY);
        double[] row = new double[columns];
        int n = rows.rows();
        for (int i = 0; i < n; i++) {
            rows.copyRow(i, row);
            for (int l = 0; l < columns; l++) {
                sums[l] += row[l] / n;
                lowest[l] = Math.min(lowest[l], row[l]);
                highest[l] = Math.max(highest[l], row[l]);
            }
        }
        for (int i = 0; i < n; i++) {
            rows.copyRow(i, row);
            for (int l = 0; l < columns; l++) {
                deviations[l] += (row[l] - sums[l]) * (row[l] - sums[l]) / n;
            }
        }
        for (int l = 0; l < columns; l++) {
            deviations[l] = Math.sqrt(deviations[l]);
        }
        if (kernel.takesAnyValue()) {
            Arrays.fill(lowest, Double.NEGATIVE_INFINITY);
            Arrays.fill(highest, Double.POSITIVE_INFINITY);
        }
    }

    private void read(RowBlock block, double[] x) {
        double[] row = new double[columns];
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, row);
            System.arraycopy(row, 0, x, i * columns, columns);
        }
    }
}
