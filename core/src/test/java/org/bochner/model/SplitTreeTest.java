package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.data.DenseRows;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class SplitTreeTest {
    private static SplitTree.Split split(
            Map<Integer, Double> direction, double low, double high, int below, int above) {
        return new SplitTree.Split(new TreeMap<>(direction), low, high, below, above);
    }

    /** Leaf 0 on the lower left, leaf 1 on the upper left, leaf 2 on the right of a slanted border. */
    private static SplitTree tree() {
        return new SplitTree(
                2, List.of(split(Map.of(0, 1.0, 1, 0.5), 0.6, 0.8, 1, -3), split(Map.of(1, 2.0), 0.9, 0.9, -1, -2)));
    }

    private static double[] shares(SplitTree tree, double... row) {
        double[] shares = new double[tree.leaves()];
        tree.shares(DenseRows.of(row, null), 0, shares);
        return shares;
    }

    @Test
    void sharesFollowTheRamp() {
        assertArrayEquals(new double[] {1, 0, 0}, shares(tree(), 0, 0.4), 0);
        assertArrayEquals(new double[] {0, 1, 0}, shares(tree(), 0, 0.5), 0);
        assertArrayEquals(new double[] {0, 0, 1}, shares(tree(), 0.8, 0.1), 0);
        // The projection 0.65 is a quarter of the way; row values are float32.
        assertArrayEquals(new double[] {0.75, 0, 0.25}, shares(tree(), 0.525, 0.25), 1e-6);
    }

    @Test
    void sharesAddUpToOneAndAreContinuous() {
        SplitTree tree = new SplitTree(
                2,
                List.of(
                        split(Map.of(0, 1.0, 1, 0.5), 0.6, 0.8, 1, 2),
                        split(Map.of(1, 2.0), 0.7, 1.1, -1, -2),
                        split(Map.of(0, -1.0), -0.6, -0.5, -3, -4)));
        RandomStream stream = new Seed(2).stream();
        for (int trial = 0; trial < 500; trial++) {
            double x = stream.nextUniform();
            double y = stream.nextUniform();
            double[] here = shares(tree, x, y);
            assertEquals(1, Arrays.stream(here).sum(), 1e-15);
            double[] near = shares(tree, x + 1e-5, y - 1e-5);
            for (int l = 0; l < here.length; l++) {
                assertTrue(here[l] >= 0);
                // Slopes: 1.5/0.2, 2/0.4 and 1/0.1 per unit, which products of two shares at most add.
                assertEquals(here[l], near[l], 25e-5 + 1e-6);
            }
        }
    }

    @Test
    void isSavedAndLoaded() {
        SplitTree loaded = SplitTree.load(tree().state());
        assertEquals(tree().splits(), loaded.splits());
        assertEquals(tree().state(), loaded.state());
        assertEquals(0, new SplitTree(3, List.of()).splits().size());
        assertArrayEquals(new double[] {1}, shares(new SplitTree(2, List.of()), 4, 5), 0);
    }

    @Test
    void treesThatAreNoneAreRefused() {
        for (int[] next : new int[][] {{-1, -1}, {0, -1}, {1, -1}, {-1, -3}, {Integer.MIN_VALUE, -1}, {-2, 7}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new SplitTree(2, List.of(split(Map.of(0, 1.0), 0, 1, next[0], next[1]))),
                    Arrays.toString(next));
        }
        assertThrows(
                IllegalArgumentException.class, () -> new SplitTree(2, List.of(split(Map.of(2, 1.0), 0, 1, -1, -2))));
        assertThrows(IllegalArgumentException.class, () -> split(Map.of(0, 1.0), 1, 0, -1, -2));
        assertThrows(IllegalArgumentException.class, () -> split(Map.of(0, Double.NaN), 0, 1, -1, -2));
        assertThrows(IllegalArgumentException.class, () -> split(Map.of(), 0, 1, -1, -2));
        assertThrows(IllegalArgumentException.class, () -> split(Map.of(0, 1.0), -1e308, 1e308, -1, -2));
    }
}
