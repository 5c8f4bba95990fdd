package org.bochner.testkit;

import java.util.function.Consumer;
import java.util.function.Function;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Checks properties on random cases, the same ones in every run. Each case has a seed of its own; a failure names it, and
 * {@code -Dbochner.seed=…} repeats that case alone.
 *
 * <pre>{@code
 * forAll(200, 1, MyTest::randomKernel, kernel -> assertEquals(kernel, Kernels.parse(kernel.toString())));
 * }</pre>
 */
public final class Properties {
    private static final String REPLAY = "bochner.seed";

    private Properties() {}

    /** Checks that the property holds whatever the stream it draws from. */
    public static void forAll(int cases, long seed, Consumer<RandomStream> property) {
        forAll(cases, seed, stream -> stream, property);
    }

    /**
     * Checks that the property holds for every value the generator makes.
     *
     * @param cases how many values to try
     * @param seed where their seeds come from
     */
    public static <T> void forAll(int cases, long seed, Function<RandomStream, T> generator, Consumer<T> property) {
        String replay = System.getProperty(REPLAY);
        if (replay != null) {
            check("replayed case", Long.parseLong(replay.strip()), generator, property);
            return;
        }
        Seed root = new Seed(seed);
        for (int i = 0; i < cases; i++) {
            check("case " + (i + 1) + " of " + cases, root.derive(i).value(), generator, property);
        }
    }

    private static <T> void check(String name, long seed, Function<RandomStream, T> generator, Consumer<T> property) {
        T value = generator.apply(new Seed(seed).stream());
        try {
            property.accept(value);
        } catch (RuntimeException | AssertionError failure) {
            String shown = value instanceof RandomStream ? "" : " for " + value;
            throw new AssertionError(
                    name + " failed" + shown + "; repeat it with -D" + REPLAY + "=" + seed + ": " + failure, failure);
        }
    }
}
