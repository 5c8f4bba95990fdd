package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;

/** Searches for designs of two and three columns. */
final class BoxSearch {
    /** Grid points per axis, indexed by the number of columns; one array per form. */
    private static final int[] PROJECTION_POINTS = {0, 0, 25, 9};

    private static final int[] MODULATION_POINTS = {0, 0, 33, 13};

    /** Points per axis of the lattice on which the grid is checked, indexed by the number of columns. */
    private static final int[] CHECK_POINTS = {0, 0, 200, 60};

    private static final int FINE_FACTOR = 10;

    /** The search ends when the error between grid points is at most this share above the error on them. */
    private static final double SHARE = 1e-3;

    /**
     * Products of single-column designs with this error are exact to within the accuracy of programs of several
     * columns.
     */
    private static final double LEAST_AXIS_ERROR = 1e-7;

    private static final int MOST_AXIS_DIMENSIONS = 31;
    private static final int FEW_DIMENSIONS = 24;
    private static final int MOST_POOLS = 3;
    private static final int MOST_TERMS = 260;
    private static final int MOST_STARTS = 3;

    private final Target target;
    private final Plan plan;
    private final Form form;
    private final Descent descent;
    private final int points;
    private final Lattice check;

    BoxSearch(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
        this.form = plan.formFor(target);
        if (form == Form.MODULATION && !target.evenInEveryColumn()) {
            throw new BochnerException("design: products of cosines are even in every column, and the signature is not;"
                    + " take the form projection");
        }
        this.descent = new Descent(target, plan.norm());
        this.points = (form == Form.PROJECTION ? PROJECTION_POINTS : MODULATION_POINTS)[target.columns()];
        this.check = new Lattice(target, form, plan.norm(), CHECK_POINTS[target.columns()]);
    }

    /**
     * Returns the smallest design of a column with at most the given error, or the largest design that is used for a
     * pool. All have the frequency 0, because products with the frequency 0 make fewer features.
     */
    private Design smallest(int column, double error) {
        Target axis = target.along(column);
        for (int dimension = 1; ; dimension += 2) {
            Design design = Designs.ofColumn(axis, dimension);
            if (design.error() <= error || dimension >= MOST_AXIS_DIMENSIONS) {
                return design;
            }
        }
    }

    /**
     * Returns the best design of at most {@code dimension} features.
     *
     * @param progress receives the share of the search that is done
     */
    Design best(int dimension, DoubleConsumer progress) {
        List<Terms> pools = plan.pool() == Pool.POLAR ? List.of(polar(dimension)) : products(dimension);
        return plan.search() == Search.GREEDY ? greedy(pools, dimension) : programmed(pools, dimension, progress);
    }

    private Design programmed(List<Terms> pools, int dimension, DoubleConsumer progress) {
        Grid grid = Grid.of(target, form, plan.norm(), points);
        boolean move = plan.search() == Search.CONTINUOUS;
        List<Descent.State> states = new ArrayList<>();
        for (Terms pool : pools) {
            for (int room = dimension; room >= Math.max(1, dimension - spare(dimension)); room--) {
                List<Descent.State> choices = Selection.choose(pool, room, descent, grid);
                for (Descent.State choice : choices.subList(0, Math.min(MOST_STARTS, choices.size()))) {
                    progress.accept(0.8 * states.size() / (MOST_STARTS * pools.size() * (1 + spare(dimension))));
                    states.add(move ? descent.descend(choice.terms(), grid, 30, SHARE) : choice);
                }
            }
        }
        Descent.State best = states.stream()
                .min(Comparator.comparingDouble(state -> state.error()))
                .orElseThrow(() -> new BochnerException("design: " + dimension + " dimensions are too few for a term"));
        Descent.State last = descent.exchange(best.terms(), grid, check, move, SHARE);
        return design(last.terms(), last.certificate(), grid.size());
    }

    /**
     * Returns how many features a start may leave unused. With few features, a term that just fits may give a worse
     * start.
     */
    private static int spare(int dimension) {
        return dimension <= FEW_DIMENSIONS ? 3 : 0;
    }

    private Design greedy(List<Terms> pools, int dimension) {
        return pools.stream()
                .map(pool -> pool.some(Selection.largest(pool, dimension, false)))
                .filter(terms -> terms.count() > 0)
                .map(terms -> design(terms, 0, 0))
                .min(Comparator.comparingDouble(Design::error))
                .orElseThrow(() -> new BochnerException("design: " + dimension + " dimensions are too few for a term"));
    }

