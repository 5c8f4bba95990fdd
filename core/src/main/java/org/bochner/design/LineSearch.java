package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;

/**
 * Searches for designs of one column, of all sizes. Frequencies are added one by one. The first few are the best of
 * many evenly spaced starts; each further frequency starts beyond the last one. All frequencies then descend together.
 * There are two paths, with and without the frequency 0.
 *
 * <p>Threads: safe; one thread at a time.
 */
final class LineSearch {
    private static final int GRID_POINTS = 300;
    private static final int FINE_FACTOR = 100;

    /** The search ends when the error between grid points is at most this share above the error on them. */
    private static final double SHARE = 1e-5;

    /**
     * Up to this number of frequencies all evenly spaced starts descend; beyond it, only the starts with the smallest
     * errors.
     */
    private static final int FEW = 4;

    /** The number of pool frequencies from which peaks are selected, half a harmonic of the range apart. */
    private static final int POOL = 80;

    /** The number of starts that continue after the first steps. */
    private static final int KEPT_STARTS = 4;

    /** The number of harmonics of a period that are candidates. */
    private static final int MOST_HARMONICS = 400;

    /** The smallest spacing of a pool, in harmonics of the range. */
    private static final double FINEST_SPACING = 1e-9;

    private final Target target;
    private final Plan plan;
    private final double length;
    private final Descent descent;
    private final Grid grid;
    private final double size;
    /**
     * The results with 1, 2, … frequencies; one list for the path with the frequency 0 and one for the path without it.
     */
    private final List<Descent.State> withZero = new ArrayList<>();

    private final List<Descent.State> withoutZero = new ArrayList<>();

    /** The pool frequencies that a linear program selects, the largest weight first. */
    private final List<Double> peaks = new ArrayList<>();

    LineSearch(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
        this.length = target.axes().get(0).length();
        if (plan.spacing() > 0 && plan.spacing() < FINEST_SPACING * Math.PI / length) {
            throw new BochnerException("design: the spacing " + Spelling.print(plan.spacing())
                    + " is too fine for a range of " + Spelling.print(length)
                    + "; search with unrestricted frequencies instead");
        }
        this.descent = new Descent(target, plan.norm());
        this.grid = newGrid(1);
        this.size = target.sizeAtZero();
    }

    private Grid newGrid(int dimension) {
        return Grid.of(target, Form.PROJECTION, plan.norm(), Math.max(GRID_POINTS, 15 * dimension));
    }

    /** Returns the error of an unfinished design on the search grid; 0 if the error is unknown. */
    synchronized double unfinishedError(int dimension) {
        return moves()
                ? onPaths(dimension, Designs.NO_PROGRESS)
                        .mapToDouble(state -> state.error())
                        .min()
                        .orElse(0)
                : 0;
    }

    /**
     * Returns false if no size up to {@code most} is likely to reach an error. This holds if the error falls more and
     * more slowly and would have to fall faster per six dimensions than it does now. Errors of narrow signatures fall
     * slowly only at first.
     */
    synchronized boolean mayReach(int dimension, double error, int most) {
        if (!moves() || dimension <= 18) {
            return true;
        }
        double now = unfinishedError(dimension);
        double before = unfinishedError(dimension - 6);
        double ratio = now / before;
        return ratio < before / unfinishedError(dimension - 12)
                || now * StrictMath.pow(ratio, (most - dimension) / 6.0) <= error;
    }

    private boolean periodic() {
        return target.axes().get(0).periodic();
    }

    /** Returns true if frequencies are unrestricted and found on the paths only. */
    private boolean moves() {
        return !periodic() && plan.search() == Search.CONTINUOUS;
    }

    /**
     * Returns the best design of at most {@code dimension} features.
     *
     * @param progress receives the share of the search that is done
     */
    synchronized Design best(int dimension, DoubleConsumer progress) {
        List<Terms> starts;
        if (periodic()) {
            starts = harmonics(dimension);
        } else {
            starts = onPaths(dimension, progress).map(state -> state.terms()).toList();
            if (!moves()) {
                starts = onPool(starts, dimension, progress);
            }
        }
        return starts.stream()
                .map(start -> finished(start, dimension))
                .min(Comparator.comparingDouble(Design::error))
                .orElseThrow();
    }

