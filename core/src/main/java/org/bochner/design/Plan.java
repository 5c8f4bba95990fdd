package org.bochner.design;

import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * How a design is found.
 *
 * @param form what terms are in several columns; null for modulation where the signature is even in every column, which has
 *     smaller programs, else projection
 * @param spacing in one column, the frequency of whose multiples a discrete pool consists; 0 for an eighth of the first
 *     harmonic of the range, π/(8M)
 */
public record Plan(Norm norm, @Nullable Form form, Pool pool, Search search, double spacing) {
    /** The least largest error, with any frequencies. */
    public static final Plan DEFAULT = new Plan(Norm.LARGEST, null, Pool.PRODUCT, Search.CONTINUOUS, 0);

    public Plan {
        Require.notNegative("design", "spacing", spacing);
        Require.that(
                search != Search.GREEDY || pool == Pool.PRODUCT,
                "design",
                "a greedy search ranks the products of the columns' designs, and a polar pool has no weights to rank; take"
                        + " another search or the product pool");
    }

    /** Where the frequencies of several columns are chosen from at first. */
    public enum Pool {
        /** Those of designs of every column by itself, combined. */
        PRODUCT,
        /** Directions and lengths, evenly. */
        POLAR
    }

    /** What is done with the pool. */
    public enum Search {
        /** A linear program selects from the pool; then frequencies move to where the error is least. */
        CONTINUOUS,
        /** A linear program selects from the pool, in one column multiples of the spacing, and frequencies stay. */
        DISCRETE,
        /** No linear program: of the combined designs of the columns, the terms of the largest weights stay. */
        GREEDY
    }

    public Plan withNorm(Norm other) {
        return new Plan(other, form, pool, search, spacing);
    }

    public Plan withForm(Form other) {
        return new Plan(norm, other, pool, search, spacing);
    }

    public Plan withPool(Pool other) {
        return new Plan(norm, form, other, search, spacing);
    }

    public Plan withSearch(Search other) {
        return new Plan(norm, form, pool, other, spacing);
    }

    /** With multiples of a frequency alone, in one column. */
    public Plan withSpacing(double other) {
        return new Plan(norm, form, pool, Search.DISCRETE, other);
    }

    /** The form of terms for a target. */
    Form formFor(Target target) {
        if (form != null) {
            return form;
        }
        return pool == Pool.PRODUCT && target.evenInEveryColumn() ? Form.MODULATION : Form.PROJECTION;
    }
}
