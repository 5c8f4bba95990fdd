package org.bochner.random.law;

import java.util.BitSet;
import org.bochner.base.Require;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Scrambled Halton points: n points that fill the unit cube more evenly than random ones.
 *
 * <p>Coordinate l of point i is the radical inverse of i in the l-th prime base b: its digits mirrored at the point,
 * {@code u = Σₚ πₚ(digit p of i)·b^(−p−1)}. Each digit passes through a random permutation πₚ of its own, leading zeros
 * too, down to 2⁻⁵²: this removes the strong correlation that plain Halton points have between large bases, and makes
 * every single coordinate uniform.
 *
 * <p>Cost: O(points · dimension) time; no table larger than one permutation.
 */
public final class Halton {
    private static final double LARGEST = 1 - 0x1p-53;

    private Halton() {}

    /**
     * The first points of the sequence, row-major, every value strictly between 0 and 1. Asking for fewer points or a
     * smaller dimension gives the same values.
     */
    public static double[] points(Seed seed, int count, int dimension) {
        Require.atLeast("Halton", "count", count, 1);
        Require.atLeast("Halton", "dimension", dimension, 1);
        Require.that(
                (long) count * dimension <= Integer.MAX_VALUE - 8,
                "Halton",
                count + " points of dimension " + dimension + " do not fit in one array");
        int[] bases = firstPrimes(dimension);
        double[] points = new double[count * dimension];
        int[] symbols = new int[bases[dimension - 1]];
        for (int s = 0; s < symbols.length; s++) {
            symbols[s] = s;
        }
        for (int l = 0; l < dimension; l++) {
            double[] values = coordinate(seed.derive(l), count, bases[l], symbols);
            for (int i = 0; i < count; i++) {
                points[i * dimension + l] = values[i];
            }
        }
        return points;
    }

    private static double[] coordinate(Seed seed, int count, int base, int[] symbols) {
        double[] values = new double[count];
        double weight = 1.0 / base;
        long power = 1;
        for (int p = 0; ; p++) {
            // Digit p of the indices 0, …, count−1 takes its first `reached` values only, and soon only 0.
            int reached = (int) Math.min(base, (count - 1) / power + 1);
            int[] scrambled = startOfPermutation(seed.derive(p).stream(), base, reached, symbols);
            for (int i = 0; i < count; i++) {
                int digit = reached == 1 ? 0 : (int) (i / power % base);
                values[i] += weight * scrambled[digit];
            }
            if (weight <= 0x1p-52) {
                break;
            }
            weight /= base;
            power = Math.min(power * base, Integer.MAX_VALUE + 1L);
        }
        for (int i = 0; i < count; i++) {
            // The middle of the last cell, kept off the ends, where rounding might put it.
            values[i] = Math.min(Math.max(values[i] + weight / 2, 0x1p-53), LARGEST);
        }
        return values;
    }

    /**
     * The first values of a random permutation of 0, …, size−1, by exchanges in {@code symbols}, which are undone, so
     * that a long permutation of which little is needed costs little.
     */
    private static int[] startOfPermutation(RandomStream stream, int size, int length, int[] symbols) {
        int[] start = new int[length];
        int[] partners = new int[length];
        for (int i = 0; i < length; i++) {
            partners[i] = i + stream.nextInt(size - i);
            start[i] = symbols[partners[i]];
            symbols[partners[i]] = symbols[i];
            symbols[i] = start[i];
        }
        for (int i = length - 1; i >= 0; i--) {
            symbols[i] = symbols[partners[i]];
            symbols[partners[i]] = start[i];
        }
        return start;
    }

    /** The first primes, by the sieve of Eratosthenes up to Rosser's bound n(log n + log log n). */
    static int[] firstPrimes(int count) {
        double n = Math.max(count, 6);
        int limit = (int) Math.ceil(n * (StrictMath.log(n) + StrictMath.log(StrictMath.log(n))));
        BitSet composite = new BitSet(limit + 1);
        int[] primes = new int[count];
        int found = 0;
        for (int candidate = 2; found < count; candidate++) {
            if (!composite.get(candidate)) {
                primes[found++] = candidate;
                for (long multiple = (long) candidate * candidate; multiple <= limit; multiple += candidate) {
                    composite.set((int) multiple);
                }
            }
        }
        return primes;
    }
}
