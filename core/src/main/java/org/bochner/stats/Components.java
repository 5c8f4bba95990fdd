package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * How many principal components to keep: a number of them, {@code 500}, or as few as have a share of the variance,
 * {@code 0.99} or {@code 99%}; {@code 1.0} is all of them. A share is written with a point or as a percentage, so that
 * {@code 1} is a single component.
 *
 * @param count how many, or 0 where a share is asked for
 * @param share of the variance, above 0 and at most 1, or 0 where a number is asked for
 */
public record Components(int count, double share) {
    public Components {
        Require.that(
                (count >= 1 && share == 0) || (count == 0 && share > 0 && share <= 1),
                "pca",
                "components must be a number of 1 or more, or a share of the variance above 0 and at most 1, got "
                        + (count == 0 ? Spelling.print(share) : count));
    }

    /** So many. */
    public static Components of(int count) {
        return new Components(Require.atLeast("pca", "components", count, 1), 0);
    }

    /** As few as have so much of the variance. */
    public static Components ofShare(double share) {
        return new Components(0, share);
    }

    /** Reads {@code 500}, {@code 0.99} or {@code 99%}. */
    public static Components parse(String text) {
        String stripped = text.strip();
        if (stripped.endsWith("%")) {
            return ofShare(Spelling.toShare("pca", stripped));
        }
        double value;
        try {
            value = Double.parseDouble(stripped);
        } catch (NumberFormatException e) {
            throw new SpellingException("pca: expected a number of components, as 500, or a share of the variance, as"
                    + " 0.99; got '" + stripped + "'");
        }
        if (!(value > 0) || (stripped.contains(".") && value > 1) || value > Integer.MAX_VALUE) {
            throw new SpellingException(
                    "pca: components must be a number of 1 or more, or a share of the variance above"
                            + " 0 and at most 1.0; got '" + stripped + "'");
        }
        boolean whole = value == Math.rint(value) && !stripped.contains(".");
        return whole ? of((int) value) : ofShare(value);
    }

    /** How many of so many features it can be; fails where more were asked for than there are. */
    public int most(int features) {
        if (count > features) {
            throw new BochnerException("pca: " + count + " components were asked for, and there are " + features
                    + " features; ask for at most as many, or make more features");
        }
        return count > 0 ? count : features;
    }

    /**
     * How many that is.
     *
     * @param eigenvalues the variances of all components, descending
     */
    int choose(double[] eigenvalues) {
        int most = most(eigenvalues.length);
        if (count > 0 || share == 1) {
            return most;
        }
        double total = 0;
        for (double value : eigenvalues) {
            total += value;
        }
        double sum = 0;
        int kept = 0;
        while (kept < eigenvalues.length && sum < share * total) {
            sum += eigenvalues[kept++];
        }
        return kept;
    }

    @Override
    public String toString() {
        // A share of 1 keeps its point, by which it is told from one component.
        return count > 0 ? Integer.toString(count) : Double.toString(share);
    }
}
