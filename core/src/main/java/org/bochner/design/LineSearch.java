package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;

/** Designs of one column. */
final class LineSearch {
    static final int GRID_POINTS = 300;

    private static final int FINE_FACTOR = 10;

    /** How close the error between grid points comes to that on them: to this share. */
    private static final double SHARE = 1e-5;

    /** How many starts go on after the first steps. */
    private static final int STARTS = 5;

    /** Harmonics of a period that are looked at. */
    private static final int MOST_HARMONICS = 400;

    private final Target target;
    private final Plan plan;
    private final double length;
    private final Descent descent;

    LineSearch(Target target, Plan plan) {
        this.target = target;
        this.plan = plan;
        this.length = target.axes().get(0).length();
        this.descent = new Descent(target, plan.norm());
    }

    /**
     * The best design of at most so many dimensions.
     *
     * @param fewer the design of one dimension less, if any: this one is no worse
     */
    Design best(int dimension, Optional<Design> fewer) {
        int points = Math.max(GRID_POINTS, 25 * dimension);
        Grid grid = Grid.of(target, Form.PROJECTION, plan.norm(), points);
        Lattice lattice = new Lattice(target, Form.PROJECTION, plan.norm(), 8 * points);
        boolean periodic = target.axes().get(0).periodic();
        boolean move = !periodic && plan.search() == Plan.Search.CONTINUOUS;
        List<Terms> starts = periodic ? harmonics(dimension, grid) : moving(dimension, fewer, grid);
        if (!periodic && !move) {
            starts = onPool(Stream.concat(starts.stream(), even(dimension).stream()), grid);
        }
        Optional<Descent.State> best = starts.stream()
                .flatMap(start -> attempt(() -> descent.exchange(start, grid, lattice, move, SHARE)).stream())
                .min(Comparator.comparingDouble(state -> state.error));
        Lattice fine = new Lattice(target, Form.PROJECTION, plan.norm(), FINE_FACTOR * grid.size());
        Optional<Design> found = best.map(state -> {
            Terms terms = Design.ordered(state.terms.weighing(1e-13));
            return new Design(target, plan, terms, fine.norm(terms), state.bound, grid.size());
        });
        return found.filter(design ->
                        fewer.isEmpty() || design.error() < fewer.get().error())
                .or(() -> fewer)
                .orElseThrow(() -> new BochnerException("design: no linear program of " + dimension
                        + " dimensions could be solved; take fewer dimensions"));
    }

    /** An attempt that may fail where rounding is all that is left of an error. */
    private static Optional<Descent.State> attempt(java.util.function.Supplier<Descent.State> attempt) {
        try {
            return Optional.of(attempt.get());
        } catch (BochnerException e) {
            return Optional.empty();
        }
    }

    /** Even frequencies of several distances, and what the smaller design begins: all moved a little, the best until they rest. */
    private List<Terms> moving(int dimension, Optional<Design> fewer, Grid grid) {
        List<Terms> starts = even(dimension);
        fewer.ifPresent(design -> starts.add(extended(design)));
        List<Descent.State> moved = descended(starts, grid, 8, 1e-3);
        List<Terms> best =
                moved.stream().limit(STARTS).map(state -> state.terms).toList();
        return descended(best, grid, 60, 1e-4).stream()
                .limit(2)
                .map(state -> state.terms)
                .toList();
    }

    /** What the starts come to, the least error first. */
    private List<Descent.State> descended(List<Terms> starts, Grid grid, int steps, double share) {
        return starts.stream()
                .flatMap(start -> attempt(() -> descent.descend(start, grid, steps, share)).stream())
                .sorted(Comparator.comparingDouble(state -> state.error))
                .toList();
    }

    /**
     * Distances of even frequencies: of the order of the first harmonic of the range; where the signature is wide, so that
     * its frequencies are far smaller, of their standard deviation too, by the second derivative at 0. The factors are those
     * of the nodes of Gauss–Hermite rules, from 2 nodes to 12.
     */
    private double[] distances() {
        double first = Math.PI / length;
        double step = 1e-2 * length;
        double fall = 1
                - target.signature().at(new double[] {step})
                        / target.signature().at(new double[1]);
        double deviation = Math.sqrt(Math.max(0, 2 * fall)) / step;
        return DoubleStream.concat(
                        DoubleStream.iterate(0.5, spacing -> spacing < 6, spacing -> 1.25 * spacing)
                                .map(spacing -> spacing * first),
                        DoubleStream.of(2, 1.73, 1.45, 1.2, 1, 0.8)
                                .map(factor -> factor * deviation)
                                .filter(distance -> distance > 1e-6 * first && distance < 0.5 * first))
                .toArray();
    }

