package org.bochner.random;

import org.bochner.base.Require;
import org.bochner.random.law.Laws;

/**
 * A stream of random numbers: xoshiro256++ (Blackman and Vigna, 2019), with its state filled by SplitMix64.
 *
 * <p>The generator is written out here because a seed must give one model for ever: no library update can change it,
 * and it can be reimplemented in any language from this page.
 *
 * <p>Threads: not safe; each stage derives its own stream.
 */
public final class RandomStream {
    /** The increment of SplitMix64: 2⁶⁴ divided by the golden ratio, made odd. */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long s0;
    private long s1;
    private long s2;
    private long s3;

    RandomStream(long seed) {
        long state = seed;
        s0 = mix(state += GOLDEN_GAMMA);
        s1 = mix(state += GOLDEN_GAMMA);
        s2 = mix(state += GOLDEN_GAMMA);
        s3 = mix(state + GOLDEN_GAMMA);
    }

    /** Returns the output function of SplitMix64. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Returns 64 random bits. */
    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    /**
     * Returns a number that is uniform in the open interval (0, 1): (k + ½)·2⁻⁵² with 52 random bits k. Every quantile
     * of it is finite, because it is never 0 or 1 (with 53 bits the largest value would round to 1).
     */
    public double nextUniform() {
        return ((nextLong() >>> 12) + 0.5) * 0x1p-52;
    }

    /** Returns a standard Gaussian number: the quantile of one uniform number. */
    public double nextGaussian() {
        return Laws.gaussianQuantile(nextUniform());
    }

    /** Returns one of 0, …, limit−1, each equally likely. */
    public int nextInt(int limit) {
        Require.atLeast("RandomStream", "limit", limit, 1);
        long largest = (1L << 32) - (1L << 32) % limit;
        long bits;
        do {
            bits = nextLong() >>> 32;
        } while (bits >= largest);
        return (int) (bits % limit);
    }
}
