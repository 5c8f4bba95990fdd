package org.bochner.kernel.tree;

import org.bochner.base.Require;

/**
 * How kernel values are left out or approximated, in units of k(x, x).
 *
 * @param kind the method
 * @param level the threshold or the tolerance
 */
public record TreeForm(Kind kind, double level) {
    /** The methods. */
    public enum Kind {
        /** Values below the threshold count as 0; the others are stored. */
        THRESHOLD("threshold"),
        /** No value is stored; in products, each differs from the exact value by at most the tolerance. */
        PRODUCTS("tolerance");

        private final String parameter;

        Kind(String parameter) {
            this.parameter = parameter;
        }

        /** Returns the name of the level. */
        public String parameter() {
            return parameter;
        }
    }

    /** The smallest tolerance, well above the rounding of sums. */
    private static final double LEAST_TOLERANCE = 1e-13;

    public TreeForm {
        double least = kind == Kind.THRESHOLD ? 0 : LEAST_TOLERANCE;
        Require.that(
                level >= least && level < 1,
                "none",
                kind.parameter() + " must be at least " + (least == 0 ? "0" : "1e-13") + " and less than 1, got "
                        + level);
    }
}
