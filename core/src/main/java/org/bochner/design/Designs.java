package org.bochner.design;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;

/**
 * Finds designs: the least error of a dimension, or the least dimension of an error. Results are remembered by what was
 * asked, as long as the program runs: a kernel, a range and a plan have one design.
 *
 * <p>The method: linear programs over grids that grow where the error between their points is largest, and frequencies that
 * move by linear programs of first order, from several starts. It finds minima nearby, not provably the least of all.
 *
 * <p>Reference: Chum, Low dimensional explicit feature maps, 2015.
 *
 * <p>Threads: safe.
 */
public final class Designs {
    /** The most dimensions of a column's design; errors are of the size of rounding long before, or fall no more. */
    public static final int MOST_DIMENSIONS_OF_A_COLUMN = 61;

    /** The most dimensions of a design of several columns: its programs take minutes. */
    public static final int MOST_DIMENSIONS = 255;

    /** Smaller errors are not aimed at: they are those of the programs' rounding, and of float32. */
    public static final double LEAST_ERROR = 1e-8;

    /** Some hundred bytes each; beyond, all are forgotten. */
    private static final int MOST_REMEMBERED = 1000;

    /** Log-ratios at which an error at all of them is measured. */
    private static final int RATIO_POINTS = 20_000;

    private record Question(Target target, Plan plan, int dimension) {}

    private static final Map<Question, Design> KNOWN = new ConcurrentHashMap<>();

    private Designs() {}

    /** The design of the least error of at most so many dimensions. */
    public static Design ofDimension(Target target, Plan plan, int dimension) {
        requireEnd(target, plan);
        int most = most(target);
        Require.that(
                dimension >= 1 && dimension <= most,
                "design",
                "the dimension must be from 1 to " + most + ", got " + dimension);
        return remembered(new Question(target, plan, dimension));
    }

    /** The design of the least dimension whose error is at most that; fails where none is found. */
    public static Design ofError(Target target, Plan plan, double error) {
        requireEnd(target, plan);
        Require.positive("design", "error", error);
        if (error < LEAST_ERROR) {
            throw new BochnerException("design: an error of " + Spelling.print(error)
                    + " is below what linear programs in float64 reach; ask for " + Spelling.print(LEAST_ERROR)
                    + " or more");
        }
        Design nearest = target.columns() == 1 ? ofLine(target, plan, error) : ofBox(target, plan, error);
        if (nearest.error() <= error) {
            return nearest;
        }
        throw new BochnerException("design: no map of up to " + most(target) + " dimensions has an error of at most "
                + Spelling.print(error) + "; the nearest that was found has " + nearest.dimension()
                + " dimensions and an error of " + Spelling.print(rounded(nearest.error())));
    }

    /** Fails where all differences are asked for, and no design could be the best at them. */
    private static void requireEnd(Target target, Plan plan) {
        if (target.axes().stream().allMatch(Axis::bounded)) {
            return;
        }
        if (target.columns() > 1 || !(target.weight() instanceof Weight.OfRatios)) {
            throw new BochnerException("design: all differences need a weight that falls to 0, as absolute errors of"
                    + " histogram values have; give a range");
        }
        if (plan.norm() == Norm.MEAN) {
            throw new BochnerException("design: over all ratios only the largest error can be made small, a mean has no"
                    + " end; give a range");
        }
    }

    /** All sizes share one search. Those that cannot be enough are not finished, and where none will be, it ends. */
    private static Design ofLine(Target asked, Plan plan, double error) {
        Target target = asked.axes().get(0).bounded() ? asked : bounded(asked, rangeFor(asked, error));
        Definiteness.require(target);
        LineSearch search = new LineSearch(target, plan);
        int most = MOST_DIMENSIONS_OF_A_COLUMN;
        int dimension = 1;
        while (dimension < most
                && !isEnough(target, plan, dimension, error, search)
                && search.mayReach(dimension, error, most)) {
            dimension++;
        }
        int last = dimension;
        Design design = remembered(new Question(target, plan, last), () -> search.best(last));
        return asked.equals(target) ? design : atAllRatios(design, asked);
    }

