package org.bochner.tune.scales;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.numeric.optimise.ConvexTerm;

/**
 * A penalty of scales, added to the criterion: {@code l1·Σ s + l2·Σ s²} over the factors s by which the scales differ
 * from their initial values. For frequencies it is {@code l2} times the mean squared distance from the initial
 * frequencies, which keeps them near the kernel's spectrum. A positive l1 sets factors to 0, which drops their
 * columns. The scale prior adds {@code scalePrior·Σ (log s)²}, which keeps scales near their initial values.
 *
 * @param l1 the factor of Σ s
 * @param l2 the factor of Σ s²
 * @param scalePrior the factor of Σ (log s)²; 0 unless the coordinates are logarithms of scales
 */
public record ScalePenalty(double l1, double l2, double scalePrior) {
    /** No penalty. */
    public static final ScalePenalty NONE = new ScalePenalty(0, 0);

    public ScalePenalty(double l1, double l2) {
        this(l1, l2, 0);
    }

    public ScalePenalty {
        Require.notNegative("penalty of scales", "scalePrior", scalePrior);
        Require.notNegative("penalty of scales", "l1", l1);
        Require.notNegative("penalty of scales", "l2", l2);
    }

    /** Returns true if the penalty can drop columns. */
    public boolean drops() {
        return l1 > 0;
    }

    /** Returns the smooth part of the penalty at a point, and adds its derivatives to a gradient. */
    double add(double[] point, Parametrization parametrization, double[] gradient) {
        Parametrization.Form form = parametrization.form();
        int count = parametrization.count();
        double sum = 0;
        Require.that(
                scalePrior == 0 || form == Parametrization.Form.LOGARITHM,
                "penalty of scales",
                "scalePrior must be 0 unless logarithms of scales are learned, got " + scalePrior);
        for (int c = 0; scalePrior > 0 && c < count; c++) {
            sum += scalePrior * point[c] * point[c];
            gradient[c] += 2 * scalePrior * point[c];
        }
        if (l2 == 0) {
            return sum;
        }
        double factor = form == Parametrization.Form.VALUE ? l2 / count : l2;
        for (int c = 0; c < count; c++) {
            double s =
                    switch (form) {
                        case LOGARITHM -> Math.exp(point[c]);
                        case FACTOR -> point[c];
                        case VALUE -> point[c] - parametrization.base(c);
                    };
            sum += factor * s * s;
            gradient[c] += 2 * factor * s * (form == Parametrization.Form.LOGARITHM ? s : 1);
        }
        return sum;
    }

    /** Returns l1 times the sum of the first coordinates, which must not be negative. */
    public ConvexTerm.Range corners(int coordinates) {
        double[] factors = new double[coordinates];
        Arrays.fill(factors, l1);
        return new ConvexTerm.Range(0, coordinates, ConvexTerm.nonNegativeL1(factors));
    }
}