    private Design finished(Terms start, int dimension) {
        Grid own = newGrid(dimension);
        int points = own.size();
        Lattice lattice = new Lattice(target, Form.PROJECTION, plan.norm(), 8 * points);
        Descent.State state = descent.exchange(start, own, lattice, moves(), SHARE);
        Terms terms = Design.ordered(state.terms().weighing(1e-13));
        Lattice fine = new Lattice(target, Form.PROJECTION, plan.norm(), FINE_FACTOR * points);
        return new Design(target, plan, terms, fine.norm(terms), state.certificate(), own.size());
    }

    /** Returns the results of the two paths with {@code dimension} features and with one less. */
    private Stream<Descent.State> onPaths(int dimension, DoubleConsumer progress) {
        Runnable longer = () -> progress.accept(
                Math.min(1, (withZero.size() + withoutZero.size()) / (dimension + 1.0)) * (moves() ? 0.9 : 0.3));
        Descent.State zero = path(withZero, true, (dimension + 1) / 2, longer);
        return dimension == 1 ? Stream.of(zero) : Stream.of(zero, path(withoutZero, false, dimension / 2, longer));
    }

    /**
     * Returns the result of a path with {@code count} frequencies, or with as many as reduce the error.
     *
     * @param longer runs after each frequency that is added to a path
     */
    private Descent.State path(List<Descent.State> path, boolean zero, int count, Runnable longer) {
        while (path.size() < count) {
            int next = path.size() + 1;
            Optional<Descent.State> last = next == 1 ? Optional.empty() : Optional.of(path.get(next - 2));
            if (last.isPresent() && last.get().error() < Design.LEAST_ERROR * size) {
                path.add(last.get());
                continue;
            }
            List<Terms> even = even(zero, next);
            List<Terms> starts = new ArrayList<>(
                    next <= FEW ? even : best(start -> descent.refit(start, grid), even, 2 * KEPT_STARTS));
            if (next <= FEW) {
                selected(zero, next).ifPresent(starts::add);
            }
            last.ifPresent(state -> starts.addAll(longer(state.terms())));
            if (zero && next > 1) {
                // This start has one feature more than the other path has with one frequency less.
                starts.add(withZero(path(withoutZero, false, next - 1, longer).terms()));
            }
            List<Terms> promising = best(start -> descent.descend(start, grid, 8, 1e-3), starts, KEPT_STARTS);
            Descent.State best = promising.stream()
                    .map(start -> descent.descend(start, grid, 60, 1e-4))
                    .min(Comparator.comparingDouble(Descent.State::error))
                    .orElseThrow();
            path.add(last.filter(state -> state.error() <= best.error()).orElse(best));
            longer.run();
        }
        return path.get(count - 1);
    }

    /** Returns the improved starts with the smallest errors, the smallest first. */
    private static List<Terms> best(Function<Terms, Descent.State> improve, List<Terms> starts, int count) {
        return starts.stream()
                .map(improve)
                .sorted(Comparator.comparingDouble(Descent.State::error))
                .limit(count)
                .map(Descent.State::terms)
                .toList();
    }

    /**
     * Returns the frequencies with the largest weights that a linear program selects from a pool; they show where the
     * frequencies of an oscillating signature lie.
     */
    private Optional<Terms> selected(boolean zero, int count) {
        if (peaks.isEmpty()) {
            double[] pool = IntStream.range(0, POOL)
                    .mapToDouble(j -> j * Math.PI / (2 * length))
                    .toArray();
            peaks.addAll(Selection.peaks(of(pool), descent, grid));
        }
        int besideZero = zero ? count - 1 : count;
        double[] others = peaks.stream()
                .mapToDouble(w -> w)
                .filter(w -> w > 0)
                .limit(besideZero)
                .toArray();
        if (others.length < besideZero) {
            return Optional.empty();
        }
        return Optional.of(zero ? withZero(of(others)) : of(others));
    }

    private static Terms withZero(Terms terms) {
        return of(DoubleStream.concat(DoubleStream.of(0), Arrays.stream(terms.frequencies()))
                .toArray());
    }