    private List<Terms> even(int dimension) {
        List<Terms> starts = new ArrayList<>();
        boolean zero = dimension % 2 == 1;
        int count = (dimension + 1) / 2;
        for (double bend : new double[] {1, 1.3}) {
            for (double scale : distances()) {
                starts.add(Terms.of(
                        Form.PROJECTION,
                        1,
                        IntStream.range(0, count)
                                .mapToDouble(j -> scale * StrictMath.pow(zero ? j : j + 0.5, bend))
                                .toArray()));
            }
        }
        return starts;
    }

    /** The frequencies of a design of a dimension less, with 0 among them where it was not, or split where it was. */
    private static Terms extended(Design design) {
        double[] w = IntStream.range(0, design.count())
                .mapToDouble(j -> design.frequency(j)[0])
                .toArray();
        if (w[0] != 0) {
            return Terms.of(
                    Form.PROJECTION,
                    1,
                    DoubleStream.concat(DoubleStream.of(0), Arrays.stream(w)).toArray());
        }
        double[] split = w.clone();
        split[0] = w.length > 1 ? w[1] / 3 : 0.1;
        return Terms.of(Form.PROJECTION, 1, split);
    }

    /** The nearest multiples of the spacing; in the best of them, each then moves by some steps as long as that helps. */
    private List<Terms> onPool(Stream<Terms> starts, Grid grid) {
        double spacing = plan.spacing() > 0 ? plan.spacing() : Math.PI / (8 * length);
        return starts.map(start -> rounded(start, spacing))
                .sorted(Comparator.comparingDouble(steps -> error(steps, spacing, grid)))
                .limit(STARTS)
                .map(steps -> multiples(stepped(steps, spacing, grid), spacing))
                .toList();
    }

    private static long[] rounded(Terms start, double spacing) {
        long[] steps = Arrays.stream(start.frequencies)
                .mapToLong(w -> Math.round(Math.abs(w) / spacing))
                .sorted()
                .toArray();
        for (int j = 1; j < steps.length; j++) {
            steps[j] = Math.max(steps[j], steps[j - 1] + 1);
        }
        return steps;
    }

    private long[] stepped(long[] start, double spacing, Grid grid) {
        long[] steps = start;
        double best = error(steps, spacing, grid);
        boolean better = true;
        while (better) {
            better = false;
            for (int j = 0; j < steps.length; j++) {
                for (int step : new int[] {-1, 1, -2, 2}) {
                    long[] other = steps.clone();
                    other[j] += step;
                    boolean zeroStays = steps[j] != 0 && other[j] > 0;
                    if (!zeroStays || Arrays.stream(other).distinct().count() < other.length) {
                        continue;
                    }
                    double error = error(other, spacing, grid);
                    if (error < best * (1 - 1e-9)) {
                        best = error;
                        steps = other;
                        better = true;
                    }
                }
            }
        }
        return steps;
    }

    private double error(long[] steps, double spacing, Grid grid) {
        return attempt(() -> descent.refit(multiples(steps, spacing), grid))
                .map(state -> state.error)
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static Terms multiples(long[] steps, double spacing) {
        return Terms.of(
                Form.PROJECTION,
                1,
                Arrays.stream(steps).mapToDouble(i -> i * spacing).toArray());
    }

    /**
     * Choices of harmonics of the period: those of the largest Fourier coefficients, and what a linear program selects. The
     * coefficients are those of the trapezoidal rule, which is exact up to the harmonics it folds together.
     */
    private List<Terms> harmonics(int dimension, Grid grid) {
        int points = 8 * MOST_HARMONICS;
        double[] weights = new double[MOST_HARMONICS];
        for (int i = 0; i < points; i++) {
            double turns = (double) i / points;
            double value = target.signature().at(new double[] {2 * length * turns});
            for (int j = 0; j < MOST_HARMONICS; j++) {
                weights[j] += (j == 0 ? 1 : 2)
                        * value
                        * StrictMath.cos(2 * Math.PI * ((long) i * j % points) / points)
                        / points;
            }
        }
        double[] frequencies = IntStream.range(0, MOST_HARMONICS)
                .mapToDouble(j -> j * Math.PI / length)
                .toArray();
        Terms all = new Terms(Form.PROJECTION, 1, frequencies, weights);
        List<Terms> starts = new ArrayList<>();
        for (boolean byFeature : new boolean[] {false, true}) {
            starts.add(all.some(Selection.largest(all, dimension, byFeature).stream()
                    .mapToInt(j -> j)
                    .toArray()));
        }
        int[] likely = Selection.largest(all, 6 * dimension + 20, false).stream()
                .mapToInt(j -> j)
                .toArray();
        for (Descent.State state : Selection.choose(all.some(likely), dimension, descent, grid)) {
            starts.add(state.terms);
        }
        return starts;
    }
}
