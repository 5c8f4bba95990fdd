package org.bochner.data.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.bochner.base.BochnerException;

/**
 * Counts the n-grams of texts in hashed columns. The column of an n-gram is |MurmurHash3(its UTF-8 bytes)| mod buckets,
 * and no count is negative. Words, n-grams and columns are those of scikit-learn's {@code
 * HashingVectorizer(alternate_sign=False, norm=None)}, except that n-grams across words leave out blanks around the text.
 *
 * <p>Cost: linear in the bytes of a text times the number of different n, plus a sort of its n-grams. Texts of ASCII
 * characters allocate nothing; others allocate a few times their length.
 *
 * <p>Threads: not safe; each reader has its own.
 */
public final class TextHasher {
    /** The most n-grams of one text. */
    private static final int MOST_GRAMS = 1 << 28;

    /** A text with more n-grams than this share of the columns is long. */
    private static final int TALLY_SHARE = 4;

    private static final boolean[] ASCII_WORD = new boolean[128];

    static {
        for (int c = 0; c < 128; c++) {
            ASCII_WORD[c] = isWord(c);
        }
    }

    /** The columns of the text that was hashed last, ascending, and the number of its n-grams in each. */
    public int[] columns = new int[64];

    public float[] counts = new float[64];

    private final TextFeatures features;
    private final int buckets;
    private final boolean power;
    private byte[] text = new byte[256];
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private int[] hashes = new int[64];
    /** One zero per column between texts; empty until a long text is counted. */
    private int[] tallies = {};

    private int grams;

    public TextHasher(TextFeatures features) {
        this.features = features;
        this.buckets = features.buckets();
        this.power = Integer.bitCount(buckets) == 1;
    }

    /** Counts the n-grams of a text, which must be valid UTF-8; returns the number of columns that are not 0. */
    public int hash(byte[] bytes, int from, int to) {
        grams = 0;
        // One byte is free before the text, for the blank before the first word.
        int end = load(bytes, from, to);
        switch (features.unit()) {
            case WORDS -> words(end);
            case CHARS -> charsOfWords(end);
            case CHARS_ACROSS -> chars(end);
        }
        return count();
    }

    /** Copies a text to the buffer, from index 1 on, in lower case if asked for; returns its end. */
    private int load(byte[] bytes, int from, int to) {
        int length = to - from;
        if (text.length < length + 2) {
            text = new byte[Math.max(length + 2, (int) Math.min(Integer.MAX_VALUE - 8, 2L * text.length))];
        }
        boolean keep = features.keepsCase();
        for (int i = 0; i < length; i++) {
            byte c = bytes[from + i];
            if (c < 0 && !keep) {
                return loadLowerCase(new String(bytes, from, length, StandardCharsets.UTF_8));
            }
            text[i + 1] = !keep && c >= 'A' && c <= 'Z' ? (byte) (c + 32) : c;
        }
        return length + 1;
    }

    /** Copies a text of any characters. Lower case of a few characters has another number of bytes, or depends on others. */
    private int loadLowerCase(String given) {
        byte[] lower = given.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        if (text.length < lower.length + 2) {
            text = new byte[lower.length + 2];
        }
        System.arraycopy(lower, 0, text, 1, lower.length);
        return lower.length + 1;
    }

    /** Adds the n-grams of words. The words are moved together, one blank apart, so that n-grams are contiguous. */
    private void words(int end) {
        byte[] bytes = text;
        int kept = 1;
        int words = 0;
        int i = 1;
        while (i < end) {
            int start = i;
            int characters = 0;
            int size;
            while (i < end && (size = wordCharacter(bytes, i)) > 0) {
                i += size;
                characters++;
            }
            // The size is read before the blank after the word may replace the character.
            int next = i < end ? i + size(bytes[i]) : i;
            if (characters >= features.minLength()) {
                words = addPart(words, kept, kept + i - start);
                if (kept < start) {
                    System.arraycopy(bytes, start, bytes, kept, i - start);
                }
                kept += i - start;
                // There is room: a character that belongs to no word follows, or the end of the text.
                bytes[kept++] = ' ';
            }
            i = next;
        }
        for (int n = features.least(); n <= features.most(); n++) {
            addGrams(words, n);
        }
    }

