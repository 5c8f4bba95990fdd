package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.numeric.optimise.Vectors;

/**
 * Vector arithmetic on the points of an {@link Objective} with one scalar per problem, which lets a method solve all
 * problems side by side.
 */
final class ProblemVectors {
    private final int features;
    private final int outputs;
    private final int[] problemOf;
    private final int count;

    ProblemVectors(Objective objective) {
        features = objective.features();
        outputs = objective.outputs();
        count = objective.problems();
        problemOf = new int[outputs];
        Arrays.setAll(problemOf, objective::problem);
    }

    int count() {
        return count;
    }

    boolean any(boolean[] marked) {
        return outputs(marked).length > 0;
    }

    /** Returns the outputs of the marked problems, ascending. */
    int[] outputs(boolean[] marked) {
        return IntStream.range(0, outputs).filter(o -> marked[problemOf[o]]).toArray();
    }

    /** Returns ⟨a, b⟩ of each problem. */
    double[] dot(double[] a, double[] b) {
        return dot(a, b, features + 1);
    }

    /** Returns ⟨a, b⟩ of each problem over the weights, without the intercepts. */
    double[] dotOfWeights(double[] a, double[] b) {
        return dot(a, b, features);
    }

    private double[] dot(double[] a, double[] b, int rows) {
        double[] sums = new double[outputs];
        for (int j = 0; j < rows; j++) {
            addProducts(a, b, j * outputs, sums);
        }
        double[] dots = new double[count];
        for (int o = 0; o < outputs; o++) {
            dots[problemOf[o]] += sums[o];
        }
        return dots;
    }

    private static void addProducts(double[] a, double[] b, int from, double[] sums) {
        for (int o = 0; o < sums.length; o++) {
            sums[o] += a[from + o] * b[from + o];
        }
    }

    /** Returns the norm of each problem's part. */
    double[] norms(double[] a) {
        return Arrays.stream(dot(a, a)).map(Math::sqrt).toArray();
    }

    /** Writes a + factor·b, with one factor per problem; {@code to} may be a or b. */
    void add(double[] a, double[] factors, double[] b, double[] to) {
        double[] factorOf = new double[outputs];
        Arrays.setAll(factorOf, o -> factors[problemOf[o]]);
        for (int j = 0; j <= features; j++) {
            add(a, factorOf, b, j * outputs, to);
        }
    }

    private static void add(double[] a, double[] factors, double[] b, int from, double[] to) {
        for (int o = 0; o < factors.length; o++) {
            to[from + o] = a[from + o] + factors[o] * b[from + o];
        }
    }

    /** Returns a + factor·b in a new array. */
    double[] sum(double[] a, double factor, double[] b) {
        double[] sum = a.clone();
        Vectors.add(factor, b, sum);
        return sum;
    }

    /** Adds factor·a to the weights, without the intercepts. */
    void addWeights(double factor, double[] a, double[] to) {
        Vectors.add(factor, a, 0, to, 0, features * outputs);
    }

    /** Copies the entries of the marked problems. */
    void copy(double[] from, double[] to, boolean[] marked) {
        for (int j = 0; j <= features; j++) {
            for (int o = 0; o < outputs; o++) {
                if (marked[problemOf[o]]) {
                    to[j * outputs + o] = from[j * outputs + o];
                }
            }
        }
    }
}
