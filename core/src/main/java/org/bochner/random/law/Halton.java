package org.bochner.random.law;

import java.util.BitSet;
import org.bochner.base.Require;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Scrambled Halton points, which fill the unit cube more evenly than random points.
 *
 * <p>Coordinate l of point i is the radical inverse of i in the l-th prime base b: the digits mirrored at the point,
 * {@code u = Σₚ πₚ(digit p of i)·b^(−p−1)}. Each digit, including leading zeros, passes through its own random
 * permutation πₚ, down to 2⁻⁵². The permutations remove the strong correlation of plain Halton points between large
 * bases and make every single coordinate uniform.
 *
 * <p>Cost: O(points · dimension) time; no table larger than one permutation.
 */
public final class Halton {
    private static final double LARGEST = 1 - 0x1p-53;

    private Halton() {}

    /**
     * Returns the first points of the sequence, row-major, with every value strictly between 0 and 1. Fewer points or a
     * smaller dimension give a part of these values.
     */
    public static double[] points(Seed seed, int count, int dimension) {
        Require.atLeast("Halton", "count", count, 1);
        Require.atLeast("Halton", "dimension", dimension, 1);
        Require.that(
                (long) count * dimension <= Integer.MAX_VALUE - 8,
                "Halton: " + count + " points of dimension " + dimension + " do not fit in one array");
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
            // The middle of the last cell, kept away from 0 and 1 in spite of rounding.
            values[i] = Math.min(Math.max(values[i] + weight / 2, 0x1p-53), LARGEST);
        }
        return values;
    }

    /**
     * Returns the first values of a random permutation of 0, …, size−1. The exchanges in {@code symbols} are undone, so
     * a short prefix of a long permutation costs little.
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

    /** Returns the first primes, by the sieve of Eratosthenes up to Rosser's bound n(log n + log log n). */
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
