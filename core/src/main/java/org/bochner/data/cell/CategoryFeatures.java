package org.bochner.data.cell;

import java.util.List;
import java.util.Map;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.text.Suggestion;

/**
 * How a category becomes columns: one column per category, or, if there are more categories than {@code buckets}, a hash
 * assigns each to one of {@code buckets} columns. The spelling is {@code one-hot} or {@code hash(buckets=1024)}.
 *
 * <p>Two different categories share a column with the probability 1/buckets.
 *
 * @param buckets 0 if all columns are one-hot encoded
 */
public record CategoryFeatures(int buckets) {
    /** The largest number of columns of a hashed category. */
    public static final int MOST_BUCKETS = 1 << 24;

    public static final CategoryFeatures DEFAULT = new CategoryFeatures(1024);

    private static final Map<String, String> ALIASES = Suggestion.aliases(
            Map.of("one-hot", "onehotencoder dummy dummies indicator", "hash", "hashing featurehasher hashingencoder"));

    public CategoryFeatures {
        Require.that(
                buckets == 0 || (buckets >= 2 && buckets <= MOST_BUCKETS),
                "hash",
                "buckets must be between 2 and 2^24, got " + buckets);
    }

    /** Reads a spelling. */
    public static CategoryFeatures parse(String text) {
        return Spelling.reading(() -> {
            Spelling spelling = Spelling.parse("category features", text);
            return switch (spelling.name()) {
                case "one-hot" -> {
                    spelling.allow();
                    yield new CategoryFeatures(0);
                }
                case "hash" -> {
                    int buckets = spelling.allow("buckets").integer("buckets", DEFAULT.buckets);
                    yield new CategoryFeatures(Require.atLeast("hash", "buckets", buckets, 2));
                }
                default ->
                    throw Spelling.unknown("category features", spelling.name(), List.of("one-hot", "hash"), ALIASES);
            };
        });
    }

    @Override
    public String toString() {
        return buckets == 0 ? "one-hot" : "hash(buckets=" + buckets + ")";
    }
}
