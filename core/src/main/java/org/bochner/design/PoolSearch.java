package org.bochner.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Chooses the frequencies of a discrete design of one column, which are multiples of a spacing.
 *
 * <p>A linear program over the whole pool minimises the error plus a price per feature and unit of weight. With γ the
 * inverse of the price, this is the program min Σ D·α + γ·C of the reference. A bisection searches γ: larger if the
 * program selects at most the wanted number of features, smaller otherwise. Each result, cut to the wanted number, is
 * a start, with and without merging neighbours of the pool, between which the program splits a frequency. The
 * continuous designs, rounded, and evenly spaced frequencies are starts too. In the best starts, frequencies then move
 * along the pool while the error falls.
 *
 * <p>The program has one variable per frequency of the pool, nearly all of them 0. It is solved by column generation:
 * with few frequencies first, to which those are added that are worth more than their price. It ends when the pool has
 * none, so the result is the solution for the whole pool.
 *
 * <p>Reference: Chum, Low dimensional explicit feature maps, 2015, sections 2.1 and 4.1.
 *
 * <p>Threads: not safe.
 */
final class PoolSearch {
    /** The smallest weight γ of the error. Below this γ, the program selects one or two frequencies. */
    private static final double LEAST_GAMMA = 2;

    private static final double LARGEST_GAMMA = 2000;
    private static final int BISECTIONS = 8;

    /** Starts with an error this many times that of the best start do not continue. */
    private static final double LARGEST_ERROR_RATIO = 3;

    /** The number of results of the programs, and the number of evenly spaced starts, that continue. */
    private static final int KEPT_STARTS = 4;

    /**
     * The pool extends beyond the highest frequency of the continuous designs by at least this number of harmonics of
     * the range.
     */
    private static final int EXTRA_HARMONICS = 2;

    /** The number of frequencies, evenly spaced in the pool, with which the first program starts. */
    private static final int FIRST = 24;

    /** The largest pool of a program. Of a finer spacing, the program uses every second, third, … multiple. */
    private static final int MOST_CANDIDATES = 2000;

    private static final int MOST_ROUNDS = 40;

    /** Weights up to this share of their sum are rounding of a weight 0. */
    private static final double LEAST_SHARE = 1e-9;

    /** Terms are added if their worth exceeds their price by more than this share of the price. */
    private static final double RELATIVE_MARGIN = 1e-7;

    /** The worth must exceed the price and the relative margin by more than this number, in units of the error. */
    private static final double ABSOLUTE_MARGIN = 1e-7;

    /** Up to this number of frequencies, all runs of adjacent frequencies move together, otherwise only the upper ones. */
    private static final int FEW = 12;

    /**
     * A frequency that a program selects.
     *
     * @param step the frequency divided by the spacing
     * @param weight its spectral weight
     */
    private record Peak(double step, double weight) {}

    private final Descent descent;
    private final Grid grid;
    private final double length;
    private final double spacing;
    private final DoubleConsumer progress;
    private final Map<List<Long>, Double> known = new HashMap<>();

    PoolSearch(Descent descent, Grid grid, double length, double spacing, DoubleConsumer progress) {
        this.descent = descent;
        this.grid = grid;
        this.length = length;
        this.spacing = spacing;
        this.progress = progress;
    }

    /**
     * Returns starts whose frequencies are multiples of the spacing, after they have moved.
     *
     * @param paths continuous designs
     * @param distances distances of evenly spaced frequencies
     */
    List<Terms> starts(List<Terms> paths, double[] distances, int dimension) {
        List<List<Long>> rounded = paths.stream().map(this::rounded).toList();
        Stream<List<Long>> even = Arrays.stream(distances).mapToObj(distance -> even(distance, dimension));
        long highest = rounded.stream()
                .mapToLong(steps -> steps.get(steps.size() - 1))
                .max()
                .orElse(1);
        long end = end(highest);
        long stride = 1 + end / MOST_CANDIDATES;
        List<List<Long>> starts = Stream.of(
                        rounded.stream(), best(even), best(selected(end, stride, dimension).stream()))
                .flatMap(Function.identity())
                .distinct()
                .toList();
        double least = starts.stream().mapToDouble(this::error).min().orElse(0);
        List<List<Long>> hopeful = starts.stream()
                .filter(start -> error(start) <= LARGEST_ERROR_RATIO * least)
                .toList();
        List<List<Long>> ends = new ArrayList<>();
        for (List<Long> start : hopeful) {
            progress.accept(0.5 + 0.5 * ends.size() / hopeful.size());
            ends.add(moved(start, stride));
        }
        return best(ends.stream()).map(this::terms).toList();
    }

