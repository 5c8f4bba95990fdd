package org.bochner.base;

import java.util.Collection;
import java.util.Optional;

/** Finds what a mistyped word was meant to be, for error messages. */
public final class Nearest {
    private Nearest() {}

    /**
     * A hint such as {@code "; did you mean 'gaussian'?"}, or the list of what is allowed when nothing is near.
     */
    public static String hint(String word, Collection<String> allowed) {
        return of(word, allowed)
                .map(near -> "; did you mean '" + near + "'?")
                .orElseGet(() -> "; known: " + String.join(", ", allowed));
    }

    /**
     * The nearest of the allowed words, if it is near: at most a third of its letters must change, or one, but never all
     * of them.
     */
    public static Optional<String> of(String word, Collection<String> allowed) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : allowed) {
            int distance = distance(word, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        int length = Math.max(word.length(), best.length());
        boolean near = bestDistance < length && bestDistance <= Math.max(1, length / 3);
        return near ? Optional.of(best) : Optional.empty();
    }

    /** Levenshtein distance, ignoring case. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
                int change = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
