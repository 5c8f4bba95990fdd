package org.bochner.design;

/** The form of a design's terms in several columns. In one column both forms are equal. */
public enum Form {
    /** cos(ω·z), for every signature: two features per frequency vector, one for the zero vector. */
    PROJECTION {
        @Override
        int dimension(double[] w, int at, int columns) {
            for (int l = 0; l < columns; l++) {
                if (w[at + l] != 0) {
                    return 2;
                }
            }
            return 1;
        }

        @Override
        double value(double[] w, int at, double[] z, int from, int columns) {
            return StrictMath.cos(phase(w, at, z, from, columns));
        }

        @Override
        double slope(double[] w, int at, double[] z, int from, int columns, int column) {
            return -z[from + column] * StrictMath.sin(phase(w, at, z, from, columns));
        }

        private static double phase(double[] w, int at, double[] z, int from, int columns) {
            double phase = 0;
            for (int l = 0; l < columns; l++) {
                phase += w[at + l] * z[from + l];
            }
            return phase;
        }
    },

    /**
     * ∏ₗ cos(ωₗzₗ), for signatures that are even in every column. The features are products of one pair per ωₗ that is
     * not 0. The term is also the mean of the projections on all (±ω₁, …, ±ω_d).
     */
    MODULATION {
        @Override
        int dimension(double[] w, int at, int columns) {
            int product = 1;
            for (int l = 0; l < columns; l++) {
                product *= w[at + l] == 0 ? 1 : 2;
            }
            return product;
        }

        @Override
        double value(double[] w, int at, double[] z, int from, int columns) {
            double product = 1;
            for (int l = 0; l < columns; l++) {
                product *= w[at + l] == 0 ? 1 : StrictMath.cos(w[at + l] * z[from + l]);
            }
            return product;
        }

        @Override
        double slope(double[] w, int at, double[] z, int from, int columns, int column) {
            double product = -z[from + column] * StrictMath.sin(w[at + column] * z[from + column]);
            for (int l = 0; l < columns; l++) {
                product *= l == column || w[at + l] == 0 ? 1 : StrictMath.cos(w[at + l] * z[from + l]);
            }
            return product;
        }
    };

    /** Returns the number of features of the term with the frequencies w[at …]. */
    abstract int dimension(double[] w, int at, int columns);

    /** Returns the value of the term with the frequencies w[at …] at the difference z[from …]. */
    abstract double value(double[] w, int at, double[] z, int from, int columns);

    /** Returns the derivative of the term with respect to the frequency of a column. */
    abstract double slope(double[] w, int at, double[] z, int from, int columns, int column);
}
