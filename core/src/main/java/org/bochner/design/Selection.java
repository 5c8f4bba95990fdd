package org.bochner.design;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses terms from a pool: a linear program of all of them puts a price on weights, so that few are left, and those of the
 * largest weights stay as long as there is room. Several prices and two ways to rank make several choices.
 */
final class Selection {
    /** Of the largest error, for each feature of a unit of weight. Between them the programs' choices change. */
    private static final double[] PRICES = {1e-4, 1e-3, 1e-2, 0.05, 0.1};

    /** What rounding leaves of a weight that a program set to 0. */
    private static final double LEAST_WEIGHT = 1e-12;

    private Selection() {}

    /** Choices of at most so many dimensions, refitted, the best first. */
    static List<Descent.State> choose(Terms pool, int dimension, Descent descent, Grid grid) {
        Set<List<Integer>> choices = new LinkedHashSet<>();
        for (double price : PRICES) {
            Terms priced = descent.refit(pool, grid, prices(pool, price)).terms();
            for (boolean byFeature : new boolean[] {false, true}) {
                choices.add(largest(priced, dimension, byFeature));
            }
        }
        List<Descent.State> states = new ArrayList<>();
        for (List<Integer> choice : choices) {
            Terms chosen = pool.some(choice);
            if (chosen.count > 0) {
                states.add(descent.refit(chosen, grid));
            }
        }
        states.sort(Comparator.comparingDouble(state -> state.error()));
        return states;
    }

    /**
     * The frequencies of an even pool of one column that a program selects, the largest weight first. One true frequency is
     * split between neighbours: they are merged.
     */
    static List<Double> peaks(Terms pool, Descent descent, Grid grid) {
        double[] weights = descent.refit(pool, grid, prices(pool, PRICES[1])).terms().weights;
        List<double[]> merged = new ArrayList<>();
        for (int j = 0; j < pool.count; j++) {
            if (weights[j] <= LEAST_WEIGHT) {
                continue;
            }
            double[] last = j > 0 && weights[j - 1] > LEAST_WEIGHT ? merged.get(merged.size() - 1) : new double[2];
            if (last[1] == 0) {
                merged.add(last);
            }
            last[0] += weights[j] * pool.frequencies[j];
            last[1] += weights[j];
        }
        return merged.stream()
                .sorted(Comparator.comparingDouble(peak -> -peak[1]))
                .map(peak -> peak[0] / peak[1])
                .toList();
    }

    private static double[] prices(Terms pool, double price) {
        return IntStream.range(0, pool.count)
                .mapToDouble(j -> price * pool.dimension(j))
                .toArray();
    }

    /** The terms of the largest weights, or weights a feature, that fit. */
    static List<Integer> largest(Terms terms, int dimension, boolean byFeature) {
        List<Integer> order = IntStream.range(0, terms.count)
                .boxed()
                .filter(j -> terms.weights[j] > LEAST_WEIGHT)
                .sorted(Comparator.comparingDouble(j -> -terms.weights[j] / (byFeature ? terms.dimension(j) : 1)))
                .toList();
        List<Integer> kept = new ArrayList<>();
        int room = dimension;
        for (int j : order) {
            if (terms.dimension(j) <= room) {
                kept.add(j);
                room -= terms.dimension(j);
            }
        }
        return kept.stream().sorted().toList();
    }
}
