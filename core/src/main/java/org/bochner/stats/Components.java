package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;

/**
 * The number of principal components to keep: a count such as {@code 500}, or the fewest with a share of the variance
 * such as {@code 0.99} or {@code 99%}; {@code 1.0} keeps all. A share has a decimal point or a percent sign; {@code
 * 1} is one component.
 *
 * @param count the number of components, or 0 if a share is given
 * @param share the share of the variance, above 0 and at most 1, or 0 if a count is given
 */
public record Components(int count, double share) {
    public Components {
        Require.that(
                (count >= 1 && share == 0) || (count == 0 && share > 0 && share <= 1),
                "pca",
                "components must be a number of 1 or more, or a share of the variance above 0 and at most 1, got "
                        + (count == 0 ? Spelling.print(share) : count));
    }

    /** Returns a fixed number of components. */
    public static Components of(int count) {
        return new Components(Require.atLeast("pca", "components", count, 1), 0);
    }

    /** Returns the fewest components with this share of the variance. */
    public static Components ofShare(double share) {
        return new Components(0, share);
    }

    /** Parses {@code 500}, {@code 0.99} or {@code 99%}. */
    public static Components parse(String text) {
        String stripped = text.strip();
        if (stripped.endsWith("%")) {
            return Spelling.reading(() -> ofShare(Spelling.toShare("pca", stripped)));
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

    /** Returns the largest possible number of components of D features; throws if the count exceeds D. */
    public int most(int features) {
        Require.that(
                count <= features,
                "pca",
                count + " components were asked for, and there are " + features
                        + " features; ask for at most as many, or make more features");
        return count > 0 ? count : features;
    }

    /**
     * Returns the number of components to keep.
     *
     * @param eigenvalues the variances of all components, descending
     */
    int choose(double[] eigenvalues) {
        int most = most(eigenvalues.length);
        if (count > 0 || share == 1) {
            return most;
        }
        double total = Arrays.stream(eigenvalues).sum();
        double sum = 0;
        int kept = 0;
        while (kept < eigenvalues.length && sum < share * total) {
            sum += eigenvalues[kept++];
        }
        return kept;
    }

    @Override
    public String toString() {
        // A share of 1 is printed as 1.0, which distinguishes it from one component.
        return count > 0 ? Integer.toString(count) : Double.toString(share);
    }
}
