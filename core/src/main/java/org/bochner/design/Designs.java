package org.bochner.design;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.memory.LruCache;
import org.bochner.design.Target.Axis;

/**
 * Finds designs: the smallest error for a dimension, or the smallest dimension for an error. Recent results are cached
 * by target, plan and dimension or error.
 *
 * <p>The method solves linear programs over grids that grow where the error between their points is largest.
 * Frequencies move by first-order linear programs from several starts. The search finds local minima, which need not be
 * global.
 *
 * <p>Reference: Chum, Low dimensional explicit feature maps, 2015.
 *
 * <p>Threads: safe.
 */
final class Designs {
    /** The number of cached designs, of some kilobytes each. The least recently used ones are dropped. */
    private static final int MOST_REMEMBERED = 1000;

    /** The number of cached searches, each about ten times as large as a design. */
    private static final int MOST_SEARCHES = 100;

    /** From this log-ratio times the degree on, a design for all ratios may be as good as a design for the range. */
    private static final double LONG_RANGE = 12;

    /** The error of an unfinished design is at most this factor above its finished error. */
    private static final double UNFINISHED = 1.05;

    /** From this dimension on, designs of several columns show how fast errors fall. */
    private static final int ENOUGH_TO_TELL = 31;

    /** The number of log-ratios at which the error over all ratios is measured. */
    private static final int RATIO_POINTS = 20_000;

    /** A cache key: a dimension, or an error if the dimension is 0. */
    private record Question(Target target, Plan plan, int dimension, double error) {}

    /** The cache key of a single-column search. */
    private record Line(Target target, Plan plan) {}

    /** The time of the searches of a thread. */
    private static final class Stopwatch {
        private long nanos;
        /** The number of searches that run inside each other. */
        private int depth;
    }

    private static final ThreadLocal<Stopwatch> STOPWATCH = ThreadLocal.withInitial(Stopwatch::new);

    static final DoubleConsumer NO_PROGRESS = share -> {};

    private static final LruCache<Question, Design> KNOWN = new LruCache<>(MOST_REMEMBERED);
    private static final LruCache<Line, LineSearch> SEARCHES = new LruCache<>(MOST_SEARCHES);

    private Designs() {}

    /** Returns the design with the smallest error among those of at most {@code dimension} features. */
    static Design ofDimension(Target target, Plan plan, int dimension) {
        return ofDimension(target, plan, dimension, NO_PROGRESS);
    }

    /** Returns the design with the smallest error, and reports the share of the search that is done. */
    static Design ofDimension(Target target, Plan plan, int dimension, DoubleConsumer progress) {
        requirePossible(target, plan);
        int most = most(target);
        Require.that(
                dimension >= 1 && dimension <= most,
                "design: the dimension must be from 1 to " + most + ", got " + dimension);
        return timed(() -> KNOWN.get(
                new Question(target, plan, dimension, 0),
                () -> DesignStore.get(target, plan, dimension, 0, () -> search(target, plan, dimension, progress))));
    }

    /**
     * Returns the design with the fewest features whose error is at most {@code error}, and reports the designs tried.
     * A search in several columns takes seconds to minutes.
     *
     * @param tried receives each design of several columns that was tried
     */
    static Design ofError(Target target, Plan plan, double error, Consumer<Design> tried) {
        requirePossible(target, plan);
        Require.positive("design", "error", error);
        if (error < Design.LEAST_ERROR) {
            throw new BochnerException("design: an error of " + Spelling.print(error)
                    + " is below what linear programs in float64 reach; ask for " + Spelling.print(Design.LEAST_ERROR)
                    + " or more");
        }
        Design nearest = timed(() -> KNOWN.get(
                new Question(target, plan, 0, error),
                () -> DesignStore.get(
                        target,
                        plan,
                        0,
                        error,
                        () -> target.columns() == 1
                                ? ofLine(target, plan, error)
                                : ofBox(target, plan, error, tried))));
        if (nearest.error() <= error) {
            return nearest;
        }
        throw new BochnerException("design: an error of " + Spelling.print(error) + " is out of reach: with "
                + nearest.dimension() + " dimensions it is " + Grid.print(nearest.error())
                + ", and it falls too slowly to get there with " + most(target) + ", the most; ask for a larger one, or"
                + " a smaller range");
    }