    private Stream<List<Long>> best(Stream<List<Long>> choices) {
        return choices.distinct()
                .sorted(Comparator.comparingDouble(this::error))
                .limit(KEPT_STARTS);
    }

    private List<Long> even(double distance, int dimension) {
        boolean zero = dimension % 2 == 1;
        long step = Math.max(1, Math.round(distance / spacing));
        return LongStream.range(0, (dimension + 1) / 2)
                .map(j -> zero ? j * step : j * step + (step + 1) / 2)
                .boxed()
                .toList();
    }

    private List<Long> rounded(Terms terms) {
        return ascending(Arrays.stream(terms.frequencies()).mapToLong(w -> Math.round(Math.abs(w) / spacing)));
    }

    /** Returns numbers in ascending order; equal ones move up. */
    private static List<Long> ascending(LongStream numbers) {
        long[] steps = numbers.sorted().toArray();
        for (int j = 1; j < steps.length; j++) {
            steps[j] = Math.max(steps[j], steps[j - 1] + 1);
        }
        return Arrays.stream(steps).boxed().toList();
    }

    /** Returns the last step of the pool. */
    private long end(long highestStart) {
        long beyond = (long) Math.ceil(EXTRA_HARMONICS * Math.PI / (length * spacing));
        return highestStart + Math.max(beyond, highestStart / 2);
    }

    /** Returns the frequencies that the programs select, cut to at most {@code dimension} features. */
    private Set<List<Long>> selected(long end, long stride, int dimension) {
        long[] pool =
                LongStream.rangeClosed(0, end / stride).map(i -> i * stride).toArray();
        Set<List<Long>> choices = new LinkedHashSet<>();
        double low = Math.log(LEAST_GAMMA);
        double high = Math.log(LARGEST_GAMMA);
        Set<Integer> active = new TreeSet<>();
        for (int i = 0; i < pool.length; i += Math.max(1, pool.length / FIRST)) {
            active.add(i);
        }
        for (int step = 0; step < BISECTIONS; step++) {
            progress.accept(0.5 * step / BISECTIONS);
            double middle = (low + high) / 2;
            Map<Integer, Double> weights = weights(pool, active, StrictMath.exp(-middle));
            active = new TreeSet<>(weights.keySet());
            List<Peak> merged = merged(weights, stride, 1);
            for (List<Peak> peaks : List.of(merged, merged(weights, stride, 0))) {
                cut(peaks, dimension, true).ifPresent(choices::add);
                if (dimension % 2 == 0) {
                    cut(peaks, dimension, false).ifPresent(choices::add);
                }
            }
            if (merged.stream().mapToInt(peak -> features(peak.step())).sum() <= dimension) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return choices;
    }

    private static int features(double step) {
        return step == 0 ? 1 : 2;
    }

    /**
     * Returns the places in the pool with positive weights in the solution for the whole pool, and their weights.
     *
     * @param first the places to start with
     */
    Map<Integer, Double> weights(long[] pool, Set<Integer> first, double price) {
        Set<Integer> active = new TreeSet<>(first);
        Map<Integer, Double> weights = new TreeMap<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            int[] places = active.stream().mapToInt(i -> i).toArray();
            Terms terms = terms(Arrays.stream(places).mapToObj(i -> pool[i]).toList());
            Optional<DesignProgram.Result> solved = descent.priced(terms, grid, Selection.prices(terms, price));
            if (solved.isEmpty()) {
                break;
            }
            weights.clear();
            double[] found = solved.get().terms().weights();
            double least = LEAST_SHARE * Arrays.stream(found).sum();
            for (int j = 0; j < places.length; j++) {
                if (found[j] > least) {
                    weights.put(places[j], found[j]);
                }
            }
            if (!addWorthy(pool, active, price, solved.get().multipliers())) {
                break;
            }
        }
        return weights;
    }

