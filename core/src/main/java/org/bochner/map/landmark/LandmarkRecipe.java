package org.bochner.map.landmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.text.Digits;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * A recipe for landmark maps of any kernel, {@code landmarks(features=2000, by=k-means)} or {@code landmarks(2000)}. A
 * sum of kernels has common landmarks.
 *
 * @param features the number of landmarks
 * @param by how they are chosen
 * @param form the features and the penalty: {@code raw} and {@code whitened} in spellings; {@code KERNEL} otherwise
 * @param cutoff a landmark is left out if its residual, given the landmarks before it, is at most this share of the
 *     largest k(x, x)
 * @param sample the number of sampled rows among which they are chosen
 * @param steps the number of gradient steps of learned landmarks
 */
public record LandmarkRecipe(
        OptionalInt features,
        LandmarkChoice by,
        LandmarkForm form,
        double cutoff,
        OptionalInt sample,
        OptionalInt steps)
        implements TermRecipe {
    public static final String NAME = "landmarks";

    /**
     * The usual cut-off. Whitened sums over n rows have a rounding error of about 10⁻¹⁶·n divided by the cut-off: 10⁻³ for
     * 100,000 rows, below the usual penalties.
     */
    static final double USUAL_CUTOFF = 1e-8;

    /** The fewest sampled rows, and the fewest per landmark, of choices that compare rows. */
    private static final int SAMPLED = 20_000;

    private static final int SAMPLED_PER_LANDMARK = 10;

    /** The usual gradient steps; 300 decrease the residual by at most 2% more on images and scenes. */
    private static final int USUAL_STEPS = 200;

    /** Landmarks that are checked together for dependence. */
    private static final int CHECKED = 128;

    public LandmarkRecipe {
        features.ifPresent(count -> Require.atLeast(NAME, "features", count, 1));
        sample.ifPresent(count -> Require.atLeast(NAME, "sample", count, 2));
        steps.ifPresent(count -> Require.atLeast(NAME, "steps", count, 0));
        Require.that(cutoff >= 0 && cutoff < 1, NAME, "cutoff must be at least 0 and less than 1, got " + cutoff);
    }

    /** Takes the number of landmarks that is asked for. */
    public LandmarkRecipe() {
        this(OptionalInt.empty(), LandmarkChoice.UNIFORM, LandmarkForm.KERNEL);
    }

    /** Chooses a number of landmarks in a given way, with the usual values otherwise. */
    public static LandmarkRecipe of(int features, LandmarkChoice by) {
        return new LandmarkRecipe(OptionalInt.of(features), by, LandmarkForm.KERNEL);
    }

    /** Chooses a number of random rows, for features whose inner products approximate the kernel. */
    public static LandmarkRecipe whitened(int features) {
        return new LandmarkRecipe(OptionalInt.of(features), LandmarkChoice.UNIFORM, LandmarkForm.WHITENED);
    }

    private LandmarkRecipe(OptionalInt features, LandmarkChoice by, LandmarkForm form) {
        this(features, by, form, USUAL_CUTOFF, OptionalInt.empty(), OptionalInt.empty());
    }

    /** Reads a spelling; a number without a key is the number of landmarks. */
    public static LandmarkRecipe parse(Spelling spelling) {
        Spelling named = withFeatures(spelling);
        named.allow("features", "by", "raw", "whitened", "cutoff", "sample", "steps");
        if (named.has("raw") && named.has("whitened")) {
            throw new SpellingException(NAME + ": give raw or whitened, not both");
        }
        LandmarkForm form = named.has("raw")
                ? LandmarkForm.RAW
                : named.has("whitened") ? LandmarkForm.WHITENED : LandmarkForm.KERNEL;
        LandmarkChoice by = TermRecipe.word(named, "by", LandmarkChoice.values(), LandmarkChoice.UNIFORM);
        if (named.has("steps") && by != LandmarkChoice.LEARNED) {
            throw new SpellingException(NAME + ": steps are those of by=learned, and by=" + by + " takes none");
        }
        return new LandmarkRecipe(
                TermRecipe.features(named),
                by,
                form,
                named.number("cutoff", USUAL_CUTOFF),
                TermRecipe.integer(named, "sample"),
                TermRecipe.integer(named, "steps"));
    }

    private static Spelling withFeatures(Spelling spelling) {
        List<String> keys = spelling.keys();
        if (keys.isEmpty() || !keys.get(0).matches("[0-9]{1,9}") || spelling.has("features")) {
            return spelling;
        }
        Spelling named = Spelling.parse("map", NAME).with("features", keys.get(0));
        for (String key : keys.subList(1, keys.size())) {
            named = named.with(key, spelling.textOf(key));
        }
        return named;
    }

    @Override
    public boolean takesFeatures(Kernel leaf) {
        return features.isEmpty();
    }

    @Override
    public boolean joinsTerms() {
        return true;
    }

    /** Returns the recipe for a number of given landmarks; fails if another number was asked for. */
    public LandmarkRecipe given(int count, OptionalInt asked) {
        int wanted = features.orElse(asked.orElse(count));
        if (wanted != count) {
            throw new SpellingException(
                    NAME + ": " + count + " landmarks are given, and " + wanted + " features are asked for",
                    Remedy.advice("leave the number out"));
        }
        if (by != LandmarkChoice.UNIFORM && by != LandmarkChoice.GIVEN) {
            throw new SpellingException(
                    NAME + ": landmarks are given, and by=" + by + " would choose others",
                    Remedy.advice("leave by out"),
                    Remedy.set(Setting.LANDMARKS, "must be left out to choose them"));
        }
        return new LandmarkRecipe(
                OptionalInt.of(count), LandmarkChoice.GIVEN, form, cutoff, OptionalInt.empty(), OptionalInt.empty());
    }

    @Override
    public boolean keepsTrainingRows() {
        return by != LandmarkChoice.K_MEANS && by != LandmarkChoice.LEARNED && by != LandmarkChoice.GIVEN;
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return true;
    }

    /** Returns the number of landmarks, for a number of features that is asked for. */
    public int count(OptionalInt asked) {
        return features.orElse(asked.orElse(DEFAULT_FEATURES));
    }

    @Override
    public int rowsNeeded(Kernel kernel, OptionalInt asked) {
        int count = count(asked);
        if (sample.isPresent()) {
            if (sample.getAsInt() < count) {
                throw new SpellingException(
                        NAME + ": " + count + " landmarks cannot be chosen among a sample of " + sample.getAsInt()
                                + " rows",
                        Remedy.advice("give a sample of at least " + count + " rows, or fewer landmarks"));
            }
            return sample.getAsInt();
        }
        long wanted = by == LandmarkChoice.UNIFORM || by == LandmarkChoice.GIVEN
                ? count
                : Math.max(SAMPLED, (long) SAMPLED_PER_LANDMARK * count);
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(RowSample.DEFAULT_ROWS, wanted));
    }

    @Override
    public double bytesNeeded(int columns, int count) {
        // The landmarks in float32 and float64, and K, which is replaced by its factor.
        double map = 12.0 * columns * count + 8.0 * count * count;
        return by == LandmarkChoice.LEARNED
                ? map + LearnedLandmarks.bytes(columns, count, Workers.all().threads())
                : map;
    }

    /** Builds the map of the whole kernel, whose terms have common landmarks. */
    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt asked, Seed seed, Notes notes) {
        return build(kernel, rows, asked, seed, notes, Workers.all());
    }

    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt asked, Seed seed, Notes notes, Workers workers) {
        int count = count(asked);
        if (isOpen(asked) && rows.rows() < count) {
            count = rows.rows();
            notes.choice(String.format(
                    Locale.ROOT, "all %,d rows are landmarks, fewer than the usual %,d", count, DEFAULT_FEATURES));
        }
        return map(kernel, rows, count, seed, notes, workers);
    }

    /** Returns true if no number of landmarks is given. */
    public boolean isOpen(OptionalInt asked) {
        return features.isEmpty() && asked.isEmpty();
    }

    @Override
    public FeatureMap map(Kernel kernel, RowSample rows, int count, Seed seed, Notes notes) {
        return map(kernel, rows, count, seed, notes, Workers.all());
    }

    @Override
    public FeatureMap map(Kernel kernel, RowSample rows, int count, Seed seed, Notes notes, Workers workers) {
        requireRows(rows.rows(), count);
        RowBlock kept = independent(kernel, choose(kernel, rows.block(), count, seed, notes, workers), workers);
        if (kept.rows() == 0) {
            throw new BochnerException(
                    NAME + ": k(x, x) is 0 for all sampled rows, so no landmark can be chosen",
                    Remedy.advice("choose another kernel or scaling"));
        }
        if (kept.rows() < count) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "%,d of %,d landmarks were kept; the others depend on them (cutoff %s)",
                    kept.rows(),
                    count,
                    Digits.shortest(cutoff)));
        }
        return new LandmarkMap(kernel, kept, form, workers);
    }

    /** Fails if there are fewer rows than landmarks. */
    public void requireRows(long rows, int count) {
        if (rows < count) {
            throw new BochnerException(
                    NAME + ": " + count + " landmarks cannot be chosen among " + rows + " rows",
                    features.isPresent()
                            ? Remedy.set(Setting.MAP, withCount((int) rows), "takes all rows")
                            : Remedy.set(Setting.FEATURES, Long.toString(rows), "takes all rows"));
        }
    }

    private RowBlock choose(Kernel kernel, RowBlock rows, int count, Seed seed, Notes notes, Workers workers) {
        if (by != LandmarkChoice.LEARNED) {
            return by.choose(kernel, rows, count, seed.derive(by.toString()), workers);
        }
        // Without steps, the landmarks are those of by=k-means.
        RowBlock start = by.choose(kernel, rows, count, seed.derive(LandmarkChoice.K_MEANS.toString()), workers);
        return LearnedLandmarks.learn(
                kernel, rows, start, steps.orElse(USUAL_STEPS), seed.derive(by.toString()), notes, workers);
    }

    private LandmarkRecipe withCount(int count) {
        return new LandmarkRecipe(OptionalInt.of(count), by, form, cutoff, sample, steps);
    }

    /** Leaves out landmarks that depend on landmarks before them. */
    private RowBlock independent(Kernel kernel, RowBlock chosen, Workers workers) {
        IncompleteCholesky factor = new IncompleteCholesky(kernel, chosen, chosen.rows());
        double least = cutoff * Arrays.stream(factor.residual()).max().orElse(0);
        for (int from = 0; from < chosen.rows(); from += CHECKED) {
            int first = from;
            int[] candidates = new int[Math.min(CHECKED, chosen.rows() - from)];
            Arrays.setAll(candidates, c -> first + c);
            factor.add(candidates, (row, residual) -> residual > least, workers);
        }
        return factor.rank() == chosen.rows() ? chosen : LandmarkRows.select(chosen, factor.pivots());
    }

    @Override
    public String toString() {
        return TermRecipe.spell(
                NAME,
                TermRecipe.parameter("features", features),
                by == LandmarkChoice.UNIFORM ? "" : "by=" + by,
                form == LandmarkForm.KERNEL ? "" : form.name().toLowerCase(Locale.ROOT),
                cutoff == USUAL_CUTOFF ? "" : "cutoff=" + Spelling.print(cutoff),
                TermRecipe.parameter("sample", sample),
                TermRecipe.parameter("steps", steps));
    }
}
