package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;

/** One factor a class, by which the weights of its rows are multiplied. */
public final class ClassWeights {
    private static final ClassWeights NONE = new ClassWeights(new double[0]);

    private final double[] factors;

    private ClassWeights(double[] factors) {
        this.factors = factors;
    }

    /** All classes count as they come. */
    public static ClassWeights none() {
        return NONE;
    }

    /** Every class has the same total weight: rows / (classes · rows of the class). Empty classes get factor 1. */
    public static ClassWeights balanced(long[] counts) {
        double total = Arrays.stream(counts).sum();
        long present = Arrays.stream(counts).filter(c -> c > 0).count();
        double[] factors = new double[counts.length];
        for (int c = 0; c < counts.length; c++) {
            factors[c] = counts[c] == 0 ? 1 : total / (present * (double) counts[c]);
        }
        return new ClassWeights(factors);
    }

    /** The given factors, one a class. */
    public static ClassWeights of(double... factors) {
        for (double factor : factors) {
            Require.positive("class weights", "factor", factor);
        }
        return new ClassWeights(factors.clone());
    }

    /** The factor of a class. */
    public double factor(int label) {
        return factors.length == 0 ? 1 : factors[label];
    }
}
