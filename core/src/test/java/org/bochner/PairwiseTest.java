package org.bochner;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairwiseTest {
    private static boolean covered(List<int[]> chosen, int f, int a, int g, int b) {
        return chosen.stream().anyMatch(combination -> combination[f] == a && combination[g] == b);
    }

    @Test
    void everyPairOccursInFewCombinations() {
        int[] sizes = {4, 3, 3, 2};
        List<int[]> chosen = Pairwise.of(combination -> true, sizes);
        for (int f = 0; f < sizes.length; f++) {
            for (int g = 0; g < f; g++) {
                for (int a = 0; a < sizes[f]; a++) {
                    for (int b = 0; b < sizes[g]; b++) {
                        assertTrue(covered(chosen, f, a, g, b));
                    }
                }
            }
        }
        // 12 are needed for the two largest factors, and there are 72 combinations.
        assertTrue(chosen.size() <= 16, "combinations " + chosen.size());
    }

    @Test
    void combinationsThatAreNotAllowedDoNotOccur() {
        List<int[]> chosen = Pairwise.of(combination -> combination[0] != 1 || combination[1] == 0, 2, 3, 2);
        assertTrue(chosen.stream().allMatch(combination -> combination[0] != 1 || combination[1] == 0));
        assertTrue(covered(chosen, 0, 1, 2, 0) && covered(chosen, 0, 1, 2, 1) && covered(chosen, 0, 0, 1, 2));
    }
}
