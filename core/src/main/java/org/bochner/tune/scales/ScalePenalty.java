package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.base.Require;

/**
 * What scales cost beside the criterion, which is 1 without features: {@code l1·Σ s + l2·Σ s²} over the factors by which
 * scales that move together differ from where they started, so that it does not depend on units. Of frequencies it is
 * {@code l2} times the mean squared distance from where they were drawn, which keeps them near the kernel's spectrum. l1
 * brings factors to 0: their columns are dropped.
 *
 * @param l1 on the factors
 * @param l2 on their squares
 */
public record ScalePenalty(double l1, double l2) {
    /** Scales cost nothing. */
    public static final ScalePenalty NONE = new ScalePenalty(0, 0);

    public ScalePenalty {
        Require.notNegative("penalty of scales", "l1", l1);
        Require.notNegative("penalty of scales", "l2", l2);
    }

    /** Whether it brings scales to zero. */
    public boolean drops() {
        return l1 > 0;
    }

    /** The smooth part of the penalty at a point; adds its derivatives. */
    double add(double[] point, Parametrization moves, double[] values, double[] gradient) {
        if (l2 == 0) {
            return 0;
        }
        double sum = 0;
        double each = moves.form() == Parametrization.Form.VALUE ? l2 / moves.count() : l2;
        for (int c = 0; c < moves.count(); c++) {
            switch (moves.form()) {
                case LOGARITHM -> {
                    double square = Math.exp(2 * point[c]);
                    sum += each * square;
                    gradient[c] += 2 * each * square;
                }
                case FACTOR -> {
                    sum += each * point[c] * point[c];
                    gradient[c] += 2 * each * point[c];
                }
                case VALUE -> {
                    double moved = point[c] - moves.base(c);
                    sum += each * moved * moved;
                    gradient[c] += 2 * each * moved;
                }
            }
        }
        return sum;
    }

    /** What a factor costs where it may become 0: l1, one a coordinate. */
    public double[] weights(int coordinates) {
        double[] weights = new double[coordinates];
        Arrays.fill(weights, l1);
        return weights;
    }
}
