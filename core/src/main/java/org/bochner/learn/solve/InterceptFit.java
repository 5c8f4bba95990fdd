package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;

/**
 * Finds the optimal intercepts for zero weights. The point is the start of penalty paths, and its gradient is the scale
 * of residuals.
 *
 * <p>For logistic losses and for squares, the intercepts follow from the means of the targets. For other losses they are
 * found by Newton's method with bracketing; its passes read the targets alone.
 */
final class InterceptFit {
    private static final int STEPS = 100;

    private InterceptFit() {}

    static double[] point(Objective objective) {
        double[] point = objective.start();
        OutputCoding outputs = OutputCoding.of(objective.source().labels());
        int weights = point.length - outputs.count();
        if (outputs.classes() && !(objective.perScore() instanceof Loss.OfResidual)) {
            for (int o = 0; o < outputs.count(); o++) {
                point[weights + o] = forShare(objective, objective.source().targetMean(outputs.target(o)));
            }
        } else if (!(objective.loss() instanceof Loss.HalfSquare)) {
            double[] best = search(objective, Arrays.copyOfRange(point, weights, point.length));
            System.arraycopy(best, 0, point, weights, best.length);
        }
        return point;
    }

    private static double forShare(Objective objective, double share) {
        if (objective.perScore() instanceof Loss.Logistic) {
            // A class without weight would need an infinite intercept; the share is kept away from 0 and 1.
            double least = 0.5 / (1 + objective.source().totalRowWeight());
            double some = Math.max(least, Math.min(1 - least, share));
            return objective.joint() ? Math.log(some) : Math.log(some / (1 - some));
        }
        return 2 * share - 1;
    }

    private static double[] search(Objective objective, double[] at) {
        int count = at.length;
        double[] low = new double[count];
        double[] high = new double[count];
        Arrays.fill(low, Double.NEGATIVE_INFINITY);
        Arrays.fill(high, Double.POSITIVE_INFINITY);
        double reach = 1;
        for (int step = 0; step < STEPS; step++) {
            double[][] sums = derivatives(objective, at);
            boolean moved = false;
            for (int o = 0; o < count; o++) {
                if (sums[0][o] == 0) {
                    continue;
                }
                if (sums[0][o] > 0) {
                    high[o] = at[o];
                } else {
                    low[o] = at[o];
                }
                double next = at[o] - sums[0][o] / sums[1][o];
                if (!(next > low[o] && next < high[o])) {
                    next = high[o] == Double.POSITIVE_INFINITY
                            ? low[o] + reach
                            : low[o] == Double.NEGATIVE_INFINITY ? high[o] - reach : low[o] + (high[o] - low[o]) / 2;
                }
                moved |= Math.abs(next - at[o]) > 1e-14 * (1 + Math.abs(at[o]));
                at[o] = next;
            }
            if (!moved) {
                return at;
            }
            reach *= 2;
        }
        return at;
    }

    /** Returns the first and the second derivatives by the intercepts. */
    private static double[][] derivatives(Objective objective, double[] intercepts) {
        InterceptTask.Derivatives sums =
                objective.source().sum(new InterceptTask(objective.loss(), intercepts.clone()));
        return new double[][] {sums.first(), sums.second()};
    }
}
