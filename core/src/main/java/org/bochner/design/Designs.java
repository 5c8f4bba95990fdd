package org.bochner.design;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.SeparableKernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ChannelKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.composed.WarpedKernel;

/**
 * Finds designs: the least error of a dimension, or the least dimension of an error. Results are remembered by what was
 * asked, the latest ones: a kernel, a range and a plan have one design.
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

    /** Some kilobytes each; beyond, those that were not used for the longest time are forgotten. */
    private static final int MOST_REMEMBERED = 1000;

    /** The same of searches, which are some ten times as large. */
    private static final int MOST_SEARCHES = 100;

    /** Of the log-ratio, times the degree: from here on a design for every ratio may be as good as one for the range. */
    private static final double LONG_RANGE = 12;

    /** Before they are finished, designs have errors that are this much above what they come to, or less. */
    private static final double UNFINISHED = 1.05;

    /** Designs of several columns of so many dimensions and more say how fast errors fall. */
    private static final int ENOUGH_TO_TELL = 31;

    /** Log-ratios at which an error at all of them is measured. */
    private static final int RATIO_POINTS = 20_000;

    /** What was asked: a dimension, or where that is 0 an error. */
    private record Question(Target target, Plan plan, int dimension, double error) {
        Question(Target target, Plan plan, int dimension) {
            this(target, plan, dimension, 0);
        }
    }

    /** What a search of one column is for. */
    private record Line(Target target, Plan plan) {}

    private static final Recent<Question, Design> KNOWN = new Recent<>(MOST_REMEMBERED);
    private static final Recent<Line, LineSearch> SEARCHES = new Recent<>(MOST_SEARCHES);

    private Designs() {}

    /**
     * Returns the kernel to design for: the kernel itself, or that of a channel without its columns.
     *
     * @return a {@link ShiftInvariantKernel} or a {@link HomogeneousKernel}
     * @throws BochnerException if the kernel has no design; its remedies say what to do instead
     */
    public static Kernel requireDesignable(Kernel kernel) {
        if (kernel instanceof ChannelKernel channel) {
            return requireDesignable(channel.kernel());
        }
        if (kernel instanceof ShiftInvariantKernel
                || (kernel instanceof HomogeneousKernel && !(kernel instanceof SeparableKernel))) {
            return kernel;
        }
        throw new BochnerException(
                "designs are for kernels of the ratio of two values, such as chi2, and for kernels of the difference of"
                        + " rows of 1 to " + Target.MOST_COLUMNS + " columns, such as gaussian; got " + kernel,
                advice(kernel));
    }

    private static Remedy advice(Kernel kernel) {
        if (kernel instanceof SeparableKernel) {
            return Remedy.set(Setting.MAP, "exact", "has one feature per column and no error");
        }
        if (kernel instanceof RadialKernel radial) {
            return Remedy.set(
                    Setting.MAP,
                    "fourier@lp(dimension=5)",
                    "uses a design for " + radial.additive() + ", whose distance it is a kernel of, as first stage");
        }
        if (kernel instanceof SumKernel) {
            return Remedy.advice("design for its terms one by one, and add their maps with '+'");
        }
        if (kernel instanceof ScaledKernel scaled) {
            return Remedy.advice("leave out the factor: its errors are those of " + scaled.kernel() + " times it");
        }
        if (kernel instanceof WarpedKernel warped) {
            return Remedy.advice("design for " + warped.kernel() + " on the range of the warped values");
        }
        return Remedy.set(Setting.MAP, "auto", "makes features of kernels of inner products");
    }

    /** The design of the least error of at most so many dimensions. */
    public static Design ofDimension(Target target, Plan plan, int dimension) {
        requirePossible(target, plan);
        int most = most(target);
        Require.that(
                dimension >= 1 && dimension <= most,
                "design",
                "the dimension must be from 1 to " + most + ", got " + dimension);
        return remembered(new Question(target, plan, dimension));
    }

    /** The design of the least dimension whose error is at most that; fails where none is found. */
    public static Design ofError(Target target, Plan plan, double error) {
        return ofError(target, plan, error, design -> {});
    }

    /**
     * The same, telling what was tried on the way: in several columns a search takes seconds to minutes.
     *
     * @param tried receives every size of several columns that was designed
     */
    public static Design ofError(Target target, Plan plan, double error, Consumer<Design> tried) {
        requirePossible(target, plan);
        Require.positive("design", "error", error);
        if (error < LEAST_ERROR) {
            throw new BochnerException("design: an error of " + Spelling.print(error)
                    + " is below what linear programs in float64 reach; ask for " + Spelling.print(LEAST_ERROR)
                    + " or more");
        }
        Design nearest = remembered(
                new Question(target, plan, 0, error),
                () -> target.columns() == 1 ? ofLine(target, plan, error) : ofBox(target, plan, error, tried));
        if (nearest.error() <= error) {
            return nearest;
        }
        throw new BochnerException("design: an error of " + Spelling.print(error) + " is out of reach: with "
                + nearest.dimension() + " dimensions it is " + Grid.print(nearest.error())
                + ", and it falls too slowly to get there with " + most(target) + ", the most; ask for a larger one, or"
                + " a smaller range");
    }

    /** Fails where there is no such search, or no design could be the best at all differences. */
    private static void requirePossible(Target target, Plan plan) {
        if (plan.search() == Plan.Search.GREEDY && target.columns() == 1) {
            throw new BochnerException(
                    "design: a greedy search is of products of columns, and there is one; take another");
        }
        if (target.axes().stream().allMatch(Axis::bounded)) {
            return;
        }
        if (target.columns() > 1 || !target.isOfRatios()) {
            throw new BochnerException("design: all differences need a weight that falls to 0, as absolute errors of"
                    + " histogram values have; give a range");
        }
        if (plan.norm() == Norm.MEAN) {
            throw new BochnerException("design: over all ratios only the largest error can be made small, a mean has no"
                    + " end; give a range");
        }
    }

    /**
     * The least dimension of an error, or that of the least error found. All sizes share one search. Those that cannot be
     * enough are not finished, and where none will be, it ends.
     */
    private static Design ofLine(Target asked, Plan plan, double error) {
        if (isLong(asked, plan)) {
            Design ofAll = ofLine(asked.on(List.of(Axis.unbounded())), plan, error);
            if (ofAll.error() <= error && isWithin(ofAll, asked)) {
                return ofAll;
            }
        }
        Target target = asked.axes().get(0).bounded() ? asked : bounded(asked, rangeFor(asked, error));
        LineSearch search = searchOf(target, plan);
        int dimension = 1;
        while (dimension < MOST_DIMENSIONS_OF_A_COLUMN
                && !isEnough(target, plan, dimension, error)
                && search.mayReach(dimension, error, MOST_DIMENSIONS_OF_A_COLUMN)) {
            dimension++;
        }
        Design design = finished(target, plan, dimension);
        return asked.equals(target) ? design : atAllRatios(design, asked);
    }

    private static boolean isEnough(Target target, Plan plan, int dimension, double error) {
        return searchOf(target, plan).unfinishedError(dimension) <= UNFINISHED * error
                && finished(target, plan, dimension).error() <= error;
    }

    /** The design of a column and a range; not that of all ratios, even where the range is long. */
    private static Design finished(Target target, Plan plan, int dimension) {
        LineSearch search = searchOf(target, plan);
        return isLong(target, plan)
                ? search.best(dimension)
                : remembered(new Question(target, plan, dimension), () -> search.best(dimension));
    }

    /** A design of a column by itself, of which designs of several columns are made: searches of all sizes share them. */
    static Design ofColumn(Target target, int dimension) {
        return finished(target, Plan.DEFAULT, dimension);
    }

    private static LineSearch searchOf(Target target, Plan plan) {
        Line line = new Line(target, plan);
        LineSearch known = SEARCHES.get(line);
        if (known == null) {
            Definiteness.require(target);
            known = SEARCHES.keep(line, new LineSearch(target, plan));
        }
        return known;
    }

    /** Whether a range of log-ratios is so long that a design for all of them may be as good. */
    private static boolean isLong(Target target, Plan plan) {
        return target.isOfRatios()
                && plan.norm() == Norm.LARGEST
                && target.axes().get(0).bounded()
                && target.axes().get(0).length() * target.degree() >= LONG_RANGE;
    }

    /** Whether the range of a design lies within that of a target. */
    private static boolean isWithin(Design design, Target target) {
        return design.target().axes().get(0).length() <= target.axes().get(0).length();
    }

    /**
     * Programs of several columns are long: sizes double, and what lies between is halved. It ends where errors fall ever more
     * slowly, and not even at the present rate fast enough.
     */
    private static Design ofBox(Target target, Plan plan, double error, Consumer<Design> tried) {
        double before = Double.POSITIVE_INFINITY;
        double rateBefore = 0;
        int tooFew = 0;
        while (true) {
            int dimension = Math.min(MOST_DIMENSIONS, 2 * tooFew + 1);
            Design design = ofDimension(target, plan, dimension);
            tried.accept(design);
            if (design.error() <= error) {
                return between(target, plan, error, tooFew, design, tried);
            }
            double rate = design.error() / before;
            int doublings = 31 - Integer.numberOfLeadingZeros((MOST_DIMENSIONS + 1) / (dimension + 1));
            boolean tooSlow = rate >= rateBefore && design.error() * StrictMath.pow(rate, doublings) > error;
            if (dimension == MOST_DIMENSIONS || (dimension >= ENOUGH_TO_TELL && tooSlow)) {
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
        return target.columns() == 1 ? MOST_DIMENSIONS_OF_A_COLUMN : MOST_DIMENSIONS;
    }

    private static Design remembered(Question question) {
        return remembered(question, () -> search(question));
    }

    private static Design remembered(Question question, Supplier<Design> search) {
        Design known = KNOWN.get(question);
        return known == null ? KNOWN.keep(question, search.get()) : known;
    }

    private static Design search(Question question) {
        Target target = question.target;
        if (!target.axes().stream().allMatch(Axis::bounded)) {
            return unbounded(question);
        }
        if (target.columns() > 1) {
            Definiteness.require(target);
            return new BoxSearch(target, question.plan).best(question.dimension);
        }
        if (isLong(target, question.plan)) {
            Design ofAll = ofDimension(target.on(List.of(Axis.unbounded())), question.plan, question.dimension);
            if (isWithin(ofAll, target)) {
                return ofAll;
            }
        }
        return searchOf(target, question.plan).best(question.dimension);
    }

    /** A design for a range that is long enough for its error to be that at all log-ratios. */
    private static Design unbounded(Question question) {
        double length = rangeFor(question.target, 1);
        while (true) {
            Target target = bounded(question.target, length);
            Design design = finished(target, question.plan, question.dimension);
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
                2 / asked.degree() * StrictMath.log((1 + design.at(0)) / Math.max(design.error(), LEAST_ERROR / 10));
        Lattice lattice =
                new Lattice(bounded(asked, end), Form.PROJECTION, design.plan().norm(), RATIO_POINTS);
        return design.withError(Math.max(design.error(), lattice.norm(design.terms())));
    }

    private static Target bounded(Target target, double length) {
        return target.on(List.of(Axis.upTo(length)));
    }

    /** The range beyond which errors of values up to 1 are below that, or below 0.01 at least: Σα is about 1. */
    private static double rangeFor(Target target, double error) {
        return 2 / target.degree() * StrictMath.log(2.2 / Math.min(0.01, error));
    }
}
