package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.map.layout.Penalty;
import org.bochner.stats.FeatureSource;

/**
 * Converts between features and whitened features, whose penalty is the plain one. Does nothing if the penalty of the
 * features is plain.
 *
 * <p>Threads: not safe.
 */
final class Whitening {
    /** The number of rows that are whitened together, and from which the trace is estimated. */
    private static final int TOGETHER = 256;

    private final FeatureSource source;
    private final Penalty penalty;
    private final int outputs;
    private double trace = Double.NaN;

    Whitening(FeatureSource source, Penalty penalty, int outputs) {
        this.source = source;
        this.penalty = penalty;
        this.outputs = outputs;
    }

    /** Returns true if the penalty of the features is plain. */
    boolean plain() {
        return penalty.plain();
    }

    /** Converts the weights of features, D×outputs, row-major, to those of whitened features, in place. */
    void whitenWeights(double[] weights, int[] chosen) {
        for (int output : chosen) {
            penalty.whitenWeights(weights, output, outputs);
        }
    }

    /** Converts a gradient by the weights of features to one by those of whitened features, in place. */
    void whitenGradient(double[] gradient, int[] chosen) {
        penalty.whitenColumns(gradient, source.features(), outputs, chosen);
    }

    /** Returns a point with the weights of the features themselves, for the chosen outputs. */
    double[] unwhitened(double[] point, int[] chosen) {
        if (plain()) {
            return point;
        }
        double[] weights = point.clone();
        for (int output : chosen) {
            penalty.unwhiten(weights, output, outputs);
        }
        return weights;
    }

    /** Replaces centred rows of features, one after the other at a distance, by whitened ones. */
    void whiten(float[] rows, int count, int stride) {
        if (plain()) {
            return;
        }
        int features = source.features();
        int strip = Math.max(1, Math.min(count, TOGETHER));
        double[] part = new double[Math.multiplyExact(strip, features)];
        for (int from = 0; from < count; from += strip) {
            int height = Math.min(strip, count - from);
            for (int i = 0; i < height; i++) {
                for (int j = 0; j < features; j++) {
                    part[i * features + j] = rows[(from + i) * stride + j];
                }
            }
            penalty.whiten(part, 0, height);
            for (int i = 0; i < height; i++) {
                for (int j = 0; j < features; j++) {
                    rows[(from + i) * stride + j] = (float) part[i * features + j];
                }
            }
        }
    }

    /** Returns the sum of the squared lengths of the centred rows, whitened if the penalty asks for it. */
    double scatterTrace() {
        if (plain()) {
            return source.scatterTrace();
        }
        if (Double.isNaN(trace)) {
            trace = measureTrace();
        }
        return trace;
    }

    /** Estimates the trace from a few rows at equal distances. */
    private double measureTrace() {
        int features = source.features();
        int count = (int) Math.min(source.rows(), TOGETHER);
        long[] chosen = new long[count];
        Arrays.setAll(chosen, k -> source.rows() * k / count);
        SampledRows sample = new SampledRows(source, chosen, features);
        sample.read(source, (row, k) -> {});
        whiten(sample.rows, count, features);
        double sum = 0;
        for (int i = 0; i < sample.rows.length; i++) {
            sum += sample.weights[i / features] * sample.rows[i] * sample.rows[i];
        }
        double total = Arrays.stream(sample.weights).sum();
        return total > 0 ? sum * source.totalRowWeight() / total : 0;
    }
}
