package org.bochner.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
    /**
     * The expected values come from a second implementation, in Python with integers reduced modulo 2^64, written from
     * the description of xoshiro256++ and SplitMix64; it gives the published first outputs 41943041, 58720359,
     * 3588806011781223 for the state (1, 2, 3, 4).
     */
    @Nested
    class KnownAnswers {
        @Test
        void firstOutputsOfSeveralSeeds() {
            assertArrayEquals(
                    new long[] {0x53175d61490b23dfL, 0x61da6f3dc380d507L, 0x5c0fdf91ec9a7bfcL, 0x02eebf8c3bbe5e1aL},
                    first(new Seed(0), 4));
            assertArrayEquals(
                    new long[] {0xcfc5d07f6f03c29bL, 0xbf424132963fe08dL, 0x19a37d5757aaf520L, 0xbf08119f05cd56d6L},
                    first(new Seed(1), 4));
            assertArrayEquals(
                    new long[] {0x0f36c6e15ccc9fd7L, 0x9274d2c9b17cbd4aL, 0xbb9969078e1a9521L, 0x323c25d8c709b5b0L},
                    first(new Seed(-7), 4));
        }

        @Test
        void derivedSeeds() {
            assertEquals(new Seed(0x72d7ad2402283dccL), new Seed(1).derive("frequencies"));
            assertEquals(new Seed(0xdec1469c8d51e97bL), new Seed(1).derive(3));
        }

        @Test
        void uniformIsTheMiddleOfACellOfTheTopBits() {
            assertEquals(
                    ((0x53175d61490b23dfL >>> 12) + 0.5) / 0x1p52,
                    new Seed(0).stream().nextUniform());
        }
    }

    @Nested
    class DerivedStreams {
        @Test
        void areUncorrelated() {
            // The mean of n products of independent values uniform on ±½ has standard deviation 1/(12√n); six of them
            // are exceeded with probability 2e-9 by chance.
            int n = 100_000;
            double bound = 6 / (12 * Math.sqrt(n));
            Seed root = new Seed(42);
            Seed[] seeds = {
                root,
                root.derive("a"),
                root.derive("b"),
                root.derive(0),
                root.derive(1),
                root.derive(0).derive(0)
            };
            for (int a = 0; a < seeds.length; a++) {
                for (int b = 0; b < a; b++) {
                    RandomStream one = seeds[a].stream();
                    RandomStream other = seeds[b].stream();
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum += (one.nextUniform() - 0.5) * (other.nextUniform() - 0.5);
                    }
                    assertTrue(Math.abs(sum / n) < bound, a + " with " + b + ": " + sum / n);
                }
            }
        }

        @Test
        void differByNameIndexAndOrder() {
            Seed seed = new Seed(5);
            assertNotEquals(seed.derive("a"), seed.derive("b"));
            assertNotEquals(seed.derive(1), seed.derive(2));
            assertNotEquals(seed.derive("a").derive("b"), seed.derive("b").derive("a"));
            assertNotEquals(seed, seed.derive(0));
        }
    }

    @Nested
    class BoundedIntegers {
        @Test
        void reachEveryValueEquallyOften() {
            // Counts are binomial: n/7 with standard deviation below √(n/7); six of them.
            int n = 70_000;
            int[] counts = new int[7];
            RandomStream stream = new Seed(3).stream();
            for (int i = 0; i < n; i++) {
                counts[stream.nextInt(7)]++;
            }
            for (int count : counts) {
                assertEquals(n / 7.0, count, 6 * Math.sqrt(n / 7.0));
            }
        }

        @Test
        void rejectsABoundThatIsNotPositive() {
            RandomStream stream = new Seed(3).stream();
            assertThrows(IllegalArgumentException.class, () -> stream.nextInt(0));
        }
    }

    private static long[] first(Seed seed, int count) {
        RandomStream stream = seed.stream();
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = stream.nextLong();
        }
        return values;
    }
}
