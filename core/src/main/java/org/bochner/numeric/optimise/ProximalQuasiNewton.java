package org.bochner.numeric.optimise;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.numeric.optimise.Minimum.End;
import org.bochner.numeric.optimise.Walk.Place;
import org.jspecify.annotations.Nullable;

/**
 * Minimises f + g, where f is differentiable and expensive, and g is convex and cheap: a penalty with kinks or a
 * constraint.
 *
 * <p>Each iteration replaces f by its quadratic model with the limited-memory BFGS matrix B and minimises {@code ∇fᵀ(v
 * − x) + ½(v − x)ᵀB(v − x) + g(v)} by spectral proximal gradients, which need products with B but no evaluation of f.
 * It then goes from x towards this minimum, all the way if f + g decreases enough (Armijo). If g is the indicator of a
 * set, the method is projected quasi-Newton (PQN). At the minimum the proximal step {@code x − prox(x − ∇f, 1)} is
 * zero; its largest absolute entry is reported and used for stopping.
 *
 * <p>Coordinates that g makes zero are exactly zero in the result. All points satisfy the constraints, because the
 * start is projected. Deterministic. Cost per iteration: one evaluation of f, rarely two, and up to 300 products of
 * {@code 4·memory·n} operations.
 *
 * <p>Threads: immutable; the function and the monitor are called on the calling thread.
 *
 * <p>Reference: M. Schmidt, E. van den Berg, M. Friedlander and K. Murphy, Optimizing costly functions with simple
 * constraints: a limited-memory projected quasi-Newton algorithm, AISTATS 2009; J. Lee, Y. Sun and M. Saunders,
 * Proximal Newton-type methods for minimizing composite functions, SIAM J. Optim. 24 (2014), doi:10.1137/130921428.
 */
public record ProximalQuasiNewton(DescentOptions options) {
    private static final String OWNER = "ProximalQuasiNewton";

    /** The share of the predicted decrease that is sufficient. */
    private static final double DECREASE = 1e-4;

    /** The largest number of trials per direction. */
    private static final int TRIALS = 40;

    /**
     * Minimises f + g and returns the best point found. A start that violates a constraint is first projected.
     *
     * @throws org.bochner.base.BochnerException if the function has no value or no gradient at the start
     */
    public Minimum minimize(SmoothFunction function, ConvexTerm term, double[] start, DescentMonitor monitor) {
        Require.atLeast(OWNER, "size of the start", start.length, 1);
        return new Descent(function, term, new Walk(OWNER, options, monitor)).from(start);
    }

    /** One minimisation. */
    private final class Descent {
        private final SmoothFunction function;
        private final ConvexTerm term;
        private final Walk walk;
        private final Curvature curvature = new Curvature(options.memory());

        Descent(SmoothFunction function, ConvexTerm term, Walk walk) {
            this.function = function;
            this.term = term;
            this.walk = walk;
        }

        Minimum from(double[] start) {
            double[] point = start.clone();
            if (!Vectors.finite(term.value(point))) {
                // The shortest step projects the start and leaves a finite penalty out; a step of length 0 may not be
                // allowed.
                term.proximal(point, Double.MIN_NORMAL, point);
            }
            Place first = evaluate(point);
            walk.requireStart(first);
            Place place = first;
            double length = walk.firstStep(first);
            curvature.reset(1 / length);
            boolean known = false;
            End end = walk.arrived(place);
            while (end == null) {
                double[] goal = new SpectralDescent(place, term, curvature, new double[start.length]).minimum();
                double largest =
                        known ? options.largestMove() : Math.min(options.largestMove(), options.largestFirstMove());
                Place next = new Segment(place, goal).search(largest);
                if (next != null) {
                    if (curvature.add(
                            Vectors.difference(next.point(), place.point()),
                            Vectors.difference(next.gradient(), place.gradient()))) {
                        known = true;
                    } else if (!known) {
                        // f is not convex here; the only information is that longer steps may work.
                        length *= 2;
                        curvature.reset(1 / length);
                    }
                    place = next;
                    end = walk.arrived(place);
                } else if (curvature.isEmpty()) {
                    end = walk.stuck();
                } else {
                    known = false;
                    length = walk.firstStep(place);
                    curvature.reset(1 / length);
                }
            }
            return walk.minimum(first, end);
        }

        private Place evaluate(double[] point) {
            double[] gradient = new double[point.length];
            double value = function.at(point, gradient) + term.value(point);
            walk.evaluated();
            return new Place(point, gradient, value, stationarity(term, point, gradient));
        }

        /** The segment from a place to the minimum of the model. */
        private final class Segment {
            private final Place origin;
            private final double[] goal;
            private final double move;

            /**
             * The predicted decrease of the full step, from the slope of f and the change of g; negative except for
             * rounding.
             */
            private final double promise;

            Segment(Place origin, double[] goal) {
                this.origin = origin;
                this.goal = goal;
                double[] step = Vectors.difference(goal, origin.point());
                this.move = Vectors.maxNorm(step);
                this.promise = Vectors.dot(origin.gradient(), step) + term.value(goal) - term.value(origin.point());
            }

