package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;

/**
 * Finds the optimal intercepts for zero weights. The point is the start of penalty paths, and its gradient is the scale
 * of residuals.
 *
 * <p>For classes and for the half square, the intercepts follow from the means of the targets. For other losses of
 * numbers they are found by Newton's method with bracketing; its passes read the targets alone.
 */
final class InterceptFit {
    private static final int STEPS = 100;

    private InterceptFit() {}

    static double[] point(Objective objective) {
        double[] point = objective.start();
        int at = objective.features() * objective.outputs();
        double[] intercepts = intercepts(objective, Arrays.copyOfRange(point, at, point.length));
        System.arraycopy(intercepts, 0, point, at, intercepts.length);
        return point;
    }

    private static double[] intercepts(Objective objective, double[] means) {
        OutputCoding outputs = OutputCoding.of(objective.source().labels());
        if (outputs.classes()) {
            double[] best = new double[means.length];
            for (int o = 0; o < best.length; o++) {
                best[o] = forShare(objective, objective.source().targetMean(outputs.target(o)));
            }
            return best;
        }
        return objective.loss() instanceof Loss.HalfSquare ? means : search(objective, means);
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

    private static double[] search(Objective objective, double[] start) {
        int count = start.length;
        double[] at = start.clone();
        double[] low = new double[count];
        double[] high = new double[count];
        Arrays.fill(low, Double.NEGATIVE_INFINITY);
        Arrays.fill(high, Double.POSITIVE_INFINITY);
        double reach = 1;
        for (int step = 0; step < STEPS; step++) {
            Slopes sums = new Slopes(objective, at);
            boolean moved = false;
            for (int o = 0; o < count; o++) {
                if (sums.slope[o] == 0) {
                    continue;
                }
                if (sums.slope[o] > 0) {
                    high[o] = at[o];
                } else {
                    low[o] = at[o];
                }
                double next = at[o] - sums.slope[o] / sums.curvature[o];
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

    /** First and second derivatives by the intercepts. */
    private static final class Slopes {
        private final double[] slope;
        private final double[] curvature;

        private Slopes(int count) {
            slope = new double[count];
            curvature = new double[count];
        }

        Slopes(Objective objective, double[] intercepts) {
            this(intercepts.length);
            Loss.PerScore loss = objective.perScore();
            objective
                    .source()
                    .pass(
                            () -> new Slopes(intercepts.length),
                            (tile, sums) -> {
                                for (int i = 0; i < tile.rows(); i++) {
                                    for (int o = 0; o < intercepts.length; o++) {
                                        double target = objective.target(tile, i, o);
                                        sums.slope[o] += tile.rowWeight(i) * loss.slope(intercepts[o], target);
                                        sums.curvature[o] += tile.rowWeight(i) * loss.curvature(intercepts[o], target);
                                    }
                                }
                            },
                            sums -> {
                                for (int o = 0; o < intercepts.length; o++) {
                                    slope[o] += sums.slope[o];
                                    curvature[o] += sums.curvature[o];
                                    sums.slope[o] = 0;
                                    sums.curvature[o] = 0;
                                }
                            });
        }
    }
}
