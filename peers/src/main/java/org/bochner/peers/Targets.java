package org.bochner.peers;

import java.util.Arrays;

/**
 * Numbers to predict, brought to the mean 0 and the variance 1, as penalties of fixed size need them.
 *
 * @param mean the mean of the numbers
 * @param deviation their standard deviation; 1 if all are equal
 */
record Targets(double mean, double deviation) {
    /** Leaves classes as they are. */
    static final Targets UNCHANGED = new Targets(0, 1);

    static Targets of(double[] numbers) {
        double mean = Arrays.stream(numbers).average().orElse(0);
        double variance = Arrays.stream(numbers)
                .map(number -> (number - mean) * (number - mean))
                .average()
                .orElse(0);
        return new Targets(mean, variance > 0 ? Math.sqrt(variance) : 1);
    }

    double[] scaled(double[] numbers) {
        return Arrays.stream(numbers).map(number -> (number - mean) / deviation).toArray();
    }

    double original(double scaled) {
        return mean + deviation * scaled;
    }
}