            @Nullable
            Place search(double largestMove) {
                if (!(promise < rounding(origin))) {
                    return null;
                }
                double part = Math.min(1, largestMove / move);
                for (int i = 0; i < TRIALS; i++) {
                    Place trial = evaluate(mixed(part, goal, origin.point()));
                    if (trial.exists() && accepts(trial, part)) {
                        return trial;
                    }
                    if (walk.isNothing(origin, part * promise)) {
                        return null;
                    }
                    part *= trial.exists() ? shorter(trial, part) : 0.25;
                }
                return null;
            }

            private boolean accepts(Place trial, double part) {
                if (trial.value() <= origin.value() + DECREASE * part * promise) {
                    return true;
                }
                // If values differ by rounding only, the measure of optimality decides.
                return trial.value() <= origin.value() + rounding(origin) && trial.norm() < origin.norm();
            }

            /**
             * Returns the vertex of the parabola through the value and the predicted decrease at the origin and the
             * trial's value.
             */
            private double shorter(Place trial, double part) {
                double excess = trial.value() - origin.value() - part * promise;
                return Math.max(0.1, Math.min(0.5, -part * promise / (2 * excess)));
            }
        }
    }

    /**
     * Returns a point between {@code point} and {@code goal}: exactly the goal at 1, and inside every convex set with
     * both.
     */
    private static double[] mixed(double part, double[] goal, double[] point) {
        double[] mixed = goal.clone();
        if (part < 1) {
            Vectors.scale(part, mixed);
            Vectors.add(1 - part, point, mixed);
        }
        return mixed;
    }

    /** Returns the size of differences between values that are rounding only. */
    private static double rounding(Place place) {
        return Walk.ROUNDING * Math.abs(place.value());
    }

    /** Returns the largest absolute entry of x − prox(x − gradient, 1). */
    private static double stationarity(ConvexTerm term, double[] point, double[] gradient) {
        double[] step = Vectors.difference(point, gradient);
        term.proximal(step, 1, step);
        return Vectors.maxNorm(Vectors.difference(point, step));
    }

    /**
     * Minimises the quadratic model by spectral proximal gradients with Barzilai–Borwein step lengths and a nonmonotone
     * line search, which compares with the largest of the last values.
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record SpectralDescent(Place origin, ConvexTerm term, Curvature curvature, double[] product) {
        /** The largest number of steps. */
        private static final int STEPS = 300;

        /** The model is solved until its measure of optimality is this share of the outer one. */
        private static final double PRECISION = 1e-3;

        /** The number of last values in the nonmonotone line search. */
        private static final int RECENT = 5;

        double[] minimum() {
            double[] point = origin.point().clone();
            double[] gradient = origin.gradient().clone();
            double value = term.value(point);
            double[] best = point;
            double bestValue = value;
            double[] recent = new double[RECENT];
            Arrays.fill(recent, Double.NEGATIVE_INFINITY);
            recent[0] = value;
            double length = firstLength(gradient);
            for (int i = 1; i <= STEPS; i++) {
                double[] goal = point.clone();
                Vectors.add(-length, gradient, goal);
                term.proximal(goal, length, goal);
                double reference = Arrays.stream(recent).max().orElseThrow() + rounding(origin);
                double[] next = between(point, gradient, goal, reference);
                double[] step = Vectors.difference(next, point);
                double squares = Vectors.dot(step, step);
                if (squares == 0) {
                    break;
                }
                double[] nextGradient = modelGradient(next);
                double curved = Vectors.dot(step, Vectors.difference(nextGradient, gradient));
                length = curved > 0 ? squares / curved : length;
                point = next;
                gradient = nextGradient;
                value = modelValue(point);
                recent[i % RECENT] = value;
                if (value <= bestValue + rounding(origin)) {
                    best = point;
                    bestValue = value;
                }
                if (stationarity(term, point, gradient) <= PRECISION * origin.norm()) {
                    break;
                }
            }
            return best;
        }

        /** Returns the goal, or a point on the way to it, where the model is sufficiently below the reference. */
        private double[] between(double[] point, double[] gradient, double[] goal, double reference) {
            double promise =
                    Vectors.dot(gradient, Vectors.difference(goal, point)) + term.value(goal) - term.value(point);
            for (double part = 1; part > 1e-10; part /= 2) {
                double[] next = mixed(part, goal, point);
                if (modelValue(next) <= reference + DECREASE * part * Math.min(0, promise)) {
                    return next;
                }
            }
            return point;
        }

        /** Returns the reciprocal of the curvature along the gradient. */
        private double firstLength(double[] gradient) {
            curvature.times(gradient, product);
            double squares = Vectors.dot(gradient, gradient);
            double curved = Vectors.dot(gradient, product);
            if (curved > 0 && squares > 0) {
                return squares / curved;
            }
            // The gradient is zero: any length works, and 1 fits the identity.
            return 1;
        }

        private double modelValue(double[] point) {
            double[] step = Vectors.difference(point, origin.point());
            curvature.times(step, product);
            return Vectors.dot(origin.gradient(), step) + 0.5 * Vectors.dot(step, product) + term.value(point);
        }

        private double[] modelGradient(double[] point) {
            double[] gradient = new double[point.length];
            curvature.times(Vectors.difference(point, origin.point()), gradient);
            Vectors.add(1, origin.gradient(), gradient);
            return gradient;
        }
    }
}
