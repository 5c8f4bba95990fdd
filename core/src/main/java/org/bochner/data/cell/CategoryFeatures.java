package org.bochner.data.cell;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.text.Suggestion;

/**
 * How a category becomes columns. The spelling is {@code one-hot}, {@code hash(buckets=1024)} or
 * {@code means(above=40, smoothing=auto, folds=5)}.
 */
public sealed interface CategoryFeatures {
    CategoryFeatures DEFAULT = new Hash(Hash.USUAL_BUCKETS);

    /** One column per category. */
    record OneHot() implements CategoryFeatures {
        @Override
        public String toString() {
            return "one-hot";
        }
    }

    /**
     * One column per category, or, if there are more categories than {@code buckets}, a hash assigns each to one of
     * {@code buckets} columns. Two different categories share a column with the probability 1/buckets.
     */
    record Hash(int buckets) implements CategoryFeatures {
        /** The largest number of columns of a hashed category. */
        public static final int MOST_BUCKETS = 1 << 24;

        private static final int USUAL_BUCKETS = 1024;

        public Hash {
            Require.that(
                    buckets >= 2 && buckets <= MOST_BUCKETS,
                    "hash",
                    "buckets must be between 2 and 2^24, got " + buckets);
        }

        @Override
        public String toString() {
            return "hash(buckets=" + buckets + ")";
        }
    }

    /**
     * One column per category, or, if there are more than {@code above} categories, one column per target with the smoothed
     * mean of the target over the rows of the category.
     *
     * @param above the most categories that are one-hot encoded
     * @param smoothing the number of rows with the mean of all rows that are added to each category; empty if it is estimated
     * @param folds the number of folds of the training rows, whose means come from the other folds
     */
    record Means(int above, OptionalDouble smoothing, int folds) implements CategoryFeatures {
        public static final int MOST_FOLDS = 100;
        private static final String AUTO = "auto";
        private static final Means USUAL = new Means(40, OptionalDouble.empty(), 5);

        public Means {
            Require.atLeast("means", "above", above, 0);
            Require.that(
                    smoothing.isEmpty() || (smoothing.getAsDouble() >= 0 && Double.isFinite(smoothing.getAsDouble())),
                    "means",
                    "smoothing must be auto or a number of rows, 0 or more; got "
                            + Spelling.print(smoothing.orElse(0)));
            Require.that(
                    folds >= 2 && folds <= MOST_FOLDS,
                    "means",
                    "folds must be between 2 and " + MOST_FOLDS + ", got " + folds);
        }

        /** Returns these means with another number of folds. */
        public Means withFolds(int number) {
            return new Means(above, smoothing, number);
        }

        private static Means of(Spelling spelling) {
            spelling.allow("above", "smoothing", "folds");
            boolean estimated = !spelling.has("smoothing") || AUTO.equals(spelling.text("smoothing"));
            return new Means(
                    spelling.integer("above", USUAL.above),
                    estimated ? OptionalDouble.empty() : OptionalDouble.of(spelling.number("smoothing")),
                    spelling.integer("folds", USUAL.folds));
        }

        @Override
        public String toString() {
            String rows = smoothing.isEmpty() ? AUTO : Spelling.print(smoothing.getAsDouble());
            return "means(above=" + above + ", smoothing=" + rows + ", folds=" + folds + ")";
        }
    }

    /** Reads a spelling. */
    static CategoryFeatures parse(String text) {
        return Spelling.reading(() -> {
            Spelling spelling = Spelling.parse("category features", text);
            return switch (spelling.name()) {
                case "one-hot" -> {
                    spelling.allow();
                    yield new OneHot();
                }
                case "hash" -> new Hash(spelling.allow("buckets").integer("buckets", Hash.USUAL_BUCKETS));
                case "means" -> Means.of(spelling);
                default ->
                    throw Spelling.unknown(
                            "category features", spelling.name(), List.of("one-hot", "hash", "means"), aliases());
            };
        });
    }

    /** Returns the names that other programs use. */
    private static Map<String, String> aliases() {
        return Suggestion.aliases(Map.of(
                "one-hot", "onehotencoder dummy dummies indicator",
                "hash", "hashing featurehasher hashingencoder",
                "means", "target targetencoder targetencoding targetmeans meanencoder meanencoding impact"));
    }
}