    /**
     * Returns spacings of evenly spaced frequencies: multiples of the first harmonic of the range and, if the signature
     * is wide and its frequencies far smaller, of their standard deviation, from the second derivative at 0. The
     * factors are the node spacings of Gauss–Hermite rules with 2 to 12 nodes.
     */
    private double[] distances() {
        double first = Math.PI / length;
        double step = 1e-2 * length;
        double fall = 1
                - target.signature().applyAsDouble(new double[] {step})
                        / target.signature().applyAsDouble(new double[1]);
        double deviation = Math.sqrt(Math.max(0, 2 * fall)) / step;
        return DoubleStream.concat(
                        DoubleStream.iterate(0.5, spacing -> spacing < 6, spacing -> 1.25 * spacing)
                                .map(spacing -> spacing * first),
                        DoubleStream.of(2, 1.73, 1.45, 1.2, 1, 0.8)
                                .map(factor -> factor * deviation)
                                .filter(distance -> distance > 1e-6 * first && distance < 0.5 * first))
                .toArray();
    }

    /** Returns starts with evenly spaced frequencies, and starts whose spacing grows. */
    private List<Terms> even(boolean zero, int count) {
        List<Terms> starts = new ArrayList<>();
        for (double bend : new double[] {1, 1.3}) {
            for (double scale : distances()) {
                starts.add(of(IntStream.range(0, count)
                        .mapToDouble(j -> scale * StrictMath.pow(zero ? j : j + 0.5, bend))
                        .toArray()));
            }
        }
        return starts;
    }

    /** Returns starts with one more frequency: beyond the last by several distances, or between the last two. */
    private List<Terms> longer(Terms terms) {
        double[] w = Arrays.stream(terms.frequencies()).map(Math::abs).sorted().toArray();
        double last = w[w.length - 1];
        double distance = w.length > 1 ? last - w[w.length - 2] : Math.max(last, Math.PI / length);
        return Stream.of(0.7, 1.0, 1.4, 2.0, -0.5)
                .map(share -> {
                    double[] more = Arrays.copyOf(w, w.length + 1);
                    more[w.length] = last + share * distance;
                    return of(more);
                })
                .toList();
    }

    static Terms of(double[] frequencies) {
        return Terms.of(Form.PROJECTION, 1, frequencies);
    }

    /** Returns the starts of a discrete search: frequencies that are multiples of the spacing. */
    private List<Terms> onPool(List<Terms> paths, int dimension, DoubleConsumer progress) {
        double spacing = plan.spacing() > 0 ? plan.spacing() : Math.PI / (8 * length);
        PoolSearch search =
                new PoolSearch(descent, grid, length, spacing, share -> progress.accept(0.3 + 0.65 * share));
        return search.starts(paths, distances(), dimension);
    }

    /**
     * Returns selections of the harmonics of the period: those with the largest Fourier coefficients, and those that a
     * linear program selects. The trapezoidal rule gives the coefficients, exactly up to aliased harmonics.
     */
    private List<Terms> harmonics(int dimension) {
        int points = 8 * MOST_HARMONICS;
        double[] cosines = new double[points];
        double[] values = new double[points];
        for (int i = 0; i < points; i++) {
            cosines[i] = StrictMath.cos(2 * Math.PI * i / points);
            values[i] = target.signature().applyAsDouble(new double[] {2 * length * i / points});
        }
        double[] weights = new double[MOST_HARMONICS];
        for (int j = 0; j < MOST_HARMONICS; j++) {
            double sum = 0;
            for (int i = 0; i < points; i++) {
                sum += values[i] * cosines[i * j % points];
            }
            weights[j] = (j == 0 ? 1 : 2) * sum / points;
        }
        double[] frequencies = IntStream.range(0, MOST_HARMONICS)
                .mapToDouble(j -> j * Math.PI / length)
                .toArray();
        Terms all = new Terms(Form.PROJECTION, 1, frequencies, weights);
        Terms likely = all.some(Selection.largest(all, 6 * dimension + 20, false));
        return Stream.concat(
                        Stream.of(false, true).map(byFeature -> all.some(Selection.largest(all, dimension, byFeature))),
                        Selection.choose(likely, dimension, descent, grid).stream()
                                .map(Descent.State::terms))
                .filter(terms -> terms.count() > 0)
                .toList();
    }
}
