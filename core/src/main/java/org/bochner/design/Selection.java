package org.bochner.design;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses terms from a pool. A linear program over the whole pool puts a price on weights, so most weights become 0;
 * the terms with the largest weights are kept while they fit. Several prices and two rankings give several choices.
 */
final class Selection {
    /** Prices per feature and unit of weight, in units of the error. The choices change within this range. */
    private static final double[] PRICES = {1e-4, 1e-3, 1e-2, 0.05, 0.1};

    /** Weights up to this size are rounding of a weight 0. */
    private static final double LEAST_WEIGHT = 1e-12;

    private Selection() {}

    /** Returns choices of at most {@code dimension} features with refitted weights, the smallest error first. */
    static List<Descent.State> choose(Terms pool, int dimension, Descent descent, Grid grid) {
        Set<List<Integer>> choices = new LinkedHashSet<>();
        for (double price : PRICES) {
            Terms priced = descent.refit(pool, grid, prices(pool, price)).terms();
            for (boolean byFeature : new boolean[] {false, true}) {
                choices.add(largest(priced, dimension, byFeature));
            }
        }
        return choices.stream()
                .filter(choice -> !choice.isEmpty())
                .map(choice -> descent.refit(pool.some(choice), grid))
                .sorted(Comparator.comparingDouble(Descent.State::error))
                .toList();
    }

    /**
     * Returns the frequencies that a program selects from an evenly spaced pool of one column, the largest weight
     * first. Neighbours are merged, because the program splits a true frequency between them.
     */
    static List<Double> peaks(Terms pool, Descent descent, Grid grid) {
        double[] weights =
                descent.refit(pool, grid, prices(pool, PRICES[1])).terms().weights();
        List<double[]> merged = new ArrayList<>();
        for (int j = 0; j < pool.count(); j++) {
            if (weights[j] <= LEAST_WEIGHT) {
                continue;
            }
            double[] last = j > 0 && weights[j - 1] > LEAST_WEIGHT ? merged.get(merged.size() - 1) : new double[2];
            if (last[1] == 0) {
                merged.add(last);
            }
            last[0] += weights[j] * pool.frequencies()[j];
            last[1] += weights[j];
        }
        return merged.stream()
                .sorted(Comparator.comparingDouble(peak -> -peak[1]))
                .map(peak -> peak[0] / peak[1])
                .toList();
    }

    /** Returns a price per unit of each term's weight: a price per feature times the number of features. */
    static double[] prices(Terms pool, double price) {
        return IntStream.range(0, pool.count())
                .mapToDouble(j -> price * pool.dimension(j))
                .toArray();
    }

    /** Returns the terms with the largest weights, or the largest weights per feature, that fit. */
    static List<Integer> largest(Terms terms, int dimension, boolean byFeature) {
        List<Integer> order = IntStream.range(0, terms.count())
                .boxed()
                .filter(j -> terms.weights()[j] > LEAST_WEIGHT)
                .sorted(Comparator.comparingDouble(j -> -terms.weights()[j] / (byFeature ? terms.dimension(j) : 1)))
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