    private int addPart(int count, int start, int end) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        starts[count] = start;
        ends[count] = end;
        return count + 1;
    }

    /** Returns the number of bytes of the character at an index; 0 if it belongs to no word. */
    private static int wordCharacter(byte[] bytes, int i) {
        byte c = bytes[i];
        if (c >= 0) {
            return ASCII_WORD[c] ? 1 : 0;
        }
        return isWord(codePoint(bytes, i)) ? size(c) : 0;
    }

    /** Adds the n-grams of characters of each word between blanks, with one blank before and after it. */
    private void charsOfWords(int end) {
        byte[] bytes = text;
        bytes[0] = ' ';
        int i = 1;
        while (i < end) {
            if (isBlank(bytes, i)) {
                i += size(bytes[i]);
                continue;
            }
            int start = i;
            int characters = addPart(0, start - 1, start);
            while (i < end && !isBlank(bytes, i)) {
                int size = size(bytes[i]);
                characters = addPart(characters, i, i + size);
                i += size;
            }
            // The characters around the word may be of more bytes than a blank, whose other bytes are not used again.
            int next = i < end ? i + size(bytes[i]) : i;
            bytes[start - 1] = ' ';
            bytes[i] = ' ';
            characters = addPart(characters, i, i + 1);
            addWord(characters);
            i = next;
        }
    }

    /** Adds the n-grams of a word of the given number of characters. A word shorter than n is counted once, for one n. */
    private void addWord(int characters) {
        for (int n = features.least(); n <= features.most(); n++) {
            if (characters <= n) {
                add(starts[0], ends[characters - 1]);
                return;
            }
            addGrams(characters, n);
        }
    }

    private void addGrams(int parts, int n) {
        for (int k = 0; k + n <= parts; k++) {
            add(starts[k], ends[k + n - 1]);
        }
    }

    /** Adds the n-grams of characters of the whole text. Blanks around it are dropped; several inside become one. */
    private void chars(int end) {
        byte[] bytes = text;
        int characters = 0;
        int kept = 1;
        int i = 1;
        while (i < end) {
            int start = i;
            int blanks = 0;
            while (i < end && isBlank(bytes, i)) {
                i += size(bytes[i]);
                blanks++;
            }
            if (i == end) {
                break;
            }
            if (blanks == 1 && characters > 0) {
                characters = keep(bytes, start, i, kept, characters);
                kept = ends[characters - 1];
            } else if (blanks > 1 && characters > 0) {
                bytes[kept] = ' ';
                characters = addPart(characters, kept, ++kept);
            }
            int size = size(bytes[i]);
            characters = keep(bytes, i, i + size, kept, characters);
            kept += size;
            i += size;
        }
        for (int n = features.least(); n <= Math.min(features.most(), characters); n++) {
            addGrams(characters, n);
        }
    }

    private int keep(byte[] bytes, int from, int to, int kept, int characters) {
        System.arraycopy(bytes, from, bytes, kept, to - from);
        return addPart(characters, kept, kept + to - from);
    }

    private void add(int from, int to) {
        if (grams == hashes.length) {
            if (grams == MOST_GRAMS) {
                throw new BochnerException("a text has more than 2^28 n-grams; split it, or count fewer n-grams");
            }
            hashes = Arrays.copyOf(hashes, 2 * grams);
        }
        int hash = MurmurHash.of(text, from, to);
        // The absolute value of -2^31 does not fit into an int; all of its lower bits are 0.
        hashes[grams++] = power ? Math.abs(hash) & (buckets - 1) : (int) (Math.abs((long) hash) % buckets);
    }

    private int count() {
        int most = Math.min(grams, buckets);
        if (columns.length < most) {
            columns = new int[Math.min(hashes.length, buckets)];
            counts = new float[columns.length];
        }
        return grams > buckets / TALLY_SHARE ? tally() : sorted();
    }

    /** Counts by one number per column, which is faster than a sort for long texts. */
    private int tally() {
        if (tallies.length == 0) {
            tallies = new int[buckets];
        }
        for (int i = 0; i < grams; i++) {
            tallies[hashes[i]]++;
        }
        int entries = 0;
        for (int column = 0; column < buckets; column++) {
            if (tallies[column] > 0) {
                columns[entries] = column;
                counts[entries++] = tallies[column];
                tallies[column] = 0;
            }
        }
        return entries;
    }

    private int sorted() {
        Arrays.sort(hashes, 0, grams);
        int entries = 0;
        for (int i = 0; i < grams; ) {
            int start = i;
            int column = hashes[start];
            while (i < grams && hashes[i] == column) {
                i++;
            }
            columns[entries] = column;
            counts[entries++] = i - start;
        }
        return entries;
    }

    /** Returns true for letters, digits and other numbers of Unicode, and the underscore. */
    private static boolean isWord(int character) {
        return switch (Character.getType(character)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> character == '_';
        };
    }

    private static boolean isBlank(byte[] bytes, int i) {
        int character = bytes[i] >= 0 ? bytes[i] : codePoint(bytes, i);
        // The second method adds blanks that do not break lines; U+0085 ends a line.
        return Character.isWhitespace(character) || Character.isSpaceChar(character) || character == 0x85;
    }

    /** Returns the number of bytes of the character that starts with a byte. */
    private static int size(byte first) {
        return first >= 0 ? 1 : (first & 0xe0) == 0xc0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : 4;
    }

    private static int codePoint(byte[] bytes, int i) {
        int first = bytes[i];
        int second = bytes[i + 1] & 0x3f;
        if ((first & 0xe0) == 0xc0) {
            return (first & 0x1f) << 6 | second;
        }
        int third = bytes[i + 2] & 0x3f;
        return (first & 0xf0) == 0xe0
                ? (first & 0x0f) << 12 | second << 6 | third
                : (first & 0x07) << 18 | second << 12 | third << 6 | (bytes[i + 3] & 0x3f);
    }
}
