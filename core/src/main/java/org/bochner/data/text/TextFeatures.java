package org.bochner.data.text;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.text.Suggestion;

/**
 * How a text becomes columns: the number of occurrences of its n-grams, each of which a hash assigns to one of a fixed
 * number of columns. The spelling is {@code words(n=1:2, buckets=2^16)} or {@code chars(n=3:5)}.
 *
 * @param unit the parts of the text that make n-grams
 * @param least the number of words or characters of the shortest n-grams
 * @param most the number of words or characters of the longest n-grams
 * @param buckets the number of columns
 * @param minLength the number of characters of the shortest words; 1 for n-grams of characters
 * @param keepsCase false if letters become lower-case first
 */
public record TextFeatures(Unit unit, int least, int most, int buckets, int minLength, boolean keepsCase) {
    /** The parts of a text that make n-grams. */
    public enum Unit {
        /** Words: runs of letters, digits and underscores. */
        WORDS,
        /** Characters of the words between blanks, each word with a blank before and after it. */
        CHARS,
        /** Characters of the whole text. */
        CHARS_ACROSS
    }

    /** The longest n-grams allowed. */
    static final int LONGEST = 32;

    private static final int MOST_BUCKETS = 1 << 28;
    private static final int DEFAULT_BUCKETS = 1 << 16;
    private static final int DEFAULT_MIN_LENGTH = 2;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})\\s*(?::\\s*(\\d{1,9}))?");
    private static final Pattern POWER = Pattern.compile("2\\^(\\d{1,2})");
    private static final Map<String, String> ALIASES = Suggestion.aliases(Map.of(
            "words", "word tokens unigrams", "chars", "char charwb characters character", "words(n=1:2)", "bigrams"));

    /** Single words of at least two characters in lower case. */
    public static final TextFeatures DEFAULT =
            new TextFeatures(Unit.WORDS, 1, 1, DEFAULT_BUCKETS, DEFAULT_MIN_LENGTH, false);

    public TextFeatures {
        String owner = unit == Unit.WORDS ? "words" : "chars";
        Require.that(
                least >= 1 && least <= most && most <= LONGEST,
                owner,
                "n must be a number or a range from 1 to " + LONGEST + ", such as 1:2; got " + least + ":" + most);
        Require.that(
                buckets >= 1 && buckets <= MOST_BUCKETS, owner, "buckets must be between 1 and 2^28, got " + buckets);
        Require.atLeast(owner, "min-length", minLength, 1);
    }

    /** Reads a spelling. */
    public static TextFeatures parse(String text) {
        return Spelling.reading(() -> read(Spelling.parse("text features", text)));
    }

    private static TextFeatures read(Spelling spelling) {
        boolean words = spelling.name().equals("words");
        if (!words && !spelling.name().equals("chars")) {
            throw Spelling.unknown("text features", spelling.name(), List.of("words", "chars"), ALIASES);
        }
        if (words) {
            spelling.allow("n", "buckets", "min-length", "case");
        } else {
            spelling.allow("n", "buckets", "case", "across");
        }
        String n = spelling.text("n");
        Matcher range = RANGE.matcher(n == null ? words ? "1" : "3:5" : n.strip());
        if (!range.matches()) {
            throw new SpellingException(
                    spelling.name() + ": n must be a number or a range, such as 2 or 1:2; got '" + n + "'");
        }
        int least = Integer.parseInt(range.group(1));
        int most = range.group(2) == null ? least : Integer.parseInt(range.group(2));
        String buckets = spelling.text("buckets");
        Matcher power = POWER.matcher(buckets == null ? "" : buckets.strip());
        int columns = power.matches()
                ? 1 << Math.min(29, Integer.parseInt(power.group(1)))
                : spelling.integer("buckets", DEFAULT_BUCKETS);
        Unit unit = words ? Unit.WORDS : spelling.has("across") ? Unit.CHARS_ACROSS : Unit.CHARS;
        int minLength = words ? spelling.integer("min-length", DEFAULT_MIN_LENGTH) : 1;
        return new TextFeatures(unit, least, most, columns, minLength, spelling.has("case"));
    }

    /** Reads a spelling of a saved model, which is not trusted. */
    public static TextFeatures load(String text) {
        try {
            return parse(text);
        } catch (SpellingException e) {
            throw new BochnerException("the saved text features are of no known kind: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        boolean power = Integer.bitCount(buckets) == 1 && buckets > 1;
        return (unit == Unit.WORDS ? "words(n=" : "chars(n=")
                + (least == most ? "" + least : least + ":" + most)
                + ", buckets=" + (power ? "2^" + Integer.numberOfTrailingZeros(buckets) : "" + buckets)
                + (minLength == DEFAULT_MIN_LENGTH || unit != Unit.WORDS ? "" : ", min-length=" + minLength)
                + (unit == Unit.CHARS_ACROSS ? ", across" : "")
                + (keepsCase ? ", case)" : ")");
    }
}