    /**
     * Adds the frequencies at the local maxima of worth minus price, where it is positive; returns false if there are
     * none.
     */
    private boolean addWorthy(long[] pool, Set<Integer> active, double price, double[] multipliers) {
        double[] gains = new double[pool.length];
        for (int i = 0; i < gains.length; i++) {
            double worth = 0;
            for (int p = 0; p < multipliers.length; p++) {
                if (multipliers[p] != 0) {
                    worth += multipliers[p] * StrictMath.cos(pool[i] * spacing * grid.points()[p]);
                }
            }
            gains[i] = worth - price * features((double) pool[i]) * (1 + RELATIVE_MARGIN);
        }
        boolean added = false;
        for (int i = 0; i < gains.length; i++) {
            boolean top = (i == 0 || gains[i] >= gains[i - 1]) && (i == gains.length - 1 || gains[i] >= gains[i + 1]);
            if (top && gains[i] > ABSOLUTE_MARGIN) {
                added |= active.add(i);
            }
        }
        return added;
    }

    /**
     * Merges runs of places in the pool to peaks with their mean step and the sum of their weights.
     *
     * @param gap the largest distance of adjacent places in a run; 0 for no merging
     */
    private static List<Peak> merged(Map<Integer, Double> weights, long stride, int gap) {
        List<Peak> merged = new ArrayList<>();
        int last = 0;
        for (Map.Entry<Integer, Double> entry : weights.entrySet()) {
            int place = entry.getKey();
            double weight = entry.getValue();
            // The frequency 0 stays by itself, because it makes one feature only.
            if (last == 0 || place - last > gap) {
                merged.add(new Peak(place * stride, weight));
            } else {
                Peak run = merged.get(merged.size() - 1);
                double sum = run.weight() + weight;
                merged.set(merged.size() - 1, new Peak(run.step() + (place * stride - run.step()) * weight / sum, sum));
            }
            last = place;
        }
        return merged;
    }

    /** Returns the frequencies with the largest weights that fit. */
    private static Optional<List<Long>> cut(List<Peak> merged, int dimension, boolean zero) {
        int room = dimension;
        List<Long> kept = new ArrayList<>();
        List<Peak> heaviest = merged.stream()
                .filter(peak -> zero || peak.step() > 0)
                .sorted(Comparator.comparingDouble(peak -> -peak.weight()))
                .toList();
        for (Peak peak : heaviest) {
            if (features(peak.step()) <= room) {
                kept.add(Math.round(peak.step()));
                room -= features(peak.step());
            }
        }
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(ascending(kept.stream().mapToLong(step -> step)));
    }

    /**
     * Moves frequencies along the pool, one by one or adjacent ones together, while the error falls: first by the stride
     * of the programs, then by half of it, and so on to single steps of the pool.
     */
    private List<Long> moved(List<Long> start, long stride) {
        List<Long> steps = start;
        double best = error(steps);
        long unit = stride;
        while (true) {
            List<Long> better = steps;
            for (List<Long> other : neighbours(steps, unit)) {
                double error = error(other);
                if (error < best * (1 - 1e-9)) {
                    best = error;
                    better = other;
                }
            }
            if (better != steps) {
                steps = better;
            } else if (unit == 1) {
                return steps;
            } else {
                unit /= 2;
            }
        }
    }

    private static List<List<Long>> neighbours(List<Long> steps, long unit) {
        List<List<Long>> all = new ArrayList<>();
        int count = steps.size();
        for (int from = 0; from < count; from++) {
            for (int to = from + 1; to <= count; to++) {
                boolean singleOrLast = to == from + 1 || to == count;
                if (singleOrLast || count <= FEW) {
                    for (int by : singleOrLast ? new int[] {-1, 1, -2, 2} : new int[] {-1, 1}) {
                        shifted(steps, from, to, by * unit).ifPresent(all::add);
                    }
                }
            }
        }
        return all;
    }

    /** Shifts some frequencies; empty if they would meet others, or if one of them is 0 before or after. */
    private static Optional<List<Long>> shifted(List<Long> steps, int from, int to, long by) {
        List<Long> other = new ArrayList<>(steps);
        for (int j = from; j < to; j++) {
            other.set(j, steps.get(j) + by);
        }
        boolean possible = steps.get(from) > 0
                && other.get(from) > (from == 0 ? 0 : other.get(from - 1))
                && (to == other.size() || other.get(to - 1) < other.get(to));
        return possible ? Optional.of(other) : Optional.empty();
    }

    private double error(List<Long> steps) {
        return known.computeIfAbsent(
                steps, key -> descent.refit(terms(key), grid).error());
    }

    private Terms terms(List<Long> steps) {
        return LineSearch.of(steps.stream().mapToDouble(i -> i * spacing).toArray());
    }
}