    /** Runs a search and adds its time to that of the thread, unless it is a part of another search. */
    private static Design timed(Supplier<Design> search) {
        Stopwatch watch = STOPWATCH.get();
        long start = System.nanoTime();
        watch.depth++;
        try {
            return search.get();
        } finally {
            watch.depth--;
            watch.nanos += watch.depth == 0 ? System.nanoTime() - start : 0;
        }
    }

    /** Returns the wall time in seconds that searches on this thread have taken so far. */
    static double secondsOnThread() {
        return STOPWATCH.get().nanos * 1e-9;
    }

    /** Fails if the plan has no search for the target, or if no design exists for all differences. */
    private static void requirePossible(Target target, Plan plan) {
        if (plan.search() == Search.GREEDY && target.columns() == 1) {
            throw new BochnerException(
                    "design: a greedy search is for several columns, and there is one; take another search");
        }
        if (target.axes().stream().allMatch(Axis::finite)) {
            return;
        }
        if (target.columns() > 1 || !target.isOfRatios()) {
            throw new BochnerException("design: all differences need a weight that falls to 0, as absolute errors of"
                    + " histogram values have; give a range");
        }
        if (plan.norm() == Norm.MEAN) {
            throw new BochnerException("design: the mean error over all ratios is not defined; minimise the largest"
                    + " error, or give a range");
        }
    }

    /**
     * Returns the smallest single-column design for an error, or the design with the smallest error found. All sizes
     * share one search. Sizes that cannot reach the error are not finished, and the search ends if no size can reach
     * it.
     */
    private static Design ofLine(Target asked, Plan plan, double error) {
        if (isLong(asked, plan)) {
            Design ofAll = ofLine(asked.on(List.of(Axis.infinite())), plan, error);
            if (ofAll.error() <= error && isWithin(ofAll, asked)) {
                return ofAll;
            }
        }
        Target target = asked.axes().get(0).finite() ? asked : finite(asked, rangeFor(asked, error));
        LineSearch search = searchOf(target, plan);
        int dimension = 1;
        while (dimension < Design.MOST_DIMENSIONS_OF_A_COLUMN
                && !isEnough(target, plan, dimension, error)
                && search.mayReach(dimension, error, Design.MOST_DIMENSIONS_OF_A_COLUMN)) {
            dimension++;
        }
        Design design = finished(target, plan, dimension);
        return asked.equals(target) ? design : atAllRatios(design, asked);
    }

    private static boolean isEnough(Target target, Plan plan, int dimension, double error) {
        return searchOf(target, plan).unfinishedError(dimension) <= UNFINISHED * error
                && finished(target, plan, dimension).error() <= error;
    }

    /** Returns the design of a column for its range, even if the range is long enough for a design of all ratios. */
    private static Design finished(Target target, Plan plan, int dimension) {
        return finished(target, plan, dimension, NO_PROGRESS);
    }

    private static Design finished(Target target, Plan plan, int dimension, DoubleConsumer progress) {
        LineSearch search = searchOf(target, plan);
        return isLong(target, plan)
                ? search.best(dimension, progress)
                : KNOWN.get(new Question(target, plan, dimension, 0), () -> search.best(dimension, progress));
    }

    /** Returns a cached single-column design; designs of several columns are made of them. */
    static Design ofColumn(Target target, int dimension) {
        return finished(target, Plan.DEFAULT, dimension);
    }

    private static LineSearch searchOf(Target target, Plan plan) {
        return SEARCHES.get(new Line(target, plan), () -> {
            Definiteness.require(target);
            return new LineSearch(target, plan);
        });
    }

    /** Returns true if a range of log-ratios is so long that a design for all ratios may be as good. */
    private static boolean isLong(Target target, Plan plan) {
        return target.isOfRatios()
                && plan.norm() == Norm.LARGEST
                && target.axes().get(0).finite()
                && target.axes().get(0).length() * target.degree() >= LONG_RANGE;
    }

    /** Returns true if the range of a design lies within the range of a target. */
    private static boolean isWithin(Design design, Target target) {
        return design.target().axes().get(0).length() <= target.axes().get(0).length();
    }

