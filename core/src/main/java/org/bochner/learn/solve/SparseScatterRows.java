package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.SparseSample;

/**
 * Sampled rows of sparse features Z, A = F(Z − 1z̄ᵀ) with the factors F. The rows are never centred, which would fill
 * them: products take the non-zeros, and one pass over the D means.
 */
final class SparseScatterRows implements ScatterRows {
    /** Rows per strip of products. */
    private static final int STRIP = 64;

    /** Features per panel of transposed products. */
    private static final int PANEL = 2048;

    private final SparseSample sample;
    private final double[] factors;
    private final double[] mean;
    private final Workers workers;

    SparseScatterRows(SparseSample sample, double[] factors, double[] mean, Workers workers) {
        this.sample = sample;
        this.factors = factors;
        this.mean = mean;
        this.workers = workers;
    }

    /** Returns FᵢFⱼ(zᵢ·zⱼ − zᵢ·z̄ − zⱼ·z̄ + z̄·z̄). */
    @Override
    public double[] products() {
        int size = sample.size();
        double[] sums = sample.products(workers);
        double[] withMean = new double[size];
        Arrays.setAll(withMean, k -> sample.dot(k, mean));
        double squared = Vectors.dot(mean, mean);
        for (int i = 0; i < size; i++) {
            for (int j = i; j < size; j++) {
                double centred = sums[i * size + j] - withMean[i] - withMean[j] + squared;
                sums[i * size + j] = factors[i] * factors[j] * centred;
            }
            // Rounding must not make the square of a row that equals the mean negative.
            sums[i * (size + 1)] = Math.max(0, sums[i * (size + 1)]);
        }
        return sums;
    }

    @Override
    public void multiply(double[] in, int outputs, double[] small) {
        double[][] parts = new double[(mean.length + PANEL - 1) / PANEL][];
        Strips.each(workers, mean.length, PANEL, (from, end) -> {
            double[] part = new double[outputs];
            for (int j = from; j < end; j++) {
                Vectors.add(mean[j], in, j * outputs, part, 0, outputs);
            }
            parts[from / PANEL] = part;
        });
        double[] ofMean = new double[outputs];
        for (double[] part : parts) {
            Vectors.add(1, part, ofMean);
        }
        Strips.each(workers, sample.size(), STRIP, (from, end) -> {
            sample.multiply(from, end, in, outputs, small);
            for (int i = from * outputs; i < end * outputs; i++) {
                small[i] = factors[i / outputs] * (small[i] - ofMean[i % outputs]);
            }
        });
    }

    @Override
    public void finish(double[] in, double[] small, int outputs, double shift, double[] out) {
        double[] scaled = new double[small.length];
        double[] total = new double[outputs];
        for (int i = 0; i < small.length; i++) {
            scaled[i] = -factors[i / outputs] * small[i];
            total[i % outputs] += scaled[i];
        }
        Strips.each(workers, mean.length, PANEL, (from, end) -> {
            System.arraycopy(in, from * outputs, out, from * outputs, (end - from) * outputs);
            for (int j = from; j < end; j++) {
                Vectors.add(-mean[j], total, 0, out, j * outputs, outputs);
            }
            sample.addTransposed(from, end, scaled, outputs, out);
            for (int i = from * outputs; i < end * outputs; i++) {
                out[i] /= shift;
            }
        });
    }
}
