package org.bochner.learn.solve;

import org.bochner.base.BochnerException;
import org.bochner.learn.linear.Loss;

/**
 * The conjugate form of a loss as a maximum over a dual variable,
 *
 * <pre>{@code w·ℓ(f, y) = max over β of β(y − f) − ε|β| − κβ²/2},</pre>
 *
 * where β, the dual variable of the row, is bounded by its weight w: between 0 and w·y for the hinge, between −w and w
 * for the ε-insensitive loss. For the squared hinge β only has to have the sign of y, and κ = 1/(2w).
 *
 * @param epsilon ε
 * @param signed true if β has the sign of the target
 * @param squared true if κ is above 0 and β is unbounded
 */
public record DualLoss(double epsilon, boolean signed, boolean squared) {
    public static DualLoss of(Loss loss) {
        if (loss instanceof Loss.Hinge) {
            return new DualLoss(0, true, false);
        }
        if (loss instanceof Loss.SquaredHinge) {
            return new DualLoss(0, true, true);
        }
        if (loss instanceof Loss.EpsilonInsensitive insensitive) {
            return new DualLoss(insensitive.epsilon(), false, false);
        }
        throw new BochnerException("dual coordinate descent: is for the hinge, the squared hinge and the"
                + " epsilon-insensitive loss; smooth losses have faster solvers");
    }

    /** Returns advice for problems that are too large for a solver with a dual variable per row. */
    String[] remedies() {
        return new String[] {
            signed ? "use loss=squared-hinge" : "use loss=squared-insensitive, or gamma=10",
            "use solver=stream, which is approximate"
        };
    }

    /** Returns the lower bound of β. */
    public double lower(double target, double weight) {
        if (signed && target > 0) {
            return 0;
        }
        return squared && weight > 0 ? Double.NEGATIVE_INFINITY : -weight;
    }

    /** Returns the upper bound of β. */
    public double upper(double target, double weight) {
        if (signed && target < 0) {
            return 0;
        }
        return squared && weight > 0 ? Double.POSITIVE_INFINITY : weight;
    }

    /** Returns κ of a row with a weight above 0. */
    double ridge(double weight) {
        return squared ? 0.5 / weight : 0;
    }

    /** Returns the β in its bounds that maximises {@code slope·(β − from) − ε|β| − curvature/2·(β − from)²}. */
    double best(double from, double slope, double curvature, double lower, double upper) {
        double best = from + slope / curvature;
        if (epsilon > 0) {
            double shift = epsilon / curvature;
            best = best > shift ? best - shift : Math.min(0, best + shift);
        }
        return Math.max(lower, Math.min(upper, best));
    }
}
