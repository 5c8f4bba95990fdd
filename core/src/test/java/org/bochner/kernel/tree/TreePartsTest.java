package org.bochner.kernel.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/** The tree of points, and the interpolation on its boxes. */
class TreePartsTest {
    /** Powers of two are divided one point at a time while a node has 17 to 31 points, the worst case. */
    @Test
    void nodesAreFewerThanPoints() {
        double[] powers = new double[31];
        for (int i = 0; i < 31; i++) {
            powers[i] = Math.scalb(1.0, i);
        }
        assertEquals(31, new PointTree(powers, 1).nodes());
        RandomStream stream = new Seed(1).stream();
        double[] uniform = new double[3 * 2000];
        for (int k = 0; k < uniform.length; k++) {
            uniform[k] = stream.nextUniform();
        }
        PointTree tree = new PointTree(uniform, 3);
        assertTrue(tree.nodes() < 2000 / 4, tree.nodes() + " nodes");
        assertThrows(IllegalArgumentException.class, () -> new PointTree(new double[5], 2));
    }

    /** The largest difference on a fine grid of two intervals, for every number of points, is below the bound. */
    @Test
    void interpolationInBothPointsKeepsItsBound() {
        double half = 0.8;
        for (double distance : new double[] {0, 0.7, 2}) {
            for (int p = 1; p <= 20; p++) {
                double largest = 0;
                double[] left = new double[Interpolation.MOST_POINTS];
                double[] right = new double[Interpolation.MOST_POINTS];
                for (int a = -5; a <= 5; a++) {
                    double x = half * a / 5;
                    Interpolation.basis(x, 0, half, p, left);
                    for (int b = -5; b <= 5; b++) {
                        double y = distance + half * b / 5;
                        Interpolation.basis(y, distance, half, p, right);
                        double sum = 0;
                        for (int k = 0; k < p; k++) {
                            for (int l = 0; l < p; l++) {
                                double offset =
                                        Interpolation.point(0, half, p, k) - Interpolation.point(distance, half, p, l);
                                sum += left[k] * right[l] * Math.exp(-offset * offset / 2);
                            }
                        }
                        largest = Math.max(largest, Math.abs(sum - Math.exp(-(x - y) * (x - y) / 2)));
                    }
                }
                // The rounding of sums of p² terms of size 1.
                double bound = Interpolation.error(half, p) + 1e-15 * p * p;
                assertTrue(largest <= bound, p + " points: " + largest + " above " + bound);
            }
        }
    }
}
