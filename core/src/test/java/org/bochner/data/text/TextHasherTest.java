package org.bochner.data.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextHasherTest {
    private static String entries(String features, byte[] bytes) {
        TextHasher hasher = new TextHasher(TextFeatures.parse(features));
        int count = hasher.hash(bytes, 0, bytes.length);
        StringBuilder entries = new StringBuilder();
        for (int e = 0; e < count; e++) {
            entries.append(e == 0 ? "" : " ")
                    .append(hasher.columns[e])
                    .append(':')
                    .append((int) hasher.counts[e]);
        }
        return entries.toString();
    }

    private static String entries(String features, String text) {
        return entries(features, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void columnsAreThoseOfScikitLearn() {
        int compared = 0;
        for (Map<String, String> row : GoldenTable.read("text.csv")) {
            String features = GoldenTable.text(row, "features").replace(';', ',');
            byte[] text = HexFormat.of().parseHex(GoldenTable.text(row, "text"));
            String shown = features + " of '" + new String(text, StandardCharsets.UTF_8) + "'";
            assertEquals(GoldenTable.text(row, "entries"), entries(features, text), shown);
            compared++;
        }
        assertTrue(compared > 150);
    }

    @Test
    void aHashOfTheSmallestIntIsInRange() {
        byte[] word = "akqlrggi".getBytes(StandardCharsets.UTF_8);
        assertEquals(Integer.MIN_VALUE, MurmurHash.of(word, 0, word.length));
        assertEquals("0:1", entries("words(buckets=2^18)", word));
        // 2^31 mod 1000 = 648.
        assertEquals("648:1", entries("words(buckets=1000)", word));
    }

    @Test
    void nGramsKeepTheOrderOfTheirWords() {
        String one = entries("words(n=2, buckets=2^20)", "red blue");
        String other = entries("words(n=2, buckets=2^20)", "blue red");
        assertTrue(!one.equals(other), one);
        assertEquals(one, entries("words(n=2, buckets=2^20)", "Red -- (blue)"));
        // Words that are too short are dropped before pairs are formed.
        assertEquals(one, entries("words(n=2, buckets=2^20)", "red a blue"));
        assertEquals("", entries("words(n=2, buckets=2^20)", "red"));
    }

    @Test
    void aHasherForgetsEarlierTexts() {
        TextHasher hasher = new TextHasher(TextFeatures.DEFAULT);
        byte[] many = "some words in a long text about different things, Ünïcode too".getBytes(StandardCharsets.UTF_8);
        byte[] one = "xx word yy".getBytes(StandardCharsets.UTF_8);
        assertEquals(10, hasher.hash(many, 0, many.length));
        assertEquals(1, hasher.hash(one, 3, 7));
        assertEquals(1, hasher.counts[0]);
        assertEquals(0, hasher.hash(one, 2, 3));
    }

    @Test
    void blanksAroundTheWholeTextMakeNoCharacters() {
        String across = "chars(n=1:3, across)";
        assertEquals(entries(across, "a b"), entries(across, " \n a   b\t "));
        assertEquals("", entries(across, " \u00a0 "));
    }

    @Test
    void longAndShortTextsAreCountedAlike() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            text.append(" word").append(i % 250);
        }
        // A text with more than a quarter as many n-grams as columns is tallied, others are sorted.
        TextHasher hasher = new TextHasher(TextFeatures.parse("words(buckets=2400)"));
        byte[] once = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] twice = (text + " " + text).getBytes(StandardCharsets.UTF_8);
        for (int repeat = 0; repeat < 2; repeat++) {
            int sorted = hasher.hash(once, 0, once.length);
            int[] columns = Arrays.copyOf(hasher.columns, sorted);
            float[] counts = Arrays.copyOf(hasher.counts, sorted);
            assertEquals(sorted, hasher.hash(twice, 0, twice.length));
            for (int e = 0; e < sorted; e++) {
                assertEquals(columns[e], hasher.columns[e]);
                assertEquals(2 * counts[e], hasher.counts[e]);
            }
        }
    }

    @Test
    void countsOfLongTextsAreExact() {
        String text = "word ".repeat(100_000);
        assertTrue(entries("words", text).endsWith(":100000"));
        // One word of n characters with its two blanks has n trigrams.
        assertTrue(entries("chars(n=3)", "z".repeat(50_000)).contains(":49998"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "words(n=1, buckets=2^16)",
                "words(n=1:2, buckets=2^18, min-length=3, case)",
                "words(n=2, buckets=1000)",
                "chars(n=3:5, buckets=2^16)",
                "chars(n=2, buckets=1, across, case)"
            })
    void spellingsAreReadBack(String spelling) {
        assertEquals(spelling, TextFeatures.parse(spelling).toString());
        assertEquals(TextFeatures.parse(spelling), TextFeatures.load(spelling));
    }

    @Test
    void shortSpellingsHaveDefaults() {
        assertEquals(TextFeatures.DEFAULT, TextFeatures.parse("words"));
        assertEquals("words(n=1, buckets=2^16)", TextFeatures.DEFAULT.toString());
        assertEquals(TextFeatures.parse("chars(n=3:5, buckets=65536)"), TextFeatures.parse(" chars "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tfidf",
                "words(n=0)",
                "words(n=2:1)",
                "words(n=1:33)",
                "words(n=a)",
                "words(n=1:2:3)",
                "words(buckets=0)",
                "words(buckets=2^29)",
                "words(buckets=2^99)",
                "words(buckets=1.5)",
                "words(min-length=0)",
                "words(across)",
                "chars(min-length=2)",
                "words(n=1"
            })
    void wrongSpellingsAreRefused(String spelling) {
        assertThrows(SpellingException.class, () -> TextFeatures.parse(spelling));
        assertThrows(BochnerException.class, () -> TextFeatures.load(spelling));
    }

    @Test
    void namesOfOtherProgramsAreSuggested() {
        SpellingException unknown = assertThrows(SpellingException.class, () -> TextFeatures.parse("character"));
        assertTrue(String.valueOf(unknown.getMessage()).contains("chars"), unknown.getMessage());
    }
}
