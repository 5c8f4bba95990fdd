package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;

/** Factors for the row weights, one per class. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClassWeights(double[] factors) {
    private static final ClassWeights NONE = new ClassWeights(new double[0]);

    /** Returns the factor 1 for every class. */
    public static ClassWeights none() {
        return NONE;
    }

    /**
     * Returns factors that give every class equal total weight: n / (classes · n of the class); 1 for empty classes.
     */
    public static ClassWeights balanced(long[] counts) {
        double total = Arrays.stream(counts).sum();
        long present = Arrays.stream(counts).filter(c -> c > 0).count();
        double[] factors = new double[counts.length];
        for (int c = 0; c < counts.length; c++) {
            factors[c] = counts[c] == 0 ? 1 : total / (present * (double) counts[c]);
        }
        return new ClassWeights(factors);
    }

    /** Returns the given factors, one per class. */
    public static ClassWeights of(double... factors) {
        for (double factor : factors) {
            Require.positive("class weights", "factor", factor);
        }
        return new ClassWeights(factors.clone());
    }

    /** Returns the saved form, which {@link #load} reads. */
    public State state() {
        return State.of("class-weights").with("classes", factors.length).with("factors", factors);
    }

    /** Reads weights from their saved form. */
    public static ClassWeights load(State state) {
        return new ClassWeights(state.array("factors", state.count("classes")));
    }

    /** Returns the factor of a class. */
    public double factor(int label) {
        return factors.length == 0 ? 1 : factors[label];
    }
}
