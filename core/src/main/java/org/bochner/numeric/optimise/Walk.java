package org.bochner.numeric.optimise;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.numeric.optimise.Minimum.End;
import org.jspecify.annotations.Nullable;

/** The progress of an optimiser: counts evaluations, keeps the best place and decides when to stop. */
public final class Walk {
    /** Values with a smaller relative difference count as equal, because sums over rows are not more exact. */
    static final double ROUNDING = 1e-14;

    /** A point with its gradient; {@code value} and {@code norm} belong to the whole objective. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Place(double[] point, double[] gradient, double value, double norm) {
        /** Returns true if the value and the gradient are finite. */
        boolean exists() {
            return Vectors.finite(value) && Vectors.finite(norm);
        }
    }

    private final String owner;
    private final DescentOptions options;
    private final DescentMonitor monitor;
    private final double[] recent;
    private @Nullable Place best;
    private int iterations = -1;
    private int evaluations;

    Walk(String owner, DescentOptions options, DescentMonitor monitor) {
        this.owner = owner;
        this.options = options;
        this.monitor = monitor;
        this.recent = new double[options.patience()];
        Arrays.fill(recent, Double.POSITIVE_INFINITY);
    }

    void evaluated() {
        evaluations++;
    }

    void requireStart(Place start) {
        if (!start.exists()) {
            throw new BochnerException(owner + ": at the start the function is " + start.value()
                    + " and its largest derivative " + start.norm() + "; both must be finite: start elsewhere");
        }
    }

    /** Records the start or the end of an iteration; returns the reason to end there, or null to continue. */
    @Nullable
    End arrived(Place place) {
        iterations++;
        if (best == null || place.value() <= best.value() + ROUNDING * Math.abs(best.value())) {
            best = place;
        }
        boolean goOn = monitor.goOn(iterations, place.value(), place.point(), place.norm());
        if (place.norm() <= options.gradientTolerance()) {
            return End.GRADIENT;
        }
        int slot = iterations % recent.length;
        double before = recent[slot];
        recent[slot] = place.value();
        if (options.tolerance() > 0 && before - place.value() < options.tolerance() * Math.abs(place.value())) {
            return End.DECREASE;
        }
        if (iterations >= options.iterations()) {
            return End.ITERATIONS;
        }
        return goOn ? null : End.STOPPED;
    }

    /**
     * Returns the reason to end after a line search without success. A line search fails when the remaining decrease is
     * below the tolerance. If not even a first step was found, the gradient may be wrong, and the result does not count
     * as converged.
     */
    End stuck() {
        return options.tolerance() > 0 && iterations > 0 ? End.DECREASE : End.NO_SMALLER;
    }

    /** Returns true if a predicted decrease is below the tolerance or below double precision. */
    boolean isNothing(Place place, double decrease) {
        return Math.abs(decrease) <= Math.max(options.tolerance(), 1e-17) * Math.abs(place.value());
    }

    /**
     * Returns the first step along the negative gradient, as a multiple of it. Most objectives here are not negative;
     * the vertex of a parabola that touches zero lies 2·value/slope away. The step does not change if value and
     * gradient are scaled together.
     */
    double firstStep(Place place) {
        double largest = Vectors.maxNorm(place.gradient());
        if (largest == 0) {
            return 1;
        }
        double move = options.largestFirstMove();
        double squares = Vectors.dot(place.gradient(), place.gradient());
        double vertex = 2 * Math.abs(place.value()) * largest / squares;
        return (vertex > 0 ? Math.min(move, vertex) : move) / largest;
    }

    Minimum minimum(Place start, End end) {
        Place place = best == null ? start : best;
        return new Minimum(place.point(), place.value(), place.norm(), iterations, evaluations, end);
    }
}
