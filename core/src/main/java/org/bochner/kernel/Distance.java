package org.bochner.kernel;

/** The distance that a family's bandwidth measures; a bandwidth taken from the data is a median of it. */
public enum Distance {
    /** Σₗ |xₗ − yₗ|. */
    L1 {
        @Override
        double add(double sum, double difference) {
            return sum + Math.abs(difference);
        }

        @Override
        double finish(double sum) {
            return sum;
        }
    },
    /** √(Σₗ (xₗ − yₗ)²). */
    L2 {
        @Override
        double add(double sum, double difference) {
            return sum + difference * difference;
        }

        @Override
        double finish(double sum) {
            return Math.sqrt(sum);
        }
    };

    /** The sum over columns, with one more column's difference. */
    abstract double add(double sum, double difference);

    /** The distance, from the sum over all columns. */
    abstract double finish(double sum);
}
