package org.bochner.design;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** Sums of weighted cosines and their errors, by none of the code of designs. */
final class Cosines {
    /** Intervals of a line: a design of 15 dimensions has a grid of 375 differences and measures itself on ten times as many. */
    static final int INTERVALS = 50_000;

    private final double[][] frequencies;
    private final double[] weights;

    private Cosines(double[][] frequencies, double[] weights) {
        this.frequencies = frequencies;
        this.weights = weights;
    }

    /** Of one column. */
    static Cosines of(double[] frequencies, double[] weights) {
        return new Cosines(
                Arrays.stream(frequencies).mapToObj(w -> new double[] {w}).toArray(double[][]::new), weights);
    }

    /** What the map of a design computes: projections. */
    static Cosines of(Design design) {
        Design all = design.projected();
        return new Cosines(
                IntStream.range(0, all.count()).mapToObj(all::frequency).toArray(double[][]::new),
                IntStream.range(0, all.count()).mapToDouble(all::spectralWeight).toArray());
    }

    /** Features of the map: two a cosine, one for the frequency 0. */
    int dimension() {
        return Arrays.stream(frequencies)
                .mapToInt(w -> Arrays.stream(w).allMatch(v -> v == 0) ? 1 : 2)
                .sum();
    }

    double at(double... z) {
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            double phase = 0;
            for (int l = 0; l < z.length; l++) {
                phase += frequencies[j][l] * z[l];
            }
            sum += weights[j] * Math.cos(phase);
        }
        return sum;
    }

    private double error(Target target, double... z) {
        double value = target.signature().applyAsDouble(z.clone());
        return target.weight().applyAsDouble(z) * Math.abs(value - at(z));
    }

    /** The largest weighted error at even differences from 0 to a length. */
    double largest(Target target, double length) {
        double largest = 0;
        for (int i = 0; i <= INTERVALS; i++) {
            largest = Math.max(largest, error(target, length * i / INTERVALS));
        }
        return largest;
    }

    /** The mean weighted error over even intervals. */
    double mean(Target target, double length) {
        double sum = 0;
        for (int i = 0; i < INTERVALS; i++) {
            sum += error(target, length * (i + 0.5) / INTERVALS);
        }
        return sum / INTERVALS;
    }

    /** The largest |weight·(signature − sum)| at even differences from 0 to a length. */
    double largest(DoubleUnaryOperator signature, DoubleUnaryOperator weight, double length) {
        double largest = 0;
        for (int i = 0; i <= INTERVALS; i++) {
            double z = length * i / INTERVALS;
            double error = weight.applyAsDouble(z) * Math.abs(signature.applyAsDouble(z) - at(z));
            largest = Math.max(largest, error);
        }
        return largest;
    }

    /** The largest weighted error at random differences of the box, over ten periods where a column has one. */
    double largestAtRandom(Target target, int points) {
        RandomStream random = new Seed(20).stream();
        double largest = 0;
        for (int i = 0; i < points; i++) {
            double[] z = target.axes().stream()
                    .mapToDouble(axis -> axis.length() * (axis.periodic() ? 20 : 1) * (2 * random.nextUniform() - 1))
                    .toArray();
            largest = Math.max(largest, error(target, z));
        }
        return largest;
    }

    /** The largest error of two columns on even differences, from −length to length and from 0 to length. */
    double largestOfSquare(Target target, double length, int intervals) {
        double[][] cosines = new double[weights.length][];
        double[][] sines = new double[weights.length][];
        for (int j = 0; j < weights.length; j++) {
            double w = frequencies[j][1];
            cosines[j] = new double[intervals + 1];
            sines[j] = new double[intervals + 1];
            for (int k = 0; k <= intervals; k++) {
                cosines[j][k] = Math.cos(w * length * k / intervals);
                sines[j][k] = Math.sin(w * length * k / intervals);
            }
        }
        double largest = 0;
        for (int i = -intervals; i <= intervals; i++) {
            double first = length * i / intervals;
            double[] sums = new double[intervals + 1];
            for (int j = 0; j < weights.length; j++) {
                double c = weights[j] * Math.cos(frequencies[j][0] * first);
                double s = weights[j] * Math.sin(frequencies[j][0] * first);
                for (int k = 0; k <= intervals; k++) {
                    sums[k] += c * cosines[j][k] - s * sines[j][k];
                }
            }
            for (int k = 0; k <= intervals; k++) {
                double value = target.signature().applyAsDouble(new double[] {first, length * k / intervals});
                largest = Math.max(largest, Math.abs(value - sums[k]));
            }
        }
        return largest;
    }
}
