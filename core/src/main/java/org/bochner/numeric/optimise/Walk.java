package org.bochner.numeric.optimise;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.numeric.optimise.Minimum.End;
import org.jspecify.annotations.Nullable;

/** Where an optimiser has been: counts, keeps the best, and knows when to stop. */
public final class Walk {
    /** Values that differ by less than this part count as the same: sums over rows are not more exact. */
    static final double ROUNDING = 1e-14;

    /** A point with its gradient; {@code value} and {@code norm} are of all that is minimised. */
    static final class Place {
        final double[] point;
        final double[] gradient;
        final double value;
        final double norm;

        Place(double[] point, double[] gradient, double value, double norm) {
            this.point = point;
            this.gradient = gradient;
            this.value = value;
            this.norm = norm;
        }

        /** Whether an optimiser may go there. */
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
            throw new BochnerException(owner + ": at the start the function is " + start.value
                    + " and its largest derivative " + start.norm + "; both must be finite: start elsewhere");
        }
    }

    /** Notes the start, or where an iteration led; returns why to end there, or null to go on. */
    @Nullable
    End arrived(Place place) {
        iterations++;
        if (best == null || place.value <= best.value + ROUNDING * Math.abs(best.value)) {
            best = place;
        }
        boolean goOn = monitor.goOn(iterations, place.value, place.point, place.norm);
        if (place.norm <= options.gradientTolerance()) {
            return End.GRADIENT;
        }
        int slot = iterations % recent.length;
        double before = recent[slot];
        recent[slot] = place.value;
        if (options.tolerance() > 0 && before - place.value < options.tolerance() * Math.abs(place.value)) {
            return End.DECREASE;
        }
        if (iterations >= options.iterations()) {
            return End.ITERATIONS;
        }
        return goOn ? null : End.STOPPED;
    }

    /**
     * Why to end where no step was found. Line searches give up where nothing beyond the tolerance is left to gain; but
     * where not even a first step was found, the gradient may be wrong, and nobody should call that an end well reached.
     */
    End stuck() {
        return options.tolerance() > 0 && iterations > 0 ? End.DECREASE : End.NO_SMALLER;
    }

    /** Whether a promised decrease is beyond the tolerance that was asked for, or beyond double precision. */
    boolean isNothing(Place place, double decrease) {
        return Math.abs(decrease) <= Math.max(options.tolerance(), 1e-17) * Math.abs(place.value);
    }

    /**
     * How far along the negative gradient the first trial goes, as a multiple of it. The value of most of what is
     * minimised here is not negative; along a parabola that touches zero, its vertex lies 2·value/slope away. The same
     * however value and gradient are scaled together.
     */
    double firstStep(Place place) {
        double largest = Vectors.maxNorm(place.gradient);
        if (largest == 0) {
            return 1;
        }
        double move = options.largestFirstMove();
        double squares = Vectors.dot(place.gradient, place.gradient);
        double vertex = 2 * Math.abs(place.value) * largest / squares;
        return (vertex > 0 ? Math.min(move, vertex) : move) / largest;
    }

    Minimum minimum(Place start, End end) {
        Place place = best == null ? start : best;
        return new Minimum(place.point, place.value, place.norm, iterations, evaluations, end);
    }
}
