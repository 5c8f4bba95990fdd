package org.bochner.random.law;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class HaltonTest {
    @Test
    void everyCellOfABaseHoldsEquallyManyPoints() {
        // Any b^m consecutive points of a scrambled radical inverse lie one in each of b^m equal cells.
        int dimension = 6;
        int[] bases = {2, 3, 5, 7, 11, 13};
        double[] points = Halton.points(new Seed(1), 13 * 13, dimension);
        for (int l = 0; l < dimension; l++) {
            int cells = bases[l] * bases[l];
            int[] counts = new int[cells];
            for (int i = 0; i < cells; i++) {
                counts[(int) (points[i * dimension + l] * cells)]++;
            }
            assertArrayEquals(ones(cells), counts, "base " + bases[l]);
        }
    }

    @Test
    void valuesLieStrictlyInside() {
        for (double u : Halton.points(new Seed(2), 5000, 40)) {
            assertTrue(u > 0 && u < 1);
        }
    }

    @Test
    void fewerPointsAndCoordinatesAreTheSame() {
        double[] all = Halton.points(new Seed(3), 200, 12);
        double[] some = Halton.points(new Seed(3), 7, 5);
        for (int i = 0; i < 7; i++) {
            for (int l = 0; l < 5; l++) {
                assertEquals(all[i * 12 + l], some[i * 5 + l]);
            }
        }
    }

    @Test
    void seedsGiveDifferentPoints() {
        assertNotEquals(Halton.points(new Seed(1), 1, 1)[0], Halton.points(new Seed(2), 1, 1)[0]);
    }

    /**
     * The squared L2 star discrepancy in closed form (Warnock, 1972). Random points have the expected value
     * (2⁻ᵈ − 3⁻ᵈ)/n, which scrambled Halton points must undercut by far.
     */
    @Test
    void discrepancyIsFarBelowThatOfRandomPoints() {
        int n = 500;
        for (int d : new int[] {1, 2, 5, 10}) {
            double random = (Math.pow(2, -d) - Math.pow(3, -d)) / n;
            double halton = discrepancy(Halton.points(new Seed(4), n, d), n, d);
            assertTrue(halton < (d <= 5 ? 0.25 : 0.75) * random, d + " dimensions: " + halton + " against " + random);
        }
    }

    @Test
    void largeBasesAreNotCorrelated() {
        // The flaw of plain Halton points: with bases 37 and 41 the first points lie on a line. Scrambled, the
        // correlation of n pairs stays within six standard deviations 1/√n.
        int n = 1000;
        int d = 40;
        double[] points = Halton.points(new Seed(5), n, d);
        for (int l = 10; l + 1 < d; l++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += 12 * (points[i * d + l] - 0.5) * (points[i * d + l + 1] - 0.5);
            }
            assertEquals(0, sum / n, 6 / Math.sqrt(n), "coordinates " + l + " and " + (l + 1));
        }
    }

    @Test
    void basesAreThePrimes() {
        assertArrayEquals(new int[] {2}, Halton.firstPrimes(1));
        assertArrayEquals(new int[] {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}, Halton.firstPrimes(10));
        assertEquals(7919, Halton.firstPrimes(1000)[999]);
    }

    private static double discrepancy(double[] points, int n, int d) {
        double single = 0;
        double pairs = 0;
        for (int i = 0; i < n; i++) {
            double product = 1;
            for (int l = 0; l < d; l++) {
                product *= (1 - points[i * d + l] * points[i * d + l]) / 2;
            }
            single += product;
            for (int j = 0; j < n; j++) {
                double pair = 1;
                for (int l = 0; l < d; l++) {
                    pair *= 1 - Math.max(points[i * d + l], points[j * d + l]);
                }
                pairs += pair;
            }
        }
        return Math.pow(3, -d) - 2.0 / n * single + pairs / ((double) n * n);
    }

    private static int[] ones(int length) {
        int[] ones = new int[length];
        Arrays.fill(ones, 1);
        return ones;
    }
}
