package org.bochner.numeric.optimise;

import java.util.Objects;
import org.bochner.base.Require;
import org.bochner.numeric.optimise.Minimum.End;
import org.bochner.numeric.optimise.Walk.Place;
import org.jspecify.annotations.Nullable;

/**
 * Minimises a differentiable function by the limited-memory BFGS method.
 *
 * <p>It is made for expensive functions of at most a few hundred variables; most first trials are accepted. The line
 * search uses the weak Wolfe conditions: a decrease of at least 10⁻⁴ of the linear prediction, and a slope of at most
 * 0.9 of the first slope. It brackets the minimum and tries the minimum of the cubic through two values and slopes. If
 * the function has no value at a trial, the step is shortened. Close to the minimum, where values differ by rounding
 * only, slopes decide (Hager and Zhang's approximate Wolfe conditions), so the gradient can be reduced to rounding and
 * not only to its square root.
 *
 * <p>Deterministic. Cost per iteration: one evaluation, rarely two, and {@code 4·memory·n} operations.
 *
 * <p>Threads: immutable; the function and the monitor are called on the calling thread.
 *
 * <p>Reference: D. Liu and J. Nocedal, On the limited memory BFGS method for large scale optimization, Mathematical
 * Programming 45 (1989), doi:10.1007/BF01589116.
 */
public record Lbfgs(DescentOptions options) {
    private static final String OWNER = "Lbfgs";

    /** The share of the predicted decrease that is sufficient. */
    private static final double DECREASE = 1e-4;

    /** The share of the first slope that may remain. */
    private static final double SLOPE = 0.9;

    /** The largest number of trials per line search, enough to step back from any first trial. */
    private static final int TRIALS = 40;

    public Minimum minimize(SmoothFunction function, double... start) {
        return minimize(function, start, DescentMonitor.NONE);
    }

    /**
     * Minimises a function and returns the best point found.
     *
     * @throws org.bochner.base.BochnerException if the function has no value or no gradient at the start
     */
    public Minimum minimize(SmoothFunction function, double[] start, DescentMonitor monitor) {
        Require.atLeast(OWNER, "size of the start", start.length, 1);
        Walk walk = new Walk(OWNER, options, monitor);
        Curvature curvature = new Curvature(options.memory());
        Place first = evaluate(function, start.clone(), walk);
        walk.requireStart(first);
        Place place = first;
        End end = walk.arrived(place);
        while (end == null) {
            double[] direction = direction(place, curvature, walk);
            Place next = new Line(function, place, direction, walk, Vectors.dot(place.gradient(), direction))
                    .search(options.largestMove());
            if (next != null) {
                curvature.add(
                        Vectors.difference(next.point(), place.point()),
                        Vectors.difference(next.gradient(), place.gradient()));
                place = next;
                end = walk.arrived(place);
            } else if (curvature.isEmpty()) {
                end = walk.stuck();
            } else {
                curvature.reset(1);
            }
        }
        return walk.minimum(first, end);
    }

    private static Place evaluate(SmoothFunction function, double[] point, Walk walk) {
        double[] gradient = new double[point.length];
        double value = function.at(point, gradient);
        walk.evaluated();
        return new Place(point, gradient, value, Vectors.maxNorm(gradient));
    }

    private static double[] direction(Place place, Curvature curvature, Walk walk) {
        double[] direction = place.gradient().clone();
        if (!curvature.isEmpty()) {
            curvature.inverseTimes(direction);
            Vectors.scale(-1, direction);
            if (Vectors.dot(direction, place.gradient()) < 0) {
                return direction;
            }
            // Rounding made the direction point uphill.
            curvature.reset(1);
            direction = place.gradient().clone();
        }
        Vectors.scale(-walk.firstStep(place), direction);
        return direction;
    }

    /** The function along a line. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Line(SmoothFunction function, Place origin, double[] direction, Walk walk, double slope) {
        private record Trial(double step, Place place, double slope) {}

        /**
         * Returns a place that satisfies the Wolfe conditions, or at least the decrease condition; null if there is
         * none.
         */
        @Nullable
        Place search(double largestMove) {
            double largest = largestMove / Vectors.maxNorm(direction);
            double step = Math.min(1, largest);
            double ceiling = Double.POSITIVE_INFINITY;
            Trial low = new Trial(0, origin, slope);
            Trial high = null;
            for (int i = 0; i < TRIALS; i++) {
                Trial trial = trial(step);
                if (!trial.place.exists()) {
                    ceiling = step;
                    high = null;
                    step = low.step + 0.25 * (ceiling - low.step);
                } else if (!decreasesEnough(trial)) {
                    ceiling = step;
                    high = trial;
                    step = between(low, high);
                } else if (trial.slope < SLOPE * slope && step < largest) {
                    step = ceiling == Double.POSITIVE_INFINITY
                            ? Math.min(largest, beyond(low, trial))
                            : high == null ? 0.5 * (step + ceiling) : between(trial, Objects.requireNonNull(high));
                    low = trial;
                } else {
                    return trial.place;
                }
                if (ceiling < Double.POSITIVE_INFINITY && walk.isNothing(origin, (ceiling - low.step) * slope)) {
                    break;
                }
            }
            return low.step > 0 ? low.place : null;
        }

        private Trial trial(double step) {
            double[] point = origin.point().clone();
            Vectors.add(step, direction, point);
            Place place = evaluate(function, point, walk);
            return new Trial(step, place, Vectors.dot(place.gradient(), direction));
        }

        private boolean decreasesEnough(Trial trial) {
            double value = trial.place.value();
            return value <= origin.value() + DECREASE * trial.step * slope
                    || (value <= origin.value() + Walk.ROUNDING * Math.abs(origin.value())
                            && trial.slope <= (2 * DECREASE - 1) * slope);
        }

        /**
         * Returns the minimum of the cubic, kept away from the ends so that the bracket shrinks by at least a tenth.
         */
        private static double between(Trial low, Trial high) {
            double width = high.step - low.step;
            double part = (cubic(low, high) - low.step) / width;
            return low.step + width * (Double.isNaN(part) ? 0.5 : Math.max(0.1, Math.min(0.9, part)));
        }

        /** Returns the minimum of the cubic through the last two trials, limited to 2 to 10 times the last step. */
        private static double beyond(Trial before, Trial last) {
            double step = cubic(before, last);
            // With NaN, for a cubic without a minimum, this form takes the longest step.
            return step < 2 * last.step ? 2 * last.step : step < 10 * last.step ? step : 10 * last.step;
        }

        /** Returns the minimum of the cubic through two values and slopes; NaN if there is none. */
        private static double cubic(Trial a, Trial b) {
            double width = b.step - a.step;
            double d1 = a.slope + b.slope - 3 * (b.place.value() - a.place.value()) / width;
            double d2 = Math.sqrt(d1 * d1 - a.slope * b.slope);
            return b.step - width * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
        }
    }
}