    private Design design(Terms terms, double certificate, int gridPoints) {
        Terms ordered = Design.ordered(terms.weighing(1e-13));
        Lattice fine = new Lattice(target, form, plan.norm(), FINE_FACTOR * points);
        return new Design(target, plan, ordered, fine.norm(ordered), certificate, gridPoints);
    }

    /**
     * Returns pools of several sizes. Each pool combines single-column designs of equal error, and the smallest pool
     * has slightly more features than the design may have.
     */
    private List<Terms> products(int dimension) {
        List<Terms> pools = new ArrayList<>();
        int largest = 0;
        List<Design> axes = List.of();
        for (double error = 0.3; error > LEAST_AXIS_ERROR && pools.size() < MOST_POOLS; error /= 1.5) {
            axes = new ArrayList<>();
            int product = 1;
            int count = 1;
            for (int l = 0; l < target.columns(); l++) {
                Design axis = smallest(l, error);
                axes.add(axis);
                product *= axis.dimension();
                count *= form == Form.PROJECTION && l > 0 ? 2 * axis.count() : axis.count();
            }
            if (product > largest && product > 1.1 * dimension) {
                if (!pools.isEmpty() && count > MOST_TERMS) {
                    break;
                }
                largest = product;
                pools.add(product(axes));
            }
        }
        // A pool that is nearly exact with few features is used although no term needs to be left out.
        return pools.isEmpty() ? List.of(product(axes)) : pools;
    }

    private Terms product(List<Design> axes) {
        // Each array holds the frequencies of the columns so far, followed by the product of the weights.
        List<double[]> terms = List.of(new double[] {1});
        for (Design axis : axes) {
            List<double[]> longer = new ArrayList<>();
            for (double[] term : terms) {
                int last = term.length - 1;
                boolean anyFrequency = Arrays.stream(term, 0, last).anyMatch(w -> w != 0);
                for (int j = 0; j < axis.count(); j++) {
                    double w = axis.frequency(j)[0];
                    boolean bothSigns = form == Form.PROJECTION && w != 0 && anyFrequency;
                    double[] next = Arrays.copyOf(term, term.length + 1);
                    next[last] = w;
                    next[last + 1] = term[last] * axis.spectralWeight(j) / (bothSigns ? 2 : 1);
                    longer.add(next);
                    if (bothSigns) {
                        double[] opposite = next.clone();
                        opposite[last] = -w;
                        longer.add(opposite);
                    }
                }
            }
            terms = longer;
        }
        return Terms.of(form, target.columns(), terms);
    }

    /**
     * Returns a pool of evenly spaced directions in half the space, with evenly spaced lengths up to the largest
     * frequency of a single-column design.
     */
    private Terms polar(int dimension) {
        if (form != Form.PROJECTION || target.axes().stream().anyMatch(Axis::periodic)) {
            throw new BochnerException(
                    "design: a polar pool is for projections without periods; take the product pool");
        }
        int width = target.columns();
        double[] ends = new double[width];
        int counts = 0;
        for (int l = 0; l < width; l++) {
            Design axis = smallest(l, 0.5 / dimension);
            ends[l] = axis.frequency(axis.count() - 1)[0];
            counts = Math.max(counts, axis.count());
        }
        int lengths = Math.max(3, counts);
        int directions = Math.min(MOST_TERMS / lengths, Math.max(8, 3 * dimension / (2 * lengths)));
        List<double[]> terms = new ArrayList<>();
        terms.add(new double[width + 1]);
        for (int i = 0; i < directions; i++) {
            double[] direction = direction(width, (i + 0.5) / directions, i);
            for (int r = 1; r <= lengths; r++) {
                double[] term = new double[width + 1];
                for (int l = 0; l < width; l++) {
                    term[l] = direction[l] * ends[l] * r / lengths;
                }
                terms.add(term);
            }
        }
        return Terms.of(form, width, terms);
    }

    /** Returns direction i: evenly spaced angles in half the circle, or a golden-angle spiral on half the sphere. */
    private static double[] direction(int columns, double share, int i) {
        if (columns == 2) {
            return new double[] {StrictMath.cos(Math.PI * share), StrictMath.sin(Math.PI * share)};
        }
        double radius = Math.sqrt(1 - share * share);
        double angle = i * Math.PI * (3 - Math.sqrt(5));
        return new double[] {radius * StrictMath.cos(angle), radius * StrictMath.sin(angle), share};
    }
}
