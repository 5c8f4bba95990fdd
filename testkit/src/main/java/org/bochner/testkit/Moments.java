package org.bochner.testkit;

import java.util.Arrays;

/**
 * Mean and variance of independent values, with their standard errors.
 *
 * @param count number of values
 * @param mean mean of the values
 * @param variance unbiased sample variance
 * @param kurtosis fourth central moment over the squared variance; 3 for Gaussian values, 1 at least
 */
record Moments(int count, double mean, double variance, double kurtosis) {
    static Moments of(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = 0;
        double fourth = 0;
        for (double value : values) {
            double square = (value - mean) * (value - mean);
            squares += square;
            fourth += square * square;
        }
        double kurtosis = squares == 0 ? 1 : fourth * values.length / (squares * squares);
        return new Moments(values.length, mean, squares / (values.length - 1), kurtosis);
    }

    double errorOfMean() {
        return Math.sqrt(variance / count);
    }

    /** Returns the standard error of the sample variance, √((μ₄ − σ⁴)/n). */
    double errorOfVariance() {
        return variance * Math.sqrt((kurtosis - 1) / count);
    }
}
