package org.bochner.design;

import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a design search. By default a linear program selects terms from a pool, and then the frequencies move
 * to reduce the error.
 *
 * @param form the form of terms in several columns; null for modulation if the signature is even in every column, which
 *     gives smaller programs, and projection otherwise
 * @param polar true if the pool of several columns has evenly spaced directions and lengths; false if it has the
 *     products of single-column designs
 * @param discrete true if frequencies stay those of the pool, which in one column are the multiples of the spacing
 * @param greedy true to keep the terms with the largest weights among the products of single-column designs, without a
 *     linear program
 * @param spacing for a discrete search in one column, the frequency whose multiples form the pool; 0 for an eighth of
 *     the first harmonic of the range, π/(8M)
 */
public record Plan(Norm norm, @Nullable Form form, boolean polar, boolean discrete, boolean greedy, double spacing) {
    /** The default plan: minimises the largest error with unrestricted frequencies. */
    public static final Plan DEFAULT = new Plan(Norm.LARGEST, null, false, false, false, 0);

    public Plan {
        Require.notNegative("design", "spacing", spacing);
        Require.that(
                !greedy || !polar,
                "design",
                "a greedy search ranks the products of the columns' designs, and a polar pool has no weights to rank; take"
                        + " another search or the product pool");
        Require.that(!greedy || !discrete, "design", "a search is discrete or greedy, not both");
    }

    public Plan withNorm(Norm other) {
        return new Plan(other, form, polar, discrete, greedy, spacing);
    }

    public Plan withForm(Form other) {
        return new Plan(norm, other, polar, discrete, greedy, spacing);
    }

    /** Returns a plan with a polar pool, for several columns. */
    public Plan withPolarPool() {
        return new Plan(norm, form, true, discrete, greedy, spacing);
    }

    /** Returns a plan with a greedy search, for several columns. */
    public Plan withGreedySearch() {
        return new Plan(norm, form, polar, false, true, spacing);
    }

    /** Returns a plan with a discrete search, in one column over the multiples of a frequency; 0 for the default. */
    public Plan withSpacing(double other) {
        return new Plan(norm, form, polar, true, false, other);
    }

    /** Returns the name of the search: {@code continuous}, {@code discrete} or {@code greedy}. */
    public String search() {
        return greedy ? "greedy" : discrete ? "discrete" : "continuous";
    }

    /** Returns true if frequencies move after their selection. */
    boolean moves() {
        return !discrete && !greedy;
    }

    /** Returns the form of terms for a target. */
    Form formFor(Target target) {
        if (form != null) {
            return form;
        }
        return !polar && target.evenInEveryColumn() ? Form.MODULATION : Form.PROJECTION;
    }
}
