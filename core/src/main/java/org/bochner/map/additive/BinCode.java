package org.bochner.map.additive;

import java.util.Locale;

/**
 * How a value is written that lies at the place t, 0 to N, among N bins of width 1: as a run of equal numbers and one that
 * ends it, the others of the N being zeros.
 *
 * <p>Reference: Maji and Berg, Max-margin additive classifiers for detection, 2009.
 */
public enum BinCode {
    /** Ones, as many as t rounded (half up). */
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
    /** Ones for the bins below t, and its part of the bin it lies in. */
    PIECEWISE,
    /**
     * 1 − f and f at the two nodes that t = i + f lies between, so that a linear function of the code interpolates its
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

    /** Index of the first number that may differ from zero. */
    int first(double place) {
        return 0;
    }

    /** Index after the last number that differs from zero. */
    int end(double place) {
        return (int) Math.ceil(place);
    }

    /** Every number from the first to the one before the last. */
    double run(double place) {
        return 1;
    }

    /** The last number. */
    double last(double place) {
        return place - (end(place) - 1);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
