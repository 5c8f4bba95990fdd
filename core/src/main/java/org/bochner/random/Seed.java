package org.bochner.random;

/**
 * Where randomness comes from. A seed is a plain number; each stage derives its own, so that drawing more in one stage
 * never shifts the numbers of another.
 *
 * <pre>{@code
 * Seed seed = new Seed(1);
 * RandomStream frequencies = seed.derive("frequencies").stream();
 * }</pre>
 */
public record Seed(long value) {
    /** The seed of a named stage: FNV-1a of the name's UTF-16 units, mixed into this seed by SplitMix64. */
    public Seed derive(String stage) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < stage.length(); i++) {
            hash = (hash ^ stage.charAt(i)) * 0x100000001b3L;
        }
        return new Seed(RandomStream.mix(value ^ RandomStream.mix(hash)));
    }

    /** The seed of one member of a numbered family: a block, a channel, a repetition. */
    public Seed derive(long index) {
        return new Seed(RandomStream.mix(value + RandomStream.mix(index ^ 0x9e3779b97f4a7c15L)));
    }

    /** A new stream that starts at this seed. */
    public RandomStream stream() {
        return new RandomStream(value);
    }
}
