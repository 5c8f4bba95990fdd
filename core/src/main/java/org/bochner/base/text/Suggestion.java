package org.bochner.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Suggestions for mistyped words, for error messages. */
public final class Suggestion {
    private static final int SHOWN_CATEGORIES = 20;

    private Suggestion() {}

    /**
     * Returns a hint such as {@code "; did you mean 'gaussian'?"}, or the list of the allowed words if none is similar.
     */
    public static String hint(String word, Collection<String> allowed) {
        String near = near(word, allowed);
        return near.isEmpty() ? known(allowed, allowed.size()) : near;
    }

    /**
     * Returns a hint on a category that is not known: the category that differs in one letter, or the only one that contains
     * it, or else the first of the known ones. Categories that differ in digits only may be identifiers, of which none is a
     * mistyped other one.
     */
    public static String category(String word, Collection<String> known) {
        String letters = withoutDigits(word);
        List<String> candidates = known.stream()
                .filter(candidate -> !withoutDigits(candidate).equals(letters))
                .toList();
        return of(word, candidates)
                .filter(nearest -> distance(word, nearest) <= 1
                        || nearest.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)))
                .map(Suggestion::question)
                .orElseGet(() -> known(known, SHOWN_CATEGORIES));
    }

    private static String withoutDigits(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("\\p{Nd}", "");
    }

    private static String known(Collection<String> words, int shown) {
        return words.stream()
                .limit(shown)
                .map(word -> word.contains(",") ? "'" + word + "'" : word)
                .collect(Collectors.joining(", ", "; known: ", words.size() > shown ? ", ..." : ""));
    }

    /** Returns a hint such as {@code "; did you mean 'gaussian'?"}, or an empty text if no allowed word is similar. */
    public static String near(String word, Collection<String> allowed) {
        return of(word, allowed).map(Suggestion::question).orElse("");
    }

    private static String question(String word) {
        return "; did you mean '" + word + "'?";
    }

    /**
     * Returns a hint that also knows the names of other programs.
     *
     * @param aliases from the name in another program to the name here; keys have lower-case letters and digits only,
     *     because case, hyphens, underscores and spaces do not count
     */
    public static String hint(String word, Collection<String> allowed, Map<String, String> aliases) {
        String alias = aliases.get(word.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", ""));
        return alias == null ? hint(word, allowed) : question(alias);
    }

    /**
     * Returns a map from the names in other programs to the names here.
     *
     * @param byName the names in other programs, separated by spaces, by the name here
     */
    public static Map<String, String> aliases(Map<String, String> byName) {
        Map<String, String> aliases = new TreeMap<>();
        byName.forEach((name, others) -> {
            for (String other : others.split(" ", -1)) {
                aliases.put(other, name);
            }
        });
        return aliases;
    }

    /**
     * Returns the most similar of the allowed words, if at most a third of its letters differ, or one letter, but not all
     * of them; else the only allowed word that contains the word.
     */
    static Optional<String> of(String word, Collection<String> allowed) {
        return allowed.stream()
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
                .filter(nearest -> isNear(word, nearest))
                .or(() -> containing(word, allowed));
    }

    /** Returns the only allowed word that contains a word of at least four letters. */
    private static Optional<String> containing(String word, Collection<String> allowed) {
        String part = word.toLowerCase(Locale.ROOT);
        List<String> found = allowed.stream()
                .filter(candidate -> candidate.toLowerCase(Locale.ROOT).contains(part))
                .limit(2)
                .toList();
        return part.length() < 4 || found.size() != 1 ? Optional.empty() : Optional.of(found.get(0));
    }

    private static boolean isNear(String word, String other) {
        int length = Math.max(word.length(), other.length());
        int distance = distance(word, other);
        return distance < length && distance <= Math.max(1, length / 3);
    }

    /** Returns how many letters must be changed, added, removed, or swapped with their neighbour; case does not count. */
    static int distance(String a, String b) {
        String first = a.toLowerCase(Locale.ROOT);
        String second = b.toLowerCase(Locale.ROOT);
        int[][] table = new int[first.length() + 1][second.length() + 1];
        for (int i = 0; i <= first.length(); i++) {
            for (int j = 0; j <= second.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : step(table, first, second, i, j);
            }
        }
        return table[first.length()][second.length()];
    }

    private static int step(int[][] table, String a, String b, int i, int j) {
        int changed = table[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int shortest = Math.min(changed, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(shortest, 1 + table[i - 2][j - 2]) : shortest;
    }
}
