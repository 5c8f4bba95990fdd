package org.bochner;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Chooses few combinations of values, such that every pair of values that can occur together does so at least once. */
public final class Pairwise {
    private Pairwise() {}

    /**
     * Returns combinations of one value per factor, as indices. Greedy: each combination covers as many new pairs as possible.
     *
     * @param allowed whether a combination can occur
     * @param sizes number of values of each factor
     */
    public static List<int[]> of(Predicate<int[]> allowed, int... sizes) {
        List<int[]> candidates = new ArrayList<>();
        int count = 1;
        for (int size : sizes) {
            count *= size;
        }
        Set<List<Integer>> missing = new HashSet<>();
        for (int i = 0; i < count; i++) {
            int[] combination = new int[sizes.length];
            int rest = i;
            for (int f = 0; f < sizes.length; f++) {
                combination[f] = rest % sizes[f];
                rest /= sizes[f];
            }
            if (allowed.test(combination)) {
                candidates.add(combination);
                missing.addAll(pairs(combination));
            }
        }
        List<int[]> chosen = new ArrayList<>();
        while (!missing.isEmpty()) {
            int[] best = candidates.get(0);
            long most = -1;
            for (int[] candidate : candidates) {
                long covered =
                        pairs(candidate).stream().filter(missing::contains).count();
                if (covered > most) {
                    most = covered;
                    best = candidate;
                }
            }
            chosen.add(best);
            pairs(best).forEach(missing::remove);
        }
        return chosen;
    }

    private static List<List<Integer>> pairs(int[] combination) {
        List<List<Integer>> pairs = new ArrayList<>();
        for (int f = 0; f < combination.length; f++) {
            for (int g = 0; g < f; g++) {
                pairs.add(List.of(f, combination[f], g, combination[g]));
            }
        }
        return pairs;
    }
}
