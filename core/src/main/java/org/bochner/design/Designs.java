package org.bochner.design;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    public static final int MOST_DIMENSIONS = 401;

    /** Smaller errors are those of rounding. */
    public static final double LEAST_ERROR = 1e-10;

    private static final int REMEMBERED = 1000;

    private record Question(Target target, Plan plan, int dimension) {}

    private static final Map<Question, Design> KNOWN =
            Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Question, Design> eldest) {
                    return size() > REMEMBERED;
                }
            });

    private Designs() {}

    /** The design of the least error of at most so many dimensions. */
    public static Design ofDimension(Target target, Plan plan, int dimension) {
        int most = most(target);
        Require.that(
                dimension >= 1 && dimension <= most,
                "design",
                "the dimension must be from 1 to " + most + ", got " + dimension);
        return remembered(new Question(target, plan, dimension));
    }

    /** The design of the least dimension whose error is at most that; fails where none is found. */
    public static Design ofError(Target target, Plan plan, double error) {
        Require.positive("design", "error", error);
        if (error < LEAST_ERROR) {
            throw new BochnerException("design: an error of " + Spelling.print(error)
                    + " is below what linear programs in float64 reach; ask for " + Spelling.print(LEAST_ERROR)
                    + " or more");
        }
        int most = most(target);
        Optional<Design> best = Optional.empty();
        int tooFew = 0;
        int step = 1;
        for (int dimension = 1; dimension <= most; dimension += step) {
            Design design = ofDimension(target, plan, dimension);
            if (design.error() <= error) {
                return target.columns() == 1 ? design : between(target, plan, error, tooFew, design);
            }
            if (best.isEmpty() || design.error() < best.get().error()) {
                best = Optional.of(design);
            }
            tooFew = dimension;
            // Programs of several columns are long: sizes double, and what lies between is halved.
            step = target.columns() == 1 ? 1 : Math.max(2, Math.min(dimension + 1, most - dimension));
        }
        throw new BochnerException("design: no map of up to " + most + " dimensions has an error of at most "
                + Spelling.print(error) + "; the nearest has "
                + best.map(d -> d.dimension() + " dimensions and an error of " + Spelling.print(rounded(d.error())))
                        .orElse("none"));
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
        Design known = KNOWN.get(question);
        if (known == null) {
            known = search(question);
            KNOWN.put(question, known);
        }
        return known;
    }

    private static Design search(Question question) {
        Target target = question.target;
        if (target.axes().stream().allMatch(Axis::bounded)) {
            return bounded(target, question);
        }
        if (target.columns() > 1 || !(target.weight() instanceof Weight.OfRatios ratios)) {
            throw new BochnerException(
                    "design: all differences need a weight that falls to 0, as errors of histogram values"
                            + " have; give a range");
        }
        return unbounded(question, ratios.degree());
    }

    private static Design bounded(Target target, Question question) {
        Definiteness.require(target);
        if (target.columns() > 1) {
            return new BoxSearch(target, question.plan).best(question.dimension);
        }
        Optional<Design> fewer = question.dimension == 1
                ? Optional.empty()
                : Optional.of(remembered(new Question(target, question.plan, question.dimension - 1)));
        if (fewer.isPresent() && fewer.get().error() < LEAST_ERROR) {
            return fewer.get();
        }
        return new LineSearch(target, question.plan).best(question.dimension, fewer);
    }

    /**
     * A design whose error at all log-ratios is that on its range. Beyond the range M, (xy)^(degree/2) is at most
     * e^(−degree·M/2) and k and k̂ are at most 1 and Σα, so the range need only be long enough.
     */
    private static Design unbounded(Question question, double degree) {
        double length = 12 / degree;
        while (true) {
            Target target = question.target.on(List.of(Axis.upTo(length)));
            Design design = remembered(new Question(target, question.plan, question.dimension));
            double error = Math.max(design.error(), LEAST_ERROR);
            double enough = 2 / degree * StrictMath.log((1 + design.at(0)) / error);
            if (enough <= length) {
                return design;
            }
            length = 1.05 * enough;
        }
    }
}
