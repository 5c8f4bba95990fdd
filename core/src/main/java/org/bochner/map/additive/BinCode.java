package org.bochner.map.additive;

import java.util.Locale;

/**
 * How a value at the place t, from 0 to N, among N bins is written as N numbers: a run of equal numbers, one number
 * that ends it, and zeros.
 *
 * <p>Reference: Maji and Berg, Max-margin additive classifiers for detection, 2009.
 */
public enum BinCode {
    /** t ones, rounded to a whole number, halves up. */
    UNARY {
        @Override
        int end(double place) {
            return (int) Math.round(place);
        }

        @Override
        double last(double place) {
            return 1;
        }
    },
    /** Ones for the bins below t, and the part of the bin that t lies in. */
    PIECEWISE,
    /**
     * 1 − f and f at the two nodes on both sides of t = i + f, so that a linear function of the code interpolates its
     * weights. The node at 0, where functions are 0, is left out.
     */
    SPARSE {
        @Override
        int first(double place) {
            return Math.max(0, (int) place - 1);
        }

        @Override
        double run(double place) {
            return 1 - last(place);
        }
    };

    /** Returns the index of the first number that may differ from zero. */
    int first(double place) {
        return 0;
    }

    /** Returns the index after the last number that differs from zero. */
    int end(double place) {
        return (int) Math.ceil(place);
    }

    /** Returns every number from the first to the one before the last. */
    double run(double place) {
        return 1;
    }

    /** Returns the last number. */
    double last(double place) {
        return place - (end(place) - 1);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