    private static boolean isEnough(Target target, Plan plan, int dimension, double error, LineSearch search) {
        return search.leastError(dimension) <= error
                && remembered(new Question(target, plan, dimension), () -> search.best(dimension))
                                .error()
                        <= error;
    }

    /** Programs of several columns are long: sizes double, and what lies between is halved. */
    private static Design ofBox(Target target, Plan plan, double error) {
        int tooFew = 0;
        while (true) {
            int dimension = Math.min(MOST_DIMENSIONS, 2 * tooFew + 1);
            Design design = ofDimension(target, plan, dimension);
            if (design.error() <= error) {
                return between(target, plan, error, tooFew, design);
            }
            if (dimension == MOST_DIMENSIONS) {
                return design;
            }
            tooFew = dimension;
        }
    }

    private static double rounded(double value) {
        return Double.parseDouble(String.format(java.util.Locale.ROOT, "%.3g", value));
    }

    private static Design between(Target target, Plan plan, double error, int tooFew, Design enough) {
        Design best = enough;
        int low = tooFew;
        while (best.dimension() - low > 1) {
            int middle = (low + best.dimension()) / 2;
            Design design = ofDimension(target, plan, middle);
            if (design.error() <= error) {
                best = design;
            } else {
                low = middle;
            }
        }
        return best;
    }

    private static int most(Target target) {
        return target.columns() == 1 ? MOST_DIMENSIONS_OF_A_COLUMN : MOST_DIMENSIONS;
    }

    private static Design remembered(Question question) {
        return remembered(question, () -> search(question));
    }

    /** Not computed in the map, where others would wait for it: a design is the same whoever finds it. */
    private static Design remembered(Question question, Supplier<Design> search) {
        Design known = KNOWN.get(question);
        if (known == null) {
            if (KNOWN.size() >= MOST_REMEMBERED) {
                KNOWN.clear();
            }
            Design found = search.get();
            known = Objects.requireNonNullElse(KNOWN.putIfAbsent(question, found), found);
        }
        return known;
    }

    private static Design search(Question question) {
        Target target = question.target;
        if (!target.axes().stream().allMatch(Axis::bounded)) {
            return unbounded(question);
        }
        Definiteness.require(target);
        if (target.columns() > 1) {
            return new BoxSearch(target, question.plan).best(question.dimension);
        }
        return new LineSearch(target, question.plan).best(question.dimension);
    }

    /** A design for a range that is long enough for its error to be that at all log-ratios. */
    private static Design unbounded(Question question) {
        double length = rangeFor(question.target, 0.01);
        while (true) {
            Target target = bounded(question.target, length);
            Design design = remembered(new Question(target, question.plan, question.dimension));
            double enough = rangeFor(question.target, Math.max(design.error(), LEAST_ERROR));
            if (enough <= length) {
                return atAllRatios(design, question.target);
            }
            length = 1.05 * enough;
        }
    }

    /**
     * The design with its error at all log-ratios. Beyond λ, (xy)^(degree/2) is at most e^(−degree·λ/2) and k and k̂ are at
     * most 1 and Σα: so there is an end to where it must be measured.
     */
    private static Design atAllRatios(Design design, Target asked) {
        double end =
                2 / degree(asked) * StrictMath.log((1 + design.at(0)) / Math.max(design.error(), LEAST_ERROR / 10));
        Lattice lattice =
                new Lattice(bounded(asked, end), Form.PROJECTION, design.plan().norm(), RATIO_POINTS);
        return design.withError(Math.max(design.error(), lattice.norm(design.terms())));
    }

    private static Target bounded(Target target, double length) {
        return target.on(List.of(Axis.upTo(length)));
    }

    /** The range beyond which errors of values up to 1 are below that: Σα is about 1. */
    private static double rangeFor(Target target, double error) {
        return 2 / degree(target) * StrictMath.log(2.2 / error);
    }

    /** The degree of the kernel all of whose ratios are asked for. */
    private static double degree(Target target) {
        return ((Weight.OfRatios) target.weight()).degree();
    }
}
