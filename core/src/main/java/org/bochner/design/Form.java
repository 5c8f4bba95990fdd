package org.bochner.design;

/** What a term of a design is in several columns. In one column both forms are the same. */
public enum Form {
    /** cos(ω·z): two features a frequency vector, one for the zero vector; for every signature. */
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
            double phase = 0;
            for (int l = 0; l < columns; l++) {
                phase += w[at + l] * z[from + l];
            }
            return StrictMath.cos(phase);
        }

        @Override
        double slope(double[] w, int at, double[] z, int from, int columns, int column) {
            double phase = 0;
            for (int l = 0; l < columns; l++) {
                phase += w[at + l] * z[from + l];
            }
            return -z[from + column] * StrictMath.sin(phase);
        }
    },

    /**
     * ∏ₗ cos(ωₗzₗ): two features for every ωₗ that is not 0, multiplied; for signatures that are even in every column. As a
     * sum of projections to all (±ω₁, …, ±ω_d), it is a map of the same kind.
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

    /** Features of the term whose frequencies are w[at …]. */
    abstract int dimension(double[] w, int at, int columns);

    /** The term with the frequencies w[at …] at the difference z[from …]. */
    abstract double value(double[] w, int at, double[] z, int from, int columns);

    /** Its derivative in the frequency of a column. */
    abstract double slope(double[] w, int at, double[] z, int from, int columns, int column);
}
