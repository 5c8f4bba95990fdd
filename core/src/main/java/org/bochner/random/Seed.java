package org.bochner.random;

/**
 * The source of randomness: a plain number. Each stage derives its own seed, so that more draws in one stage never
 * shift the numbers of another.
 *
 * <pre>{@code
 * Seed seed = new Seed(1);
 * RandomStream frequencies = seed.derive("frequencies").stream();
 * }</pre>
 */
public record Seed(long value) {
    /** Returns the seed of a named stage: FNV-1a of the name's UTF-16 units, mixed into this seed by SplitMix64. */
    public Seed derive(String stage) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < stage.length(); i++) {
            hash = (hash ^ stage.charAt(i)) * 0x100000001b3L;
        }
        return new Seed(RandomStream.mix(value ^ RandomStream.mix(hash)));
    }

    /** Returns the seed of one member of a numbered family: a block, a channel or a repetition. */
    public Seed derive(long index) {
        return new Seed(RandomStream.mix(value + RandomStream.mix(index ^ 0x9e3779b97f4a7c15L)));
    }

    /** Returns the upper 53 bits of this seed as a number from 0 (inclusive) to 1 (exclusive). */
    public double unit() {
        return (value >>> 11) * 0x1p-53;
    }

    /** Returns a new stream that starts at this seed. */
    public RandomStream stream() {
        return new RandomStream(value);
    }
}