    /**
     * Searches several columns: sizes double, then bisection narrows the interval, because the programs are long. The
     * search ends if errors fall more and more slowly and would not reach the goal even at the present rate.
     */
    private static Design ofBox(Target target, Plan plan, double error, Consumer<Design> tried) {
        double before = Double.POSITIVE_INFINITY;
        double rateBefore = 0;
        int tooFew = 0;
        while (true) {
            int dimension = Math.min(Design.MOST_DIMENSIONS, 2 * tooFew + 1);
            Design design = ofDimension(target, plan, dimension);
            tried.accept(design);
            if (design.error() <= error) {
                return between(target, plan, error, tooFew, design, tried);
            }
            double rate = design.error() / before;
            int doublings = 31 - Integer.numberOfLeadingZeros((Design.MOST_DIMENSIONS + 1) / (dimension + 1));
            boolean tooSlow = rate >= rateBefore && design.error() * StrictMath.pow(rate, doublings) > error;
            if (dimension == Design.MOST_DIMENSIONS || (dimension >= ENOUGH_TO_TELL && tooSlow)) {
                return design;
            }
            before = design.error();
            rateBefore = rate;
            tooFew = dimension;
        }
    }

    private static Design between(
            Target target, Plan plan, double error, int tooFew, Design enough, Consumer<Design> tried) {
        Design best = enough;
        int low = tooFew;
        while (best.dimension() - low > 1) {
            int middle = (low + best.dimension()) / 2;
            Design design = ofDimension(target, plan, middle);
            tried.accept(design);
            if (design.error() <= error) {
                best = design;
            } else {
                low = middle;
            }
        }
        return best;
    }

    private static int most(Target target) {
        return target.columns() == 1 ? Design.MOST_DIMENSIONS_OF_A_COLUMN : Design.MOST_DIMENSIONS;
    }

    private static Design search(Target target, Plan plan, int dimension, DoubleConsumer progress) {
        if (!target.axes().stream().allMatch(Axis::finite)) {
            return infinite(target, plan, dimension, progress);
        }
        if (target.columns() > 1) {
            Definiteness.require(target);
            return new BoxSearch(target, plan).best(dimension, progress);
        }
        if (isLong(target, plan)) {
            Design ofAll = ofDimension(target.on(List.of(Axis.infinite())), plan, dimension, progress);
            if (isWithin(ofAll, target)) {
                return ofAll;
            }
        }
        return searchOf(target, plan).best(dimension, progress);
    }

    /** Returns a design for a range that is long enough for its error to hold at all log-ratios. */
    private static Design infinite(Target asked, Plan plan, int dimension, DoubleConsumer progress) {
        double length = rangeFor(asked, 1);
        while (true) {
            Design design = finished(finite(asked, length), plan, dimension, progress);
            double enough = rangeFor(asked, Math.max(design.error(), Design.LEAST_ERROR));
            if (enough <= length) {
                return atAllRatios(design, asked);
            }
            length = 1.05 * enough;
        }
    }

    /**
     * Returns the design with its error at all log-ratios. Beyond λ, (xy)^(degree/2) is at most e^(−degree·λ/2), and k
     * and k̂ are at most 1 and Σα; the error therefore needs to be measured on a finite range only.
     */
    private static Design atAllRatios(Design design, Target asked) {
        double end = 2
                / asked.degree()
                * StrictMath.log((1 + design.at(0)) / Math.max(design.error(), Design.LEAST_ERROR / 10));
        Lattice lattice =
                new Lattice(finite(asked, end), Form.PROJECTION, design.plan().norm(), RATIO_POINTS);
        return design.withError(Math.max(design.error(), lattice.norm(design.terms())));
    }

    private static Target finite(Target target, double length) {
        return target.on(List.of(Axis.upTo(length)));
    }

    /**
     * Returns the range beyond which errors of values up to 1 are below {@code error}, or below 0.01; Σα is about 1.
     */
    private static double rangeFor(Target target, double error) {
        return 2 / target.degree() * StrictMath.log(2.2 / Math.min(0.01, error));
    }
}
